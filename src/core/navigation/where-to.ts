import type { ScreenName } from '#core/navigation/screens.ts'

export interface NavigationFacts {
  screen: ScreenName
  /** Path and query as the address bar has them. */
  path: string
  /** Null for visitors. */
  user: { isVerified: boolean } | null
  /** No screen was shown yet in this browser session. */
  isFirstOfSession: boolean
  /** Where the user was going when the login came between. */
  returnPath: string | null
  /** The site takes deposits. */
  depositsAreOpen: boolean
}

export type Destination =
  | { kind: 'stay' }
  | {
      kind: 'go'
      to: string
      /** Keep this path to go to after the login. */
      rememberReturn?: string
      /** Offer this path on home as "Continue". */
      offer?: string
      /** The kept return path is used up. */
      forgetReturn?: true
    }

const STAY: Destination = { kind: 'stay' }

/**
 * What a visitor may see: what the specification names, and the pages and posts that home leads to. The outbox asks the
 * server, which answers only where it should.
 */
const OPEN_TO_ALL: ReadonlySet<ScreenName> = new Set([
  'home',
  'market',
  'login',
  'signup',
  'forgot_password',
  'reset_password',
  'languages',
  'liabilities',
  'fairness',
  'no_control',
  'incidents',
  'informationPage',
  'post',
  'outbox',
  'not_found',
])

/**
 * Never diverted: the outbox shows one-time codes, a check is for whoever was handed its address, and a path that leads
 * nowhere is no wish to offer.
 */
const SELF_STANDING: ReadonlySet<ScreenName> = new Set(['outbox', 'check', 'not_found'])

/** Whether a path that the first navigation was kept from is still worth offering: nobody signed in wants to log in. */
export function isWorthOffering(screen: ScreenName, user: NavigationFacts['user']): boolean {
  return user === null || (screen !== 'login' && screen !== 'signup')
}

/** Who may see which screen, and where they go instead (specification, section 2; decision on the first navigation). */
export function whereTo(facts: NavigationFacts): Destination {
  const { screen, path, user } = facts
  if (SELF_STANDING.has(screen)) return STAY
  if (user !== null && !user.isVerified) {
    if (screen === 'verification') return STAY
    const wanted = OPEN_TO_ALL.has(screen) ? {} : { rememberReturn: path }
    return { kind: 'go', to: '/profile/verification', ...wanted }
  }
  if (screen === 'reset_password') return hasCode(path) ? STAY : { kind: 'go', to: '/' }
  if (facts.isFirstOfSession && screen !== 'home') return { kind: 'go', to: '/', offer: path }
  if (user === null) {
    return OPEN_TO_ALL.has(screen) ? STAY : { kind: 'go', to: '/login', rememberReturn: path }
  }
  switch (screen) {
    case 'home':
      return { kind: 'go', to: '/market' }
    case 'login':
    case 'signup':
      return { kind: 'go', to: facts.returnPath ?? '/market', forgetReturn: true }
    case 'deposit':
    case 'deposit_history':
      return facts.depositsAreOpen ? STAY : { kind: 'go', to: '/wallet' }
    default:
      return STAY
  }
}

/** The page for a new password is reached with a code, from a message or the step before; it is no page to start from. */
function hasCode(path: string): boolean {
  return /[?&]code=[^&]/.test(path)
}
