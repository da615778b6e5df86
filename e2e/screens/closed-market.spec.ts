import { expect, test } from '../fixtures.ts'
import { signInAsStaff } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

/** 1 s: the page counts down with the server's clock, whose time the page knows to a fraction of a second. */
const MAX_CLOCK_DIFFERENCE_MS = 1_000

test('F52: a market closes and opens on time, and open markets are one tap away', async ({
  page,
  browser,
  startServer,
}) => {
  const { address, admin } = await startServer()
  const office = await browser.newContext()
  await signInAsStaff(office, address, 'markets')
  await openAs(page, await createUser(address, { funds: 100 }), address, '/trade/BTC')
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: /^Buy/ })).toBeEnabled()

  // 20 s ahead, so that even on a busy machine the closure is planned and visible before it begins.
  const from = Date.now() + 20_000
  const to = from + 15_000
  const planned = await office.request.post(`${address}/api/admin/markets/closures/add`, {
    data: {
      market_type: 'crypto',
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      words: 'Maintenance of the engine',
    },
  })
  expect(planned.ok(), await planned.text()).toBe(true)
  await expect(main.getByText(/^closes in 0:[0-2]\d$/)).toBeVisible()

  await expect(main.getByText('market is closed')).toBeVisible()
  expect(Date.now(), 'closes on time').toBeGreaterThanOrEqual(from - MAX_CLOCK_DIFFERENCE_MS)
  await expect(main.getByText('Maintenance of the engine')).toBeVisible()
  await expect(main.getByText(/^opens in 0:[01]\d$/)).toBeVisible()
  await expect(main.getByRole('button', { name: /^Buy/ })).toBeEnabled()
  expect(Date.now(), 'reopens on time').toBeGreaterThanOrEqual(to - MAX_CLOCK_DIFFERENCE_MS)
  await office.close()

  // A market closed by hand shows the reason and no opening time. F52: an open form shows the reason above its fields.
  const form = page.getByRole('dialog')
  await main.getByRole('button', { name: /^Buy/ }).click()
  await expect(form.getByLabel('Stake')).toBeVisible()
  await admin('symbols', 'close', 'BTC', '--reason', 'A split of the coin')
  await expect(form.getByRole('alert')).toContainText('A split of the coin')
  await expect(form.getByRole('button', { name: /^Buy · / })).toBeDisabled()
  await page.goBack()
  await expect(form).toHaveCount(0)
  await expect(main.getByText(/A split of the coin/)).toBeVisible()
  await expect(main.getByText(/opens in/)).toHaveCount(0)
  const open = main.getByRole('region', { name: 'Open now' })
  await expect(open.getByRole('link').first()).toContainText(/[\d,]+\.\d+/)
  await open.getByRole('link', { name: /ETH/ }).click()
  await expect(page).toHaveURL(`${address}/trade/ETH`)
  await expect(main.getByRole('button', { name: /^Buy/ })).toBeEnabled()
  await admin('markets', 'close', 'crypto', '--reason', 'The exchange is down')
  await expect(main.getByText('The exchange is down')).toBeVisible()
  await page.getByRole('link', { name: 'Market', exact: true }).click()
  await expect(main.getByRole('status').filter({ hasText: 'market is closed' })).toContainText('The exchange is down')
  await admin('markets', 'open', 'crypto')
  await expect(main.getByRole('status').filter({ hasText: 'market is closed' })).toHaveCount(0)
})
