import { expect, test } from '../fixtures.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, goWithin, openAs } from '../users.ts'

/** Layers and modes of a screen, which Back closes before it leaves the screen. */

test('F23: Back closes a sheet, a picker and the full-screen chart before it leaves the screen', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site, { funds: 100 }), site, '/market')
  const trade = new TradePage(page)
  await trade.open('BTC')
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: /Choose a symbol/ }).click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(trade.stake).toBeVisible()
  await page.goBack()
  await expect(trade.stake).toHaveCount(0)
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  await page.getByRole('button', { name: 'Full-screen chart' }).click()
  await expect(page.getByRole('button', { name: 'Exit full screen' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Full-screen chart' })).toBeVisible()
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  // A layer that the user closed without Back leaves no history entry, so one Back leaves the screen.
  await page.getByRole('button', { name: /^Sell/ }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(trade.stake).toHaveCount(0)
  await page.getByRole('button', { name: /Choose a symbol/ }).click()
  await dialog.getByRole('link', { name: /ETH/ }).click()
  await expect(page).toHaveURL(/\/trade\/ETH$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/trade\/BTC$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/market$/)

  // Back closes a layer first on other screens too.
  await goWithin(page, '/wallet')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/wallet$/)
  await goWithin(page, '/deposit')
  await page.getByRole('button', { name: /gateway/i }).click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/deposit$/)
})

test('F23: Back ends every mode of the chart before it leaves the screen', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/market')
  const trade = new TradePage(page)
  await trade.open('BTC')
  const legend = page.locator('[data-part=legend]')
  await expect(legend).toHaveText(/O [\d,.]+/)
  const surface = page.locator('[data-part=drawing-surface]')
  const handles = page.locator('[data-part=drawing-handle]')
  const line = page.locator('[data-part=alert-handle]')
  const takeTool = async () => {
    await page.getByRole('button', { name: 'Chart settings' }).click()
    const sheet = page.getByRole('dialog', { name: 'Chart settings' })
    await sheet.getByRole('tab', { name: 'Drawings' }).click()
    await sheet.getByRole('button', { name: 'Horizontal line' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(surface).toBeVisible()
  }

  await page.getByRole('button', { name: 'Set a price alert' }).click()
  await expect(line).toBeVisible()
  await page.goBack()
  await expect(line).toHaveCount(0)
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  // In the large chart Back ends the mode first, then the large chart.
  await page.getByRole('button', { name: 'Full-screen chart' }).click()
  await page.getByRole('button', { name: 'Set a price alert' }).click()
  await expect(line).toBeVisible()
  await page.goBack()
  await expect(line).toHaveCount(0)
  await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Full-screen chart' }).waitFor()
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  await takeTool()
  await page.goBack()
  await expect(surface).toHaveCount(0)
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  // The chart selects a new drawing at once. This mode reuses the history entry of the drawing tool.
  await takeTool()
  await surface.click()
  await expect(handles).toHaveCount(1)
  await page.goBack()
  await expect(handles).toHaveCount(0)
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('button', { name: 'Show as chart' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Show as table' }).waitFor()
  await expect(page).toHaveURL(/\/trade\/BTC$/)

  // None of the modes left a history entry.
  await page.getByRole('button', { name: 'Set a price alert' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(line).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/market$/)
})
