import { expect, test } from '../fixtures.ts'
import { joinAsNewcomer } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'

test('F87: in Firefox a newcomer signs up, trades and checks the result', async ({ page, site }) => {
  await joinAsNewcomer(page, site)
  expect(await page.evaluate(() => navigator.userAgent)).toContain('Firefox/')
  await page.getByRole('button', { name: 'Get $1,000.00 in demo funds' }).click()
  await expect(page.getByRole('button', { name: /demo funds$/ })).toHaveCount(0)

  const trade = new TradePage(page)
  await trade.open('BTC')
  await trade.order('Buy', '100')
  await expect(trade.verdict).toBeVisible()

  await page.getByRole('link', { name: /^Check this result/ }).click()
  await expect(page).toHaveURL(/\/check\//)
  await expect(page.getByRole('status').filter({ hasText: 'Matches the stored result' })).toBeVisible()
})
