import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { choose } from './choose.ts'
import { createBusyUser } from './every-route.ts'
import { expect, test } from './fixtures.ts'
import { logIn } from './pages/newcomer.ts'
import { TradePage } from './pages/trade-page.ts'
import { openAsStaff } from './staff.ts'

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url))
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1440, height: 900 } }

/** The tests wait 12 s before a picture, so that it shows a price that has moved. */
const A_WHILE_MS = 12_000

test.describe('on a phone', () => {
  test.use(PHONE)

  test('the market, an open order, its result, the wallet', async ({ page, site }) => {
    await signInAsDemo(page, site)
    await take(page, 'market')
    const trade = new TradePage(page)
    await trade.open('BTC')
    await trade.order('Buy', '100')
    await page.waitForTimeout(A_WHILE_MS)
    await take(page, 'trade')
    await expect(trade.verdict).toBeVisible()
    await expect(page.getByText('Next tick, not counted')).toBeVisible()
    await take(page, 'result')
  })

  test('the wallet in Arabic', async ({ page, site }) => {
    await signInAsDemo(page, site)
    await page.evaluate(() => localStorage.setItem('lang', 'ar'))
    await page.goto(`${site}/wallet`)
    await take(page, 'wallet-ar')
  })
})

test.describe('on a desktop', () => {
  test.use(DESKTOP)

  test('the trade screen with an open order', async ({ page, site }) => {
    await signInAsDemo(page, site)
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    await page.goto(`${site}/trade/ETH`)
    await choose(page.getByRole('radio', { name: /^5 min/ }))
    await page.getByRole('button', { name: /^(Buy|Sell) · \$/ }).click()
    await expect(page.getByRole('timer').first()).toBeVisible()
    await page.waitForTimeout(A_WHILE_MS)
    await take(page, 'desktop')
  })
})

test('the back office with pending withdrawals', async ({ browser, site }) => {
  for (let count = 0; count < 4; count += 1) await createBusyUser(site)
  const finance = await openAsStaff(browser, site, 'finance', '/withdrawals')
  await finance.page.getByRole('row').nth(1).click()
  await expect(finance.page.getByRole('button', { name: /^Approve/ })).toBeVisible()
  await take(finance.page, 'back-office')
  await finance.close()
})

async function signInAsDemo(page: Page, site: string): Promise<void> {
  await page.goto(site)
  await page.getByRole('link', { name: 'Log in' }).first().click()
  await logIn(page, { username: 'demo', password: 'demo1234' })
}

async function take(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${FOLDER}${name}.png` })
}
