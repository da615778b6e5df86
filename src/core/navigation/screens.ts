/** Every screen of the trading app by the specification's route name, with its path. `:symbol?` may be left out. */
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
  profile: '/profile',
  withdrawalMethods: '/account/withdrawal-methods',
  // The specification spells it so.
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
  informationPage: '/page/:slug',
  post: '/post/:slug?',
  test: '/test',
  languages: '/languages',
  liabilities: '/liabilities',
  fairness: '/fairness',
  no_control: '/no-control',
  incidents: '/incidents',
  check: '/check/:trx?',
  outbox: '/outbox',
} as const

export type ScreenName = keyof typeof SCREEN_PATHS | 'not_found'
export type ScreenParams = Readonly<Record<string, string>>

export interface ScreenMatch {
  readonly screen: ScreenName
  readonly params: ScreenParams
}

/** Which screen a path names. Case and a slash at the end do not matter; unknown paths are `not_found`. */
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

/** A stray percent sign is no reason to fail: the text is then taken as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
