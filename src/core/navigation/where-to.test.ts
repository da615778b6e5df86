import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { matchScreen, SCREEN_PATHS, type ScreenName } from '#core/navigation/screens.ts'
import { isWorthOffering, type NavigationFacts, whereTo } from '#core/navigation/where-to.ts'

const VISITOR: NavigationFacts['user'] = null
const UNVERIFIED = { isVerified: false, hasDeposits: false, isLeaveOnly: false }
const USER = { ...UNVERIFIED, isVerified: true }
const BLOCKED = { ...USER, isLeaveOnly: true }
const DEPOSITOR = { ...USER, hasDeposits: true }

/** These screens need no log-in, are never redirected, and are open to unverified users. */
const PUBLIC_PATHS = [
  '/check',
  '/check/FW-AAAA-BBBB-CCCC',
  '/outbox',
  '/unsubscribe/some-token',
  '/recover/some-token',
  '/stop-recovery/some-token',
  '/nowhere',
  '/fairness',
  '/no-control',
  '/liabilities',
  '/incidents',
  '/register',
  '/changes',
  '/terms',
  '/prices',
]

function facts(path: string, rest: Partial<NavigationFacts> = {}): NavigationFacts {
  return {
    screen: matchScreen(path.split('?')[0] ?? '').screen,
    path,
    user: VISITOR,
    isFirstOfSession: false,
    returnPath: null,
    depositsAreOpen: true,
    ...rest,
  }
}

describe('matching paths', () => {
  it.each([
    ['/', 'home', {}],
    ['/market/', 'market', {}],
    ['/Market', 'market', {}],
    ['/trade', 'trade', {}],
    ['/trade/BTC', 'trade', { symbol: 'BTC' }],
    ['/trade/%C3%A4', 'trade', { symbol: 'ä' }],
    ['/trade/50%', 'trade', { symbol: '50%' }],
    ['/trade/BTC/more', 'not_found', {}],
    ['/profile/verification', 'verification', {}],
    ['/account', 'account', {}],
    ['/account/history', 'accountHistory', {}],
    ['/account/password', 'changePassword', {}],
    ['/profile', 'profile', {}],
    ['/profile/edit', 'edit_profile', {}],
    ['/profile/options', 'options', {}],
    ['/profile/picture', 'profile_picture', {}],
    ['/profile/nothing', 'not_found', {}],
    ['/account/payment-method/7', 'PaymentMethod', { id: '7' }],
    ['/account/payment-method', 'not_found', {}],
    ['/account/withdraw-pin', 'withdawPin', {}],
    ['/page/terms', 'informationPage', { slug: 'terms' }],
    ['/page', 'not_found', {}],
    ['/post', 'post', {}],
    ['/post/welcome', 'post', { slug: 'welcome' }],
    ['/nowhere', 'not_found', {}],
  ] as const)('RT1, RT2, RT29: %s is %s', (path, screen, params) => {
    expect(matchScreen(path)).toEqual({ screen, params })
  })
})

