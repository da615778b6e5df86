import { matchScreen, type ScreenName } from '#core/navigation/screens.ts'

export interface NavigationFacts {
  screen: ScreenName
  /** Path and query as the address bar has them. */
  path: string
  /** Null for visitors. */
  user: { isVerified: boolean; hasDeposits: boolean } | null
  /** No screen was shown yet in this session of the browser, in whichever tab. */
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
 * Pages that prove something to anyone, the outbox (the server answers only where it should), and paths that lead nowhere,
 * which are no wish to offer: they need no log-in and are never diverted, whoever asks.
 */
const PUBLIC: ReadonlySet<ScreenName> = new Set([
  'check',
  'fairness',
  'incidents',
  'liabilities',
  'no_control',
  'outbox',
  'not_found',
])

/** What else a visitor may see: what the specification names, and the pages and posts that home leads to. */
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

/** What else users may see who have not verified their contact. */
const OPEN_TO_UNVERIFIED: ReadonlySet<ScreenName> = new Set(['verification', 'languages', 'informationPage'])

/**
 * Tells whether a path that the first navigation was kept from is still worth offering on the current one: nobody who is
 * logged in wants to log in, and nobody wants the page in view, or home, which every header leads to.
 */
export function isWorthOffering(facts: { wanted: string; current: string; user: NavigationFacts['user'] }): boolean {
  const wanted = matchScreen(pathOf(facts.wanted))
  if (wanted.screen === 'home' || isSamePlace(facts.wanted, facts.current)) return false
  return facts.user === null || (wanted.screen !== 'login' && wanted.screen !== 'signup')
}

/** Tells whether two addresses show the same screen of the same thing. */
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

/** Decides who may see which screen, and where they go instead (specification, section 2). */
export function whereTo(facts: NavigationFacts): Destination {
  const { screen, path, user } = facts
  if (PUBLIC.has(screen)) return STAY
  if (user !== null && !user.isVerified) {
    if (screen === 'verification') return STAY
    if (OPEN_TO_UNVERIFIED.has(screen) && !facts.isFirstOfSession) return STAY
    const wanted = OPEN_TO_VISITORS.has(screen) ? {} : { rememberReturn: path }
    return { kind: 'go', to: '/profile/verification', ...wanted }
  }
  if (screen === 'reset_password') return hasCode(path) ? STAY : { kind: 'go', to: '/' }
  if (facts.isFirstOfSession && screen !== 'home') return { kind: 'go', to: '/', offer: path }
  if (user === null) {
    return OPEN_TO_VISITORS.has(screen) ? STAY : { kind: 'go', to: '/login', rememberReturn: path }
  }
  switch (screen) {
    case 'home':
      return { kind: 'go', to: '/market' }
    case 'login':
    case 'signup':
      return { kind: 'go', to: facts.returnPath ?? '/market', forgetReturn: true }
    case 'deposit':
      return facts.depositsAreOpen ? STAY : { kind: 'go', to: '/wallet' }
    case 'deposit_history':
      // Whoever has deposits finds them, and whether those that wait were credited, while no new ones are taken too.
      return facts.depositsAreOpen || user.hasDeposits ? STAY : { kind: 'go', to: '/wallet' }
    default:
      return STAY
  }
}

/** The page for a new password is reached with a code, from a message or the step before; it is no page to start from. */
function hasCode(path: string): boolean {
  return /[?&]code=[^&]/.test(path)
}
