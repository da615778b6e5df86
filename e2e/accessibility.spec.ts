import type { Page } from '@playwright/test'
import { accessibilityFaults } from './accessibility-faults.ts'
import { expect, test } from './fixtures.ts'
import { TradePage } from './pages/trade-page.ts'
import { useTheme } from './theme.ts'
import { createUser, openAs } from './users.ts'

test('an order has no accessibility faults, from the form to the result', async ({ page, site }) => {
  await openAs(page, await createUser(site, { funds: 100 }), site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.fillIn('Buy', '1000')
  await expectAccessible(page, 'the form with an error')
  await trade.stake.fill('50')
  await expectAccessible(page, 'the form')
  await trade.submit.click()
  await expect(trade.countdown).toBeVisible()
  await expectAccessible(page, 'a running order')
  await expect(trade.verdict).toBeVisible()
  await expectAccessible(page, 'the result')
})

/** Checks the page in both themes. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await useTheme(page, 'light')
  expect(await accessibilityFaults(page), `${what}, light`).toEqual([])
  await useTheme(page, 'dark')
  expect(await accessibilityFaults(page, 'colours'), `${what}, dark`).toEqual([])
}