describe('where to', () => {
  const stay = { kind: 'stay' }
  it.each([
    ['a visitor sees home', facts('/'), stay],
    ['a visitor sees the market', facts('/market'), stay],
    ['a visitor sees the languages', facts('/languages'), stay],
    ['a visitor reads the pages', facts('/page/terms'), stay],
    ['a visitor reads the posts', facts('/post'), stay],
    ['a visitor reads one post', facts('/post/welcome'), stay],
    [
      'a visitor who opens a page first goes home and is offered the page',
      facts('/page/terms', { isFirstOfSession: true }),
      { kind: 'go', to: '/', offer: '/page/terms' },
    ],
    ['a visitor logs in before the test page', facts('/test'), { kind: 'go', to: '/login', rememberReturn: '/test' }],
    [
      'a visitor logs in before trading',
      facts('/trade/BTC'),
      { kind: 'go', to: '/login', rememberReturn: '/trade/BTC' },
    ],
    ['a visitor logs in before the wallet', facts('/wallet'), { kind: 'go', to: '/login', rememberReturn: '/wallet' }],
    [
      'the first navigation goes home',
      facts('/market', { isFirstOfSession: true }),
      { kind: 'go', to: '/', offer: '/market' },
    ],
    [
      'the first navigation of a user goes home too',
      facts('/wallet', { isFirstOfSession: true, user: USER }),
      { kind: 'go', to: '/', offer: '/wallet' },
    ],
    [
      'a visitor logs in before withdrawing, with the method kept',
      facts('/withdraw?method=7', { screen: 'withdraw' }),
      { kind: 'go', to: '/login', rememberReturn: '/withdraw?method=7' },
    ],
    [
      'a blocked user is led to the way out',
      facts('/market', { user: BLOCKED }),
      { kind: 'go', to: '/leave', forgetReturn: true },
    ],
    [
      'a blocked user who is not verified is led there too',
      facts('/login', { user: { ...UNVERIFIED, isLeaveOnly: true } }),
      { kind: 'go', to: '/leave', forgetReturn: true },
    ],
    ['a blocked user takes the money out', facts('/leave', { user: BLOCKED, isFirstOfSession: true }), stay],
    ['a blocked user reads the statement', facts('/account/statement', { user: BLOCKED }), stay],
    [
      'a blocked user has no keys',
      facts('/account/keys', { user: BLOCKED }),
      { kind: 'go', to: '/leave', forgetReturn: true },
    ],
    ['a blocked user takes own data along', facts('/account/data', { user: BLOCKED }), stay],
    [
      'a blocked user cannot deposit',
      facts('/deposit', { user: BLOCKED }),
      { kind: 'go', to: '/leave', forgetReturn: true },
    ],
    ['other users withdraw instead of leaving', facts('/leave', { user: USER }), { kind: 'go', to: '/withdraw' }],
    ['a user withdraws', facts('/withdraw', { user: USER }), stay],
    ['a link with a code is not redirected', facts('/reset-password?code=123456', { isFirstOfSession: true }), stay],
    ['a link with a code opens for users too', facts('/reset-password?code=123456', { user: USER }), stay],
    ['the new-password screen without a code goes home', facts('/reset-password?code='), { kind: 'go', to: '/' }],
    [
      'a session cannot start at the new-password screen without a code',
      facts('/reset-password', { isFirstOfSession: true }),
      { kind: 'go', to: '/' },
    ],
    ['a visitor opens the forgotten-password screen', facts('/forgot-password'), stay],
    [
      'a session that starts at the forgotten-password screen goes home',
      facts('/forgot-password', { isFirstOfSession: true }),
      { kind: 'go', to: '/', offer: '/forgot-password' },
    ],
    ['a session that starts at home stays', facts('/', { isFirstOfSession: true }), stay],
    ['an unknown path shows the not-found screen immediately', facts('/nope', { isFirstOfSession: true }), stay],
    ['the outbox is not redirected', facts('/outbox', { isFirstOfSession: true, user: UNVERIFIED }), stay],
    ['a user goes from home to the market', facts('/', { user: USER }), { kind: 'go', to: '/market' }],
    ['a user needs no login', facts('/login', { user: USER }), { kind: 'go', to: '/market', forgetReturn: true }],
    ['a user needs no sign-up', facts('/signup', { user: USER }), { kind: 'go', to: '/market', forgetReturn: true }],
    [
      'after the login the user goes where they were going',
      facts('/login', { user: USER, returnPath: '/trade/ETH' }),
      { kind: 'go', to: '/trade/ETH', forgetReturn: true },
    ],
    [
      'an unverified user verifies first',
      facts('/market', { user: UNVERIFIED }),
      { kind: 'go', to: '/profile/verification' },
    ],
    [
      'an unverified user returns to the requested screen after verification',
      facts('/wallet', { user: UNVERIFIED, isFirstOfSession: true }),
      { kind: 'go', to: '/profile/verification', rememberReturn: '/wallet' },
    ],
    ['an unverified user stays on the verification screen', facts('/profile/verification', { user: UNVERIFIED }), stay],
    [
      'the deposit screen goes to the wallet while deposits are closed',
      facts('/deposit', { user: USER, depositsAreOpen: false }),
      { kind: 'go', to: '/wallet' },
    ],
    [
      'the deposit history goes to the wallet while deposits are closed',
      facts('/history/deposit', { user: USER, depositsAreOpen: false }),
      { kind: 'go', to: '/wallet' },
    ],
    [
      'a visitor logs in before the profile',
      facts('/profile/edit'),
      { kind: 'go', to: '/login', rememberReturn: '/profile/edit' },
    ],
    [
      'an unverified user has no other account screen than verification',
      facts('/account/password', { user: UNVERIFIED }),
      { kind: 'go', to: '/profile/verification', rememberReturn: '/account/password' },
    ],
    [
      'F62: the history stays open for a user with deposits while deposits are closed',
      facts('/history/deposit', { user: DEPOSITOR, depositsAreOpen: false }),
      stay,
    ],
    [
      'F62: a user with deposits cannot make another while deposits are closed',
      facts('/deposit', { user: DEPOSITOR, depositsAreOpen: false }),
      { kind: 'go', to: '/wallet' },
    ],
    ['a user sees the account', facts('/account', { user: USER }), stay],
    ['a user sees the options', facts('/profile/options', { user: USER }), stay],
    ['the deposit screen opens while deposits are open', facts('/deposit', { user: USER }), stay],
    ...PUBLIC_PATHS.flatMap((path) => [
      [`F58: ${path} opens first of all`, facts(path, { isFirstOfSession: true }), stay] as const,
      [`F58: ${path} opens for an unverified user`, facts(path, { user: UNVERIFIED }), stay] as const,
    ]),
    ['F58: an unverified user chooses a language', facts('/languages', { user: UNVERIFIED }), stay],
    ['F58: an unverified user reads the pages', facts('/page/terms', { user: UNVERIFIED }), stay],
    [
      'F58: an unverified user cannot start a session at the languages',
      facts('/languages', { user: UNVERIFIED, isFirstOfSession: true }),
      { kind: 'go', to: '/profile/verification' },
    ],
    [
      'F58: an unverified user reads no posts',
      facts('/post', { user: UNVERIFIED }),
      { kind: 'go', to: '/profile/verification' },
    ],
  ] as const)('NV1, NV2, NV3, NV4, NV5, NV6, NV8, NV9: %s', (_, given, expected) => {
    expect(whereTo(given)).toEqual(expected)
  })

  test('redirects always end at a screen', () => {
    const screens = Object.keys(SCREEN_PATHS) as (keyof typeof SCREEN_PATHS)[]
    const ends = fc.check(
      fc.property(
        fc.constantFrom<ScreenName>(...screens, 'not_found'),
        fc.constantFrom(VISITOR, UNVERIFIED, USER),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(null, ...Object.values(SCREEN_PATHS)),
        (screen, user, isFirstOfSession, depositsAreOpen, returnPath) => {
          let path: string = screen === 'not_found' ? '/nowhere' : SCREEN_PATHS[screen]
          let storedPath: string | null = returnPath
          let isFirst = isFirstOfSession
          for (let steps = 0; steps < 6; steps++) {
            const next = whereTo({
              screen: matchScreen(path).screen,
              path,
              user,
              isFirstOfSession: isFirst,
              returnPath: storedPath,
              depositsAreOpen,
            })
            if (next.kind === 'stay') return true
            isFirst = false
            if (next.forgetReturn) storedPath = null
            if (next.rememberReturn !== undefined) storedPath = next.rememberReturn
            path = next.to
          }
          return false
        },
      ),
    )
    expect(ends.counterexample).toBeNull()
  })
})

describe('the path offered on home', () => {
  test.each([
    ['/login', '/', VISITOR, true],
    ['/login', '/market', USER, false],
    ['/signup', '/market', USER, false],
    ['/wallet', '/market', USER, true],
  ] as const)('%s is worth offering on %s to %o: %s', (wanted, current, user, expected) => {
    expect(isWorthOffering({ wanted, current, user })).toBe(expected)
  })

  test.each([
    ['/market', '/market'],
    ['/Market/', '/market?tab=top'],
    ['/trade/BTC', '/trade/btc'],
    ['/', '/market'],
  ] as const)('F26: %s is not offered on %s', (wanted, current) => {
    expect(isWorthOffering({ wanted, current, user: USER })).toBe(false)
  })

  test('F26: another symbol is offered on the trade screen', () => {
    expect(isWorthOffering({ wanted: '/trade/ETH', current: '/trade/BTC', user: USER })).toBe(true)
  })
})
