import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { createUser, goWithin, openAs, openAsVisitor } from '../users.ts'

/** Network failures during the start of the app. None of them may leave an empty page. */

// Browsers report requests that fail in the console.
test.use({ allowedProblems: [/ERR_FAILED|ERR_INTERNET|ERR_ABORTED|dynamically imported module|Failed to fetch/] })

/**
 * Aborts requests to an address, either the first few or all. Returns a function that returns the number of requests.
 */
async function cutOff(page: Page, address: RegExp, times = Number.POSITIVE_INFINITY): Promise<() => number> {
  let requests = 0
  await page.route(address, (route) => {
    requests += 1
    return requests > times ? route.continue() : route.abort()
  })
  return () => requests
}

/** Leaves requests without a reply until the test ends. */
async function swallow(page: Page, address: RegExp): Promise<void> {
  await page.route(address, () => undefined)
}

test('a page retries scripts that fail to load', async ({ page, site }) => {
  await cutOff(page, /\/assets\/react-[^/]+\.js$/, 2)
  await cutOff(page, /\/assets\/index-[^/]+\.css$/, 1)
  await openAsVisitor(page, site, '/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveCSS('min-height', '52px')
})

test('a page shows an error while its scripts fail, and starts once they load', async ({ page, site }) => {
  await page.addInitScript(() => localStorage.setItem('lang', 'de'))
  await cutOff(page, /\/assets\/react-[^/]+\.js$/)
  await openAsVisitor(page, site, '/login')
  await expect(page.getByRole('alert')).toContainText('Keine Verbindung zum Server')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByLabel('Benutzername')).toBeVisible()
})

test('a page shows an error while scripts and styles hang, and starts once they load', async ({ page, site }) => {
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

test('the app starts although settings never load, and in English if texts never load', async ({ page, site }) => {
  await swallow(page, /\/general-setting$/)
  await openAsVisitor(page, site, '/login')
  await expect(page.getByLabel('Username')).toBeVisible()

  await page.evaluate(() => localStorage.setItem('lang', 'it'))
  await swallow(page, /\/assets\/it-[^/]+\.js$/)
  await page.reload()
  await expect(page.getByLabel('Username'), 'in English').toBeVisible()
})

test('F29: a screen that fails to load is retried, and opens once it loads', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/wallet')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const requests = await cutOff(page, /\/assets\/account-screen-[^/]+\.js$/, 2)
  const isLost = await cutOff(page, /\/assets\/options-screen-[^/]+\.js$/, 5)
  await goWithin(page, '/profile/options')
  await expect(page.getByText(/^This screen could not be loaded\./)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Options' }), 'with its header').toBeVisible()
  await expect(page.getByLabel('Display currency')).toBeVisible()
  expect(isLost()).toBe(6)

  await page.goto(`${site}/account`)
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  expect(requests()).toBe(3)
})

test('the market requests prices that fail to load again, then says that they are missing', async ({ page, site }) => {
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

for (const look of ['candles', 'heikin_ashi with an indicator', 'ticks'] as const) {
  test(`F29: a chart that was opened without a network loads by itself when the network is back: ${look}`, async ({
    page,
    site,
  }) => {
    const sma = { kind: 'sma', parameters: [20], source: 'close', colour: 1 }
    const desks = {
      candles: {},
      'heikin_ashi with an indicator': { type: 'heikin_ashi', indicators: [sma] },
      ticks: { ticks: 'every' },
    }
    await page.addInitScript(
      (desk) => localStorage.setItem('desk', JSON.stringify({ version: 1, ...desk })),
      desks[look],
    )
    await openAs(page, await createUser(site), site, '/market')
    const isLoaded = () => page.evaluate(() => performance.getEntriesByName('main screens are loaded').length > 0)
    await expect.poll(isLoaded).toBe(true)
    const ticks = page.locator('[data-part=ticks]')
    if (look === 'ticks') {
      // The code of the tick chart is loaded with the first tick chart, so the test opens one before the network fails.
      await page.getByRole('link', { name: 'Trade', exact: true }).click()
      await expect(ticks).toHaveAttribute('data-state', 'ready')
      await page.getByRole('link', { name: 'Market', exact: true }).click()
    }
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Trade', exact: true }).click()
    const failed = page.getByText('unable to load data, try again later', { exact: true })
    await expect(failed).toBeVisible()
    await page.context().setOffline(false)
    await expect(failed).toHaveCount(0)
    if (look === 'ticks') {
      await expect(ticks).toHaveAttribute('data-state', 'ready')
      return
    }
    const legend = page.locator('[data-part=legend]')
    await expect(legend).toHaveText(/O [\d,.]+/)
    if (look === 'candles') return
    await expect(legend).toHaveText(/SMA/)
    await expect(page.getByText(/^Averaged bars\./)).toBeVisible()
  })
}
