import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { findFlaws } from '../find-flaws.ts'
import { createDeployments } from '../deployments.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, goWithin, openAs, openAsVisitor } from '../users.ts'

const OFFLINE = 'Offline. Prices and balances are not shown.'
/** Matches a price or an amount: digits with at least two decimals. */
const FIGURE = /\d[\d,]*\.\d{2,}/

test.use({
  serviceWorkers: 'allow',
  allowedProblems: [/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|broken|WebSocket connection/],
})

for (const lang of ['en', 'ar'])
  test(`browsers can install the demo in ${lang}: manifest and icons have no error`, async ({
    page,
    site,
    context,
  }) => {
    await context.addCookies([{ name: 'lang', value: lang, url: site }])
    await page.goto(site)
    const devtools = await context.newCDPSession(page)
    const { errors, data } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Fairwick demo', dir: lang === 'ar' ? 'rtl' : 'ltr' })
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // The browser reports only that the window has no profile on disk (`in-incognito`), which is so in all tests.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  })

test('without a network the app starts on every main screen, and shows neither a price nor a balance', async ({
  page,
  site,
  context,
}) => {
  const user = await createUser(site, { funds: 1234.56 })
  await openAs(page, user, site, '/market')
  await expect(page.getByText('1,234.56').first()).toBeVisible()
  await workerIsReady(page)
  await context.setOffline(true)
  for (const path of ['/market', '/trade/BTC', '/wallet', '/withdraw', '/account', '/check']) {
    await page.goto(site + path)
    await expect(page.getByText(OFFLINE), path).toBeVisible()
    await expect(page.locator('header').first(), path).toBeVisible()
    expect(await page.locator('body').innerText(), path).not.toMatch(FIGURE)
    await expect(page.getByRole('button', { name: /^(Buy|Sell)/ }), path).toHaveCount(0)
    expect(await findFlaws(page), path).toEqual([])
  }
  await page.goto(`${site}/market`)
  await context.setOffline(false)
  await expect(page.getByText(OFFLINE)).toHaveCount(0)
  await expect(page.getByText('1,234.56').first()).toBeVisible()
})

test('the files stored by the service worker contain no API reply, amount, name or token', async ({ page, site }) => {
  const user = await createUser(site, { funds: 4321.09 })
  await openAs(page, user, site, '/trade/BTC')
  await workerIsReady(page)
  await new TradePage(page).order('Buy', '50')
  for (const path of ['/wallet', '/market', '/history/deposit']) await page.goto(site + path)
  await expect(page.getByText(/4,\d\d\d\.\d\d/).first()).toBeVisible()
  const stored = await page.evaluate(async () => {
    const found: { path: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const text = (await (await cache.match(request))?.text()) ?? ''
        found.push({ path: new URL(request.url).pathname, text })
      }
    }
    return found
  })
  expect(stored.length).toBeGreaterThan(50)
  for (const { path, text } of stored) {
    expect(path).toMatch(/^\/(?:assets\/|app-shell$)/)
    for (const secret of [user.username, user.session.token, user.email, '4321.09', 'page-data'])
      expect(
        path === '/app-shell' || secret !== 'page-data' ? text.includes(secret) : false,
        `${secret} in ${path}`,
      ).toBe(false)
  }
  await page.goto(`${site}/admin/`)
  expect(await page.evaluate(async () => (await caches.match('/admin/')) === undefined)).toBe(true)
})

test('a new version starts only when the user starts it, and not while a form is changed', async ({ page, site }) => {
  const deployed = await createDeployments(site)
  const files: string[] = []
  page.on('response', (reply) => files.push(new URL(reply.url()).pathname))
  await openAsVisitor(page, deployed.address, '/login')
  await workerIsReady(page)
  await page.reload()
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

  deployed.replaceWorker((script) => `${script}\n// the next version`)
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  deployed.removeFiles(files.filter((path) => path.startsWith('/assets/')))
  // The page of the previous version keeps working with the files that its service worker has stored.
  await page.getByRole('textbox').first().fill('ada')
  await openMenu(page)
  const row = page.getByRole('button', { name: /New version ready/ })
  await row.click()
  await expect(page.getByText('Finish the open order or form first.')).toBeVisible()

  // The test loads no page here, because the new version starts by itself when a page loads for the first time.
  await page.keyboard.press('Escape')
  await goWithin(page, '/signup')
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await openMenu(page)
  const loaded = page.waitForEvent('load')
  await row.click()
  await loaded
  await openMenu(page)
  await expect(row).toHaveCount(0)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting)).toBeNull()
  await deployed.close()
})

test('a failing service worker leaves the site usable, and the kill switch removes the worker with its files', async ({
  page,
  site,
  startServer,
}) => {
  const deployed = await createDeployments(site)
  deployed.replaceWorker(() => 'throw new Error("broken")')
  await openAsVisitor(page, deployed.address, '/login')
  await expect(page.getByRole('textbox').first()).toBeVisible()

  deployed.replaceWorker(null)
  await page.reload()
  await workerIsReady(page)
  expect(await page.evaluate(() => caches.keys())).toContainEqual(expect.stringMatching(/^build-/))
  const without = await startServer({ FAIRWICK_WORKER: 'off' })
  deployed.moveTo(without.address)
  // A browser replaces a service worker only when idle, which can take some visits on a busy machine.
  await expect(async () => {
    await page.goto(`${deployed.address}/login`)
    const rest = () =>
      page.evaluate(async () => [await caches.keys(), await navigator.serviceWorker.getRegistrations()])
    await expect.poll(rest).toEqual([[], []])
  }).toPass()
  // The page of the old version may register the empty worker once more. This worker then removes itself again.
  await expect(async () => {
    await page.reload()
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  }).toPass()
  await deployed.close()
})

/** Waits until the worker answers this page's requests and has stored the app. */
async function workerIsReady(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

async function openMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Menu|Account menu)$/ })
    .first()
    .click()
}
