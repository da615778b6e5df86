import type { Page } from '@playwright/test'
import ar from '#messages/ar.json' with { type: 'json' }
import de from '#messages/de.json' with { type: 'json' }
import { expect, test } from '../fixtures.ts'
import { createUser } from '../users.ts'

async function choose(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('link', { name: 'Language' }).first().click()
  await page.getByRole('button', { name }).click()
  await expect(page).toHaveURL(`${address}/`)
}

test.describe('Arabic', () => {
  // The server refuses the wrong password with 422, which browsers report.
  test.use({ allowedProblems: [/422/] })

  test("Arabic mirrors the app, stays chosen, and applies to the server's messages", async ({ page, site }) => {
    await choose(page, site, 'العربية')
    const html = page.locator('html')
    await expect(html).toHaveAttribute('dir', 'rtl')
    await expect(html).toHaveAttribute('lang', 'ar')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ar.home.headline)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ar.home.headline)
    await expect(html).toHaveAttribute('dir', 'rtl')

    // The layout is mirrored: a line begins on the right. Figures still run from left to right.
    await page.goto(`${site}/market`)
    const row = page.getByRole('listitem').filter({ hasText: 'BTC/USDT' }).first()
    const price = row.locator('.num').filter({ hasText: /^\d/ }).first()
    // A price re-renders with each tick, so the measurement may need another try.
    await expect(async () => {
      const name = await row.getByText('Bitcoin').boundingBox()
      expect(name?.x ?? 0).toBeGreaterThan((await price.boundingBox())?.x ?? Infinity)
    }).toPass()
    await expect(price).toHaveCSS('direction', 'ltr')
    await expect(price).toHaveText(/^[\d,]+\.\d{4}$/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await page.goto(`${site}/login`)
    await page.getByLabel(ar.login.username).fill('demo')
    await page.getByLabel(ar.login.password, { exact: true }).fill('not-this-one')
    await page.getByRole('button', { name: ar.login.submit }).click()
    await expect(page.getByText(ar.refusal.credentials_wrong)).toBeVisible()
  })
})

test('German has its own formats of dates and countries, but shows money as on receipts', async ({
  page,
  site: address,
}) => {
  const { username, password } = await createUser(address)
  await choose(page, address, 'Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.goto(`${address}/signup`)
  await expect(page.getByLabel(de.signup.country).getByRole('option', { name: 'Österreich (+43)' })).toBeAttached()

  await page.goto(`${address}/login`)
  await page.getByLabel(de.login.username).fill(username)
  await page.getByLabel(de.login.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: de.login.submit }).click()
  await expect(page).toHaveURL(/\/market$/)
  await page.goto(`${address}/deposit`)
  await page.getByRole('textbox', { name: de.deposit.amount }).fill('1234.5')
  await page.getByRole('button', { name: de.deposit.submit }).click()
  await expect(page).not.toHaveURL(/\/deposit$/)

  await page.goto(`${address}/history/deposit`)
  const day = new Intl.DateTimeFormat('de', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  await expect(
    page.getByText(new RegExp(`^(?:${day.format()}|${day.format(Date.now() - 60_000)}) [\\d:]{8} UTC$`)).first(),
  ).toBeVisible()
  await expect(page.getByText('+$1,234.50').first()).toBeVisible()
})
