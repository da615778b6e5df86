import type { Browser, Page } from '@playwright/test'
import { createBusyUser, EVERY_ROUTE, FOR_VISITORS, NOT_FOR_USERS, routesFor } from './every-route.ts'
import { accessibilityFaults } from './accessibility-faults.ts'
import { findFlaws } from './find-flaws.ts'
import { findShortened } from './find-shortened.ts'
import { findSqueezed } from './find-squeezed.ts'
import { expect, test, watchForProblems } from './fixtures.ts'
import { takePicture } from './take-picture.ts'
import { useTheme } from './theme.ts'
import { bringDemoKey, createUser, goWithin, type TestUser } from './users.ts'
import { findShifts, watchShifts } from './watch-shifts.ts'

interface Window {
  readonly width: number
  readonly height: number
  /** Whether the test also looks for squeezed and shortened content, as it may occur in a narrow window. */
  readonly isNarrow?: true
}

interface Look {
  readonly lang: string
  readonly size: 'phone' | 'desktop'
  readonly text?: string
  /** Each screen is opened in the first window. The test then resizes the open screen to each other window. */
  readonly windows: readonly [Window, ...Window[]]
}

/**
 * The looks in which the walk opens every screen for every role and reports flaws. With E2E_PICTURES set, the
 * screenshots are in test-results/walk. One visit checks a screen in all windows of a look, because opening the screen
 * takes most of the time.
 */
const LOOKS = {
  'in English on a phone': {
    lang: 'en',
    size: 'phone',
    windows: [
      { width: 390, height: 844 },
      { width: 320, height: 568, isNarrow: true },
      { width: 844, height: 390, isNarrow: true },
    ],
  },
  'in Arabic on a phone': {
    lang: 'ar',
    size: 'phone',
    windows: [
      { width: 320, height: 568, isNarrow: true },
      { width: 390, height: 844 },
    ],
  },
  // In German, because this language has the longest words.
  'at twice the text size': {
    lang: 'de',
    size: 'phone',
    text: '200%',
    windows: [{ width: 390, height: 844, isNarrow: true }],
  },
  'on a desktop': { lang: 'en', size: 'desktop', windows: [{ width: 1440, height: 900 }] },
} satisfies Record<string, Look>
/** In this look, every screen is loaded, every redirect is followed, and both themes are checked. */
const FIRST_LOOK = LOOKS['in English on a phone']
const THEMES = ['light', 'dark'] as const
const ROLES = {
  visitor: {
    user: () => null,
    endsAt: (name: string, path: string) => (FOR_VISITORS.has(name) ? path : '/login'),
    looksAt: (name: string) => !STANDING.has(name),
  },
  unverified: {
    user: (site: string) => createUser(site, { verified: false }),
    endsAt: (name: string, path: string) => (STANDING.has(name) ? path : '/profile/verification'),
    looksAt: (name: string) => name === 'verification',
  },
  user: {
    user: createBusyUser,
    endsAt: (name: string, path: string) =>
      NOT_FOR_USERS.has(name) ? '/market' : ({ leave: '/withdraw', notice: '/inbox' }[name] ?? path),
    looksAt: () => true,
  },
}
/** Selectors of the last content to appear on the screens that load in parts, by screen and size. */
const SHOWS: Readonly<Record<string, string>> = {
  'trade phone': 'canvas',
  'trade desktop': 'form',
  'test phone': 'canvas',
  'test desktop': 'canvas',
}

/** Screens without a redirect for any role. */
const STANDING: ReadonlySet<string> = new Set([
  'verification',
  'outbox',
  'unsubscribe',
  'recover',
  'stop_recovery',
  'check',
  'not_found',
  'fairness',
  'terms_of_use',
  'incidents',
  'register',
  'changes',
  'prices',
  'liabilities',
  'no_control',
  'languages',
  'informationPage',
])

