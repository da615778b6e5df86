import type { Browser, Page } from '@playwright/test'
import { createBusyUser, EVERY_ROUTE, FOR_VISITORS, NOT_FOR_USERS, routesFor } from './every-route.ts'
import { accessibilityFaults } from './accessibility-faults.ts'
import { findFlaws } from './find-flaws.ts'
import { findSqueezed } from './find-squeezed.ts'
import { expect, test, watchForProblems } from './fixtures.ts'
import { takePicture } from './take-picture.ts'
import { useTheme } from './theme.ts'
import { bringDemoKey, createUser, goWithin, type TestUser } from './users.ts'

/**
 * Opens every screen in every role and look, and reports flaws. With E2E_PICTURES set, the screenshots are in
 * test-results/walk.
 */
const LOOKS = [
  { lang: 'en', size: 'phone', viewport: { width: 390, height: 844 } },
  { lang: 'ar', size: 'phone', viewport: { width: 390, height: 844 } },
  { lang: 'en', size: 'desktop', viewport: { width: 1440, height: 900 } },
] as const
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
/** The last content to appear on screens that load in parts. */
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
  for (const look of LOOKS) {
    test(`no screen has a visible flaw for a ${role}, ${look.lang} on a ${look.size}`, async ({ browser, site }) => {
      const user = await createRole(site)
      const page = await openBrowser(browser, look, user)
      await bringDemoKey(page, site)
      const problems = watchForProblems(page)
      const flaws: Record<string, string[]> = {}
      for (const { name, path } of routesFor(user)) {
        const end = endsAt(name, path)
        // Redirects do not depend on the look. Screens that are the same for all roles are checked once per look.
        if (look !== LOOKS[0] && (end !== path || !looksAt(name))) continue
        // Loaded once: neither a look nor a redirect depends on how its screen was reached.
        if (page.url() === 'about:blank' || (end === path && look === LOOKS[0])) await page.goto(site + path)
        else await goWithin(page, path)
        await expect(page, name).toHaveURL(site + end)
        if (end !== path) continue
        await settle(page, SHOWS[`${name} ${look.size}`])
        const found = [...(await findFlaws(page)), ...problems.splice(0)]
        if (found.length > 0) flaws[path] = found
        for (const theme of process.env['E2E_PICTURES'] ? THEMES : []) {
          await useTheme(page, theme)
          await takePicture(page, `walk/${role}-${theme}-${look.lang}-${look.size}/${name}`)
        }
      }
      await page.context().close()
      expect(flaws).toEqual({})
    })
  }
}

/** Narrow layouts. */
const TIGHT = {
  // German has the longest words.
  'at twice the text size': { viewport: { width: 390, height: 844 }, lang: 'de', text: '200%' },
  'at 320 px': { viewport: { width: 320, height: 568 }, lang: 'en', text: '100%' },
  'in landscape': { viewport: { width: 844, height: 390 }, lang: 'en', text: '100%' },
  'in Arabic at 320 px': { viewport: { width: 320, height: 568 }, lang: 'ar', text: '100%' },
} as const
/** Layout shifts above this score are visible as a jump. */
const MAX_SHIFT = 0.02

for (const [where, look] of Object.entries(TIGHT)) {
  test(`F28: every screen holds its content ${where}`, async ({ browser, site }) => {
    const flaws: Record<string, string[]> = {}
    for (const user of [await createBusyUser(site), null]) {
      const page = await openBrowser(browser, { ...look, size: 'phone' }, user)
      await page.addInitScript(watchShifts, look.text)
      await bringDemoKey(page, site)
      // Screens that visitors and users share are checked once.
      const routes = routesFor(user).filter(({ name }) =>
        user === null ? NOT_FOR_USERS.has(name) : !NOT_FOR_USERS.has(name),
      )
      for (const { name, path } of routes) {
        if (page.url() === 'about:blank') await page.goto(site + path)
        else await goWithin(page, path)
        await settle(page, SHOWS[`${name} phone`])
        const { shift, moved } = await page.evaluate(() => globalThis.takeShift())
        const found = [
          ...(await findFlaws(page)),
          ...(await findSqueezed(page)),
          ...(await accessibilityFaults(page, 'all but colours')),
          ...(shift > MAX_SHIFT ? [`shifts by ${shift.toFixed(3)} ${moved.join(' | ')}`] : []),
        ]
        if (found.length > 0) flaws[path] = found
        await takePicture(page, `walk/tight-${where.replaceAll(' ', '-')}/${name}`)
      }
      await page.context().close()
    }
    expect(flaws).toEqual({})
  })
}

