import type { Browser, Page } from '@playwright/test'
import { createBusyUser, EVERY_ROUTE, FOR_VISITORS, NOT_FOR_USERS } from './every-route.ts'
import { findFlaws } from './find-flaws.ts'
import { expect, test, watchForProblems } from './fixtures.ts'
import { createUser, type TestUser } from './users.ts'

/**
 * Opens every screen as everybody, in every look, and complains of what nobody wants to see. The pictures are kept in
 * test-results/walk.
 */
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const LOOKS = [
  { theme: 'light', lang: 'en', size: 'phone', viewport: PHONE },
  { theme: 'dark', lang: 'en', size: 'phone', viewport: PHONE },
  { theme: 'light', lang: 'ar', size: 'phone', viewport: PHONE },
  { theme: 'dark', lang: 'ar', size: 'phone', viewport: PHONE },
  { theme: 'light', lang: 'en', size: 'desktop', viewport: DESKTOP },
  { theme: 'dark', lang: 'en', size: 'desktop', viewport: DESKTOP },
] as const
type Look = (typeof LOOKS)[number]
const ROLES = {
  visitor: {
    user: () => null,
    endsAt: (name: string, path: string) => (FOR_VISITORS.has(name) ? path : '/login'),
  },
  unverified: {
    user: (site: string) => createUser(site, { verified: false }),
    endsAt: (name: string, path: string) => (STANDING.has(name) ? path : '/profile/verification'),
  },
  user: {
    user: createBusyUser,
    endsAt: (name: string, path: string) => (NOT_FOR_USERS.has(name) ? '/market' : path),
  },
}
/** What comes last on screens that load in parts. */
const SHOWS: Readonly<Record<string, string>> = {
  'trade phone': 'canvas',
  'trade desktop': 'form',
  'test phone': 'canvas',
  'test desktop': 'canvas',
}

/** Where nobody is sent away from. */
const STANDING: ReadonlySet<string> = new Set(['verification', 'outbox', 'not_found'])

for (const [role, { user: createRole, endsAt }] of Object.entries(ROLES)) {
  test(`every screen is sound for a ${role}`, async ({ browser, site }) => {
    test.setTimeout(400_000)
    const user = await createRole(site)
    const flaws: Record<string, string[]> = {}
    for (const [at, look] of LOOKS.entries()) {
      const page = await openBrowser(browser, look, user)
      const problems = watchForProblems(page)
      const where = `${role}-${look.theme}-${look.lang}-${look.size}`
      for (const { name, path } of EVERY_ROUTE) {
        const end = endsAt(name, path)
        // That somebody is sent elsewhere does not depend on the look.
        if (end !== path && at > 0) continue
        await page.goto(site + path)
        await expect(page, `${where} ${name}`).toHaveURL(site + end)
        await settle(page, end === path ? SHOWS[`${name} ${look.size}`] : undefined)
        const found = [...(await findFlaws(page)), ...problems.splice(0)]
        if (found.length > 0) flaws[`${where} ${path}`] = found
        if (end === path) await page.screenshot({ path: `test-results/walk/${where}/${name}.png` })
      }
      await page.context().close()
    }
    expect(flaws).toEqual({})
  })
}

async function openBrowser(
  browser: Browser,
  { theme, lang, size, viewport }: Look,
  user: TestUser | null,
): Promise<Page> {
  const isPhone = size === 'phone'
  const context = await browser.newContext({ viewport, isMobile: isPhone, hasTouch: isPhone, reducedMotion: 'reduce' })
  await context.addInitScript(
    ({ stored, session }) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
      if (session !== null && localStorage.getItem('session') === null)
        localStorage.setItem('session', JSON.stringify(session))
      sessionStorage.setItem('visited', '1')
    },
    { stored: { theme, lang }, session: user?.session ?? null },
  )
  return context.newPage()
}

/** Until everything that was asked for is there. */
async function settle(page: Page, shows = 'body'): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator(shows).first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}
