import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { depositDemoFunds, joinAsNewcomer } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'

/**
 * Browsers withhold some functions from pages over plain HTTP, for example when a phone opens the address of a computer
 * in the same network. This browser also blocks all cookies and storage, as some users configure it.
 */
test('NV12, F80: over plain HTTP and without storage, users can deposit and trade', async ({ page, site }) => {
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

  // No page load, because that would lose the session.
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

/** Blocks storage like a browser that blocks all cookies: every access throws. */
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
  // A browser that blocks cookies does not send the server's cookies back either.
  await page.route('**/*', (route) => {
    const { cookie: _, ...headers } = route.request().headers()
    return route.continue({ headers })
  })
}