/**
 * Sums layout shifts without user input, and sets the text size as a reader would. The strip for a lost connection may
 * move the page, because it must be visible.
 */
function watchShifts(text: string): void {
  let shift = 0
  let moved: string[] = []
  let wasOffline = false
  // The strip may be gone again when the entries arrive.
  const strip = new MutationObserver(() => (wasOffline = true))
  strip.observe(document, { attributeFilter: ['data-offline'], subtree: true })
  // The toast announces an order that settled and lies over the page.
  const isOfToast = (node?: Node) =>
    (node instanceof Element ? node : node?.parentElement)?.closest('[data-toast]') instanceof Element
  const take = (entries: PerformanceEntryList): void => {
    const isOffline = document.querySelector('[data-offline]') !== null
    const isPushed = isOffline || wasOffline
    wasOffline = isOffline
    if (isPushed) return
    for (const entry of entries as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    })[])
      if (
        !entry.hadRecentInput &&
        (entry.sources.length === 0 || !entry.sources.every(({ node }) => isOfToast(node)))
      ) {
        shift += entry.value
        moved.push(
          ...entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
            const html = (node instanceof Element ? node : node?.parentElement)?.outerHTML ?? ''
            return `${html.slice(0, 80)} from ${from.x},${from.y} to ${to.x},${to.y}`
          }),
        )
      }
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  globalThis.takeShift = () => {
    take(observer.takeRecords())
    const before = { shift, moved }
    shift = 0
    moved = []
    return before
  }
  const setText = (): void => {
    if (document.documentElement === null) setTimeout(setText)
    else document.documentElement.style.fontSize = text
  }
  setText()
}

test('F29: without a network every screen keeps its header, and opens when the network is back', async ({
  browser,
  site,
}) => {
  const page = await openBrowser(browser, LOOKS[0], await createBusyUser(site))
  await bringDemoKey(page, site)
  await page.goto(`${site}/market`)
  const isLoaded = () => page.evaluate(() => performance.getEntriesByName('main screens are loaded').length > 0)
  await expect.poll(isLoaded).toBe(true)
  await page.context().setOffline(true)
  await expect(page.getByText(/^Reconnecting\.|^You are offline\./)).toBeVisible()

  const lost: string[] = []
  for (const { name, path } of EVERY_ROUTE.filter((route) => !NOT_FOR_USERS.has(route.name))) {
    await goWithin(page, path)
    await expect(page.getByRole('main'), name).toBeVisible()
    await expect(page.locator('header:visible'), name).toHaveCount(1)
    if ((await page.getByRole('main').innerText()).trim() === '') lost.push(name)
  }
  expect(lost, 'screens without text').toEqual([])
  for (const name of ['Trade', 'Wallet']) {
    await goWithin(page, '/market')
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  }

  await goWithin(page, '/languages')
  await expect(page.getByText(/^You are offline\. This screen opens/)).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'Deutsch' })).toBeVisible()
  await page.context().close()
})

interface BrowserLook {
  readonly lang: string
  readonly size: string
  readonly viewport: { readonly width: number; readonly height: number }
}

async function openBrowser(
  browser: Browser,
  { lang, size, viewport }: BrowserLook,
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
  return context.newPage()
}

/** Waits until everything requested has loaded. */
async function settle(page: Page, shows = 'body'): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator(shows).first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

declare global {
  /** Returns the layout shift since the last call. */
  var takeShift: () => { readonly shift: number; readonly moved: readonly string[] }
}
