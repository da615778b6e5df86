/** Paths of all screens in the trading app, by the route names of the specification. `:symbol?` is optional. */
export const SCREEN_PATHS = {
  home: '/',
  market: '/market',
  trade: '/trade/:symbol?',
  wallet: '/wallet',
  login: '/login',
  signup: '/signup',
  forgot_password: '/forgot-password',
  reset_password: '/reset-password',
  account: '/account',
  accountHistory: '/account/history',
  changePassword: '/account/password',
  security: '/account/security',
  limits: '/account/limits',
  statement: '/account/statement',
  figures: '/account/figures',
  data: '/account/data',
  keys: '/account/keys',
  close: '/account/close',
  profile: '/profile',
  withdrawalMethods: '/account/withdrawal-methods',
  // The specification uses this spelling.
  withdawPin: '/account/withdraw-pin',
  PaymentMethod: '/account/payment-method/:id',
  verification: '/profile/verification',
  edit_profile: '/profile/edit',
  options: '/profile/options',
  profile_picture: '/profile/picture',
  deposit_history: '/history/deposit',
  withdrawal_history: '/history/withdrawal',
  transaction_history: '/history/transaction',
  deposit: '/deposit',
  withdraw: '/withdraw',
  leave: '/leave',
  informationPage: '/page/:slug',
  post: '/post/:slug?',
  test: '/test',
  languages: '/languages',
  liabilities: '/liabilities',
  fairness: '/fairness',
  no_control: '/no-control',
  incidents: '/incidents',
  register: '/register',
  changes: '/changes',
  prices: '/prices',
  check: '/check/:trx?',
  tickets: '/tickets',
  new_ticket: '/tickets/new',
  ticket: '/tickets/:no',
  terms_of_use: '/terms',
  inbox: '/inbox',
  notice: '/n/:id',
  alerts: '/alerts',
  unsubscribe: '/unsubscribe/:token',
  recover: '/recover/:token',
  stop_recovery: '/stop-recovery/:token',
  outbox: '/outbox',
} as const

export type ScreenName = keyof typeof SCREEN_PATHS | 'not_found'
export type ScreenParams = Readonly<Record<string, string>>

export interface ScreenMatch {
  readonly screen: ScreenName
  readonly params: ScreenParams
}

/** Finds the screen of a path. Case and a trailing slash do not matter. Unknown paths give `not_found`. */
export function matchScreen(path: string): ScreenMatch {
  const given = segmentsOf(path)
  for (const [screen, pattern] of Object.entries(SCREEN_PATHS) as [keyof typeof SCREEN_PATHS, string][]) {
    const params = matchSegments(segmentsOf(pattern), given)
    if (params !== null) return { screen, params }
  }
  return { screen: 'not_found', params: {} }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function matchSegments(pattern: readonly string[], given: readonly string[]): ScreenParams | null {
  if (given.length > pattern.length) return null
  const params: Record<string, string> = {}
  for (const [at, wanted] of pattern.entries()) {
    const segment = given[at]
    if (wanted.startsWith(':')) {
      if (segment !== undefined) params[wanted.slice(1).replace('?', '')] = decode(segment)
      else if (!wanted.endsWith('?')) return null
    } else if (segment?.toLowerCase() !== wanted) return null
  }
  return params
}

/** If a percent sequence is malformed, the text is used undecoded instead of failing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
