import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { depositDemoFunds, joinAsNewcomer } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'

/**
 * A phone in the same house opens the address of a computer in it, without https: browsers keep some things from such a
 * page. This one also blocks all cookies and storage, as some users have it.
 */
test('F80: over plain http and without any storage money is paid in and an order is taken', async ({ page, site }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
    Reflect.deleteProperty(Crypto.prototype, 'subtle')
  })
  await blockStorage(page)
  await joinAsNewcomer(page, site)
  expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false)
  expect(await page.evaluate(() => navigator.cookieEnabled && document.cookie)).toBe(false)
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await depositDemoFunds(page, '1000')
  await expect(page.getByText('$1,000.00').first()).toBeVisible()

  // Without a load of the page, which would forget who is logged in.
  await page.getByRole('link', { name: /^Language/ }).click()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(page).toHaveURL(/\/market$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await page.getByRole('link', { name: /^Sprache/ }).click()
  await page.getByRole('button', { name: 'English' }).click()

  const trade = new TradePage(page)
  await trade.open('BTC')
  await trade.order('Buy', '100')
  await expect(trade.countdown).toContainText(/^0:[0-5]\d/)
})

/** As a browser does that blocks all cookies: every way to storage throws. */
async function blockStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const blocked = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const area of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(globalThis, area, { configurable: true, get: blocked })
    Object.defineProperty(Document.prototype, 'cookie', { configurable: true, get: blocked, set: blocked })
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { configurable: true, get: () => false })
  })
  // And the server's own are not sent back.
  await page.route('**/*', (route) => {
    const { cookie: _, ...headers } = route.request().headers()
    return route.continue({ headers })
  })
}