for (const [role, { user: createRole, endsAt, looksAt }] of Object.entries(ROLES)) {
  for (const [where, look] of Object.entries<Look>(LOOKS)) {
    // The longest walk is split into two tests, because it would otherwise delay the end of the test run.
    const parts = role === 'user' && look === FIRST_LOOK ? [0, 1] : [null]
    for (const part of parts) {
      const which = part === null ? '' : `, part ${part + 1}`
      test(`F28: no screen has a visible flaw for a ${role} ${where}${which}`, async ({ browser, site }) => {
        const user = await createRole(site)
        const page = await openBrowser(browser, look, user)
        await bringDemoKey(page, site)
        const problems = watchForProblems(page)
        const flaws: Record<string, string[]> = {}
        const routes = routesFor(user).filter((_, at) => part === null || at % 2 === part)
        for (const { name, path } of routes) {
          const end = endsAt(name, path)
          const isFull = end === path && looksAt(name)
          // Redirects do not depend on the look. Screens that are the same for all roles are checked once per look.
          if (look !== FIRST_LOOK && !isFull) continue
          // Only with the first look, the test loads each page from the server. With other looks it navigates within
          // the app, because flaws of a look and redirects do not depend on how the user reached the screen.
          const isLoaded = page.url() === 'about:blank' || (isFull && look === FIRST_LOOK)
          if (isLoaded) await page.goto(site + path)
          else await goWithin(page, path)
          await expect(page, name).toHaveURL(site + end)
          if (end !== path) continue
          await settle(page, SHOWS[`${name} ${look.size}`])
          // Layout shifts count only on screens that are checked in full, because another role covers the other
          // screens.
          const shifts = await findShifts(page)
          const found = [
            ...(isFull ? shifts.map((shift) => `${isLoaded ? 'loaded' : 'reached within the app'}: ${shift}`) : []),
            ...(isFull ? await flawsOf(page, look, name) : await findFlaws(page)),
            ...problems.splice(0),
          ]
          if (found.length > 0) flaws[path] = found
          for (const theme of process.env['E2E_PICTURES'] && isFull ? THEMES : []) {
            await useTheme(page, theme)
            await takePicture(page, `walk/${role}-${theme}-${where.replaceAll(' ', '-')}/${name}`)
          }
        }
        await page.context().close()
        expect(flaws).toEqual({})
      })
    }
  }
}

/** Lists the flaws of an open screen in all windows of a look, and then resizes the screen to the first window. */
async function flawsOf(page: Page, look: Look, name: string): Promise<string[]> {
  const found = look === FIRST_LOOK ? await faultsInBothThemes(page) : []
  for (const [at, window] of look.windows.entries()) {
    if (at > 0) await resize(page, window, SHOWS[`${name} ${look.size}`])
    const inWindow = [
      ...(await findFlaws(page)),
      ...(window.isNarrow ? await findSqueezed(page) : []),
      ...(window.isNarrow ? await findShortened(page) : []),
      ...(window.isNarrow ? await accessibilityFaults(page, 'all but colours') : []),
    ]
    found.push(...inWindow.map((flaw) => `${window.width} px wide: ${flaw}`))
  }
  if (look.windows.length > 1) await resize(page, look.windows[0], SHOWS[`${name} ${look.size}`])
  return found
}

async function faultsInBothThemes(page: Page): Promise<string[]> {
  await useTheme(page, 'light')
  const faults = await accessibilityFaults(page)
  await useTheme(page, 'dark')
  return [...faults, ...(await accessibilityFaults(page, 'colours')).map((fault) => `dark: ${fault}`)]
}

/**
 * Changes the size of the window, as a turned phone does. The content may move while the size changes, so `findShifts`
 * forgets these layout shifts.
 */
async function resize(page: Page, { width, height }: Window, shows?: string): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await settle(page, shows)
  await findShifts(page)
}

