import { expect, test } from '../fixtures.ts'
import { depositDemoFunds, joinAsNewcomer } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'

/** A phone in the same house opens the address of a computer in it, without https: browsers keep some things from such a page. */
test('over plain http money is paid in and an order is taken', async ({ page, site }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
    Reflect.deleteProperty(Crypto.prototype, 'subtle')
  })
  await joinAsNewcomer(page, site)
  expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false)
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await depositDemoFunds(page, '1000')
  await expect(page.getByText('$1,000.00').first()).toBeVisible()
  const trade = new TradePage(page)
  await trade.open('BTC')
  await trade.order('Buy', '100')
  await expect(trade.countdown).toContainText(/^0:[0-5]\d/)
})
