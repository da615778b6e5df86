import { matchScreen, type ScreenName } from '#core/navigation/screens.ts'

export interface NavigationFacts {
  screen: ScreenName
  /** The path and query in the browser's address bar. */
  path: string
  /** The logged-in user. Null for visitors. */
  user: { isVerified: boolean; hasDeposits: boolean; isLeaveOnly: boolean } | null
  /** Whether this is the first screen of the browser session, across all tabs. */
  isFirstOfSession: boolean
  /** The path that the user requested before the log-in. */
  returnPath: string | null
  /** Whether the site accepts deposits. */
  depositsAreOpen: boolean
}

export type Destination =
  | { kind: 'stay' }
  | {
      kind: 'go'
      to: string
      /** The path to open after the log-in. */
      rememberReturn?: string
      /** The path that home offers as "Continue". */
      offer?: string
      /** The stored return path was used and is to be deleted. */
      forgetReturn?: true
    }

const STAY: Destination = { kind: 'stay' }

/**
 * Screens that need no log-in and are never redirected: public pages such as proofs, the outbox (its API decides
 * whether it exists) and unknown paths. Unknown paths are among them because home should not offer such a path as
 * "Continue".
 */
const PUBLIC: ReadonlySet<ScreenName> = new Set([
  'changes',
  'check',
  'fairness',
  'incidents',
  'register',
  'prices',
  'liabilities',
  'no_control',
  'outbox',
  'unsubscribe',
  'recover',
  'stop_recovery',
  'terms_of_use',
  'not_found',
])

/** Further screens open to visitors: those that the specification names, and the pages and posts linked from home. */
const OPEN_TO_VISITORS: ReadonlySet<ScreenName> = new Set([
  'home',
  'market',
  'login',
  'signup',
  'forgot_password',
  'reset_password',
  'languages',
  'informationPage',
  'post',
])

/** Further screens open to users who have not verified their contact. */
const OPEN_TO_UNVERIFIED: ReadonlySet<ScreenName> = new Set(['verification', 'languages', 'informationPage'])

/**
 * The screens of a user whom staff blocked: the withdrawal of the whole balance, and the screens with the user's own
 * data.
 */
const OPEN_TO_BLOCKED: ReadonlySet<ScreenName> = new Set([
  'leave',
  'accountHistory',
  'statement',
  'figures',
  'data',
  'security',
  'changePassword',
  'deposit_history',
  'withdrawal_history',
  'transaction_history',
  'inbox',
  'notice',
  'tickets',
  'ticket',
  'languages',
  'informationPage',
  'post',
])

/**
 * Whether home still offers the path from which the first navigation was redirected. Home, the current screen, and
 * log-in screens for logged-in users are not.
 */
export function isWorthOffering(facts: { wanted: string; current: string; user: NavigationFacts['user'] }): boolean {
  const wanted = matchScreen(pathOf(facts.wanted))
  if (wanted.screen === 'home' || isSamePlace(facts.wanted, facts.current)) return false
  return facts.user === null || (wanted.screen !== 'login' && wanted.screen !== 'signup')
}

/** Whether two addresses show the same screen with the same parameters. */
export function isSamePlace(one: string, other: string): boolean {
  return placeOf(one) === placeOf(other)
}

function placeOf(address: string): string {
  const { screen, params } = matchScreen(pathOf(address))
  return JSON.stringify([screen === 'not_found' ? address : screen, params]).toLowerCase()
}

function pathOf(address: string): string {
  return address.replace(/[?#].*/, '')
}

/** Decides whether a screen may be shown, and where to redirect otherwise (specification, section 2). */
export function whereTo(facts: NavigationFacts): Destination {
  const { screen, path, user } = facts
  if (PUBLIC.has(screen)) return STAY
  if (user?.isLeaveOnly) return OPEN_TO_BLOCKED.has(screen) ? STAY : { kind: 'go', to: '/leave', forgetReturn: true }
  if (user !== null && !user.isVerified) {
    if (screen === 'verification') return STAY
    if (OPEN_TO_UNVERIFIED.has(screen) && !facts.isFirstOfSession) return STAY
    const wanted = OPEN_TO_VISITORS.has(screen) ? {} : { rememberReturn: path }
    return { kind: 'go', to: '/profile/verification', ...wanted }
  }
  if (screen === 'reset_password') return hasCode(path) ? STAY : { kind: 'go', to: '/' }
  // A push message opens its notice, so the first navigation is not redirected to home in this case.
  if (facts.isFirstOfSession && screen !== 'home' && screen !== 'notice') return { kind: 'go', to: '/', offer: path }
  if (user === null) {
    return OPEN_TO_VISITORS.has(screen) ? STAY : { kind: 'go', to: '/login', rememberReturn: path }
  }
  switch (screen) {
    case 'home':
      return { kind: 'go', to: '/market' }
    case 'login':
    case 'signup':
      return { kind: 'go', to: facts.returnPath ?? '/market', forgetReturn: true }
    case 'leave':
      return { kind: 'go', to: '/withdraw' }
    case 'deposit':
      return facts.depositsAreOpen ? STAY : { kind: 'go', to: '/wallet' }
    case 'deposit_history':
      // While deposits are closed, users with earlier deposits can still see their history and pending deposits.
      return facts.depositsAreOpen || user.hasDeposits ? STAY : { kind: 'go', to: '/wallet' }
    default:
      return STAY
  }
}

/** The page for a new password needs a code in its address, from a message or the previous step. */
function hasCode(path: string): boolean {
  return /[?&]code=[^&]/.test(path)
}
