import type { Browser, Page } from '@playwright/test'
import { createBusyUser, EVERY_ROUTE, FOR_VISITORS, NOT_FOR_USERS } from './every-route.ts'
import { findFlaws } from './find-flaws.ts'
import { expect, test, watchForProblems } from './fixtures.ts'
import { takePicture } from './take-picture.ts'
import { useTheme } from './theme.ts'
import { bringDemoKey, createUser, goWithin, type TestUser } from './users.ts'

/**
 * Opens every screen as everybody, in every look, and complains of what nobody wants to see. With
 * E2E_PICTURES set its pictures are in test-results/walk.
 */
const LOOKS = [
  { lang: 'en', size: 'phone', viewport: { width: 390, height: 844 } },
  { lang: 'ar', size: 'phone', viewport: { width: 390, height: 844 } },
  { lang: 'en', size: 'desktop', viewport: { width: 1440, height: 900 } },
] as const
type Look = (typeof LOOKS)[number]
const THEMES = ['light', 'dark'] as const
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
const STANDING: ReadonlySet<string> = new Set(['verification', 'outbox', 'check', 'not_found'])

for (const [role, { user: createRole, endsAt }] of Object.entries(ROLES)) {
  for (const look of LOOKS) {
    test(`every screen is sound for a ${role}, ${look.lang} on a ${look.size}`, async ({ browser, site }) => {
      test.setTimeout(240_000)
      const page = await openBrowser(browser, look, await createRole(site))
      await bringDemoKey(page, site)
      const problems = watchForProblems(page)
      const flaws: Record<string, string[]> = {}
      for (const { name, path } of EVERY_ROUTE) {
        const end = endsAt(name, path)
        // That somebody is sent elsewhere does not depend on the look.
        if (end !== path && look !== LOOKS[0]) continue
        // Loaded once; a look does not depend on how its screen was reached, nor where somebody is sent.
        if (page.url() === 'about:blank' || (end === path && look === LOOKS[0])) await page.goto(site + path)
        else await goWithin(page, path)
        await expect(page, name).toHaveURL(site + end)
        for (const theme of end === path ? THEMES : []) {
          await settle(page, SHOWS[`${name} ${look.size}`])
          await useTheme(page, theme)
          const found = [...(await findFlaws(page)), ...problems.splice(0)]
          if (found.length > 0) flaws[`${theme} ${path}`] = found
          await takePicture(page, `walk/${role}-${theme}-${look.lang}-${look.size}/${name}`)
        }
      }
      await page.context().close()
      expect(flaws).toEqual({})
    })
  }
}

async function openBrowser(browser: Browser, { lang, size, viewport }: Look, user: TestUser | null): Promise<Page> {
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

/** Until everything that was asked for is there. */
async function settle(page: Page, shows = 'body'): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator(shows).first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}