test('F29: without a network every screen keeps its header and title, and says what is missing', async ({
  browser,
  site,
}) => {
  const page = await openOffline(browser, site)
  const flaws: string[] = []
  for (const { name, path } of EVERY_ROUTE.filter((route) => !NOT_FOR_USERS.has(route.name))) {
    await goWithin(page, path)
    await expect(page.getByRole('main'), name).toBeVisible()
    await expect(page.locator('header:visible'), name).toHaveCount(1)
    await expect(page.getByText(SAYS_OFFLINE).first(), name).toBeVisible()
    if ((await page.getByRole('main').innerText()).trim() === '') flaws.push(`${name} has no text`)
    const heading = await page.getByRole('heading', { level: 1 }).first().innerText()
    const title = await page.title()
    if (heading.trim() === '') flaws.push(`${name} has no heading`)
    if (!OWN_HEADING.has(name) && !title.startsWith(`${heading} · `))
      flaws.push(`${name} has the heading ${heading} and the title ${title}`)
  }
  expect(flaws).toEqual([])
  for (const name of ['Trade', 'Wallet']) {
    await goWithin(page, '/market')
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  }
  await page.context().close()
})

/** One screen of each kind: forms, lists of the user, pages of the operator, public figures. */
const LOADS_AGAIN: ReadonlySet<string> = new Set([
  'languages',
  'wallet',
  'deposit',
  'withdraw',
  'withdrawalMethods',
  'transaction_history',
  'edit_profile',
  'security',
  'inbox',
  'informationPage',
  'fairness',
  'terms_of_use',
])

test('F29: a screen that was opened without a network loads by itself when the network is back', async ({
  browser,
  site,
}) => {
  const page = await openOffline(browser, site)
  const routes = EVERY_ROUTE.filter(({ name }) => LOADS_AGAIN.has(name))
  expect(routes).toHaveLength(LOADS_AGAIN.size)
  for (const { name, path } of routes) {
    await page.context().setOffline(true)
    await goWithin(page, path)
    await expect(page.getByText(SAYS_OFFLINE).first(), name).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByText(SAYS_OFFLINE), name).toHaveCount(0)
    await settle(page)
    await expect(page.getByRole('button', { name: 'Try again' }), name).toHaveCount(0)
    expect(await findFlaws(page), name).toEqual([])
  }
  await page.context().close()
})

const SAYS_OFFLINE = /^Reconnecting\.|^You are offline\.|^Offline\.|^No connection to the server\./

/** Screens whose heading differs from their title: the heading of the wallet is the name of its user. */
const OWN_HEADING: ReadonlySet<string> = new Set(['wallet'])

/** Opens the app of a busy user, loads the main screens in advance, and takes the network away. */
async function openOffline(browser: Browser, site: string): Promise<Page> {
  const page = await openBrowser(browser, FIRST_LOOK, await createBusyUser(site))
  await bringDemoKey(page, site)
  await page.goto(`${site}/market`)
  const isLoaded = () => page.evaluate(() => performance.getEntriesByName('main screens are loaded').length > 0)
  await expect.poll(isLoaded).toBe(true)
  await page.context().setOffline(true)
  await expect(page.getByText(SAYS_OFFLINE).first()).toBeVisible()
  return page
}

async function openBrowser(
  browser: Browser,
  { lang, size, text = '100%', windows: [viewport] }: Look,
  user: TestUser | null,
): Promise<Page> {
  const isPhone = size === 'phone'
  const context = await browser.newContext({ viewport, isMobile: isPhone, hasTouch: isPhone, reducedMotion: 'reduce' })
  await context.addInitScript(
    ({ language, session }) => {
      localStorage.setItem('lang', language)
      if (session !== null && localStorage.getItem('session') === null)
        localStorage.setItem('session', JSON.stringify(session))
      sessionStorage.setItem('visited', '1')
    },
    { language: lang, session: user?.session ?? null },
  )
  await context.addInitScript(watchShifts, text)
  return context.newPage()
}

/** Waits until everything requested has loaded. */
async function settle(page: Page, shows = 'body'): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator(shows).first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}
