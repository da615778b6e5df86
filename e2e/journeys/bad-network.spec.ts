import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { createUser, goWithin, openAs, openAsVisitor } from '../users.ts'

/** What a network can do to the app while it starts: none of it may leave an empty page. */

// The browser says so itself when something could not be fetched.
test.use({ allowedProblems: [/ERR_FAILED|ERR_INTERNET|ERR_ABORTED|dynamically imported module|Failed to fetch/] })

/** Cuts off what is asked for at such an address, the first few times or always; answers how often it was asked for. */
async function cutOff(page: Page, address: RegExp, times = Number.POSITIVE_INFINITY): Promise<() => number> {
  let asked = 0
  await page.route(address, (route) => {
    asked += 1
    return asked > times ? route.continue() : route.abort()
  })
  return () => asked
}

/** Neither answers nor refuses, until the test is over. */
async function swallow(page: Page, address: RegExp): Promise<void> {
  await page.route(address, () => undefined)
}

test('a page whose scripts are cut off tries them again by itself', async ({ page, site }) => {
  await cutOff(page, /\/assets\/react-[^/]+\.js$/, 2)
  await cutOff(page, /\/assets\/index-[^/]+\.css$/, 1)
  await openAsVisitor(page, site, '/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveCSS('min-height', '52px')
})

test('a page whose scripts do not come says so, and starts once they do', async ({ page, site }) => {
  await page.addInitScript(() => localStorage.setItem('lang', 'de'))
  await cutOff(page, /\/assets\/react-[^/]+\.js$/)
  await openAsVisitor(page, site, '/login')
  await expect(page.getByRole('alert')).toContainText('Keine Verbindung zum Server')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByLabel('Benutzername')).toBeVisible()
})

test('a page whose scripts and styles hang says so too, and starts when they come after all', async ({
  page,
  site,
}) => {
  await page.clock.install()
  await swallow(page, /\/assets\/[^/]+\.(?:js|css)$/)
  await page.goto(site, { waitUntil: 'commit' })
  await expect(page.locator('.frame-mark'), 'F35: the mark is there before all of them').toBeVisible()
  await page.clock.runFor(10_000)
  await expect(page.getByRole('alert')).toContainText('No connection to the server')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByRole('link', { name: 'Create account' }).first()).toBeVisible()
})

test('settings and texts that never come keep nobody waiting', async ({ page, site }) => {
  await swallow(page, /\/general-setting$/)
  await openAsVisitor(page, site, '/login')
  await expect(page.getByLabel('Username')).toBeVisible()

  await page.evaluate(() => localStorage.setItem('lang', 'it'))
  await swallow(page, /\/assets\/it-[^/]+\.js$/)
  await page.reload()
  await expect(page.getByLabel('Username'), 'in English').toBeVisible()
})

test('F29: a screen that is cut off is fetched again, and one that stays away opens when it comes after all', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/wallet')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const asked = await cutOff(page, /\/assets\/account-screen-[^/]+\.js$/, 2)
  const isLost = await cutOff(page, /\/assets\/options-screen-[^/]+\.js$/, 5)
  await goWithin(page, '/profile/options')
  await expect(page.getByText(/^This screen could not be loaded\./)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Options' }), 'with its header').toBeVisible()
  await expect(page.getByLabel('Display currency')).toBeVisible()
  expect(isLost()).toBe(6)

  await page.goto(`${site}/account`)
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  expect(asked()).toBe(3)
})

test('figures that never come are asked for again, then told to be missing', async ({ page, site }) => {
  await page.clock.install()
  await swallow(page, /\/crypto-currency\/list$/)
  await openAsVisitor(page, site, '/market')
  await expect(page.getByRole('main')).toBeVisible()
  const failed = page.getByText('unable to load data, try again later')
  await expect(async () => {
    await page.clock.runFor(10_000)
    await expect(failed).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('BTC/USDT').first()).toBeVisible()
})
