import type { Page } from '@playwright/test'
import ar from '#messages/ar.json' with { type: 'json' }
import { LANGUAGES } from '#messages/languages.ts'
import { expect, test } from '../fixtures.ts'
import { takePicture } from '../take-picture.ts'
import { useTheme } from '../theme.ts'
import { createUser, openAs } from '../users.ts'

const handle = (page: Page) => page.locator('[data-part=alert-handle]')
const levelOf = async (page: Page) => Number(await handle(page).getAttribute('aria-valuenow'))

async function openChart(page: Page, site: string): Promise<void> {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(page.locator('[data-part=legend]')).toHaveText(/O [\d,.]+/)
}

/** Drags the handle of the alert line vertically. A positive number of pixels moves it down. */
async function drag(page: Page, pixels: number): Promise<void> {
  const box = await handle(page).boundingBox()
  if (box === null) throw new Error('no line is being placed')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + pixels, { steps: 5 })
  await page.mouse.up()
}

test('a user drags a line to a price, saves the alert, moves it on the chart and ends the alert in the list', async ({
  page,
  site,
}) => {
  await openChart(page, site)
  await page.getByRole('button', { name: 'Set a price alert' }).click()
  await expect(handle(page)).toBeVisible()
  const size = await handle(page).boundingBox()
  expect([size?.width, size?.height]).toEqual([44, 44])
  const before = await levelOf(page)
  await drag(page, -30)
  expect(await levelOf(page)).toBeGreaterThan(before)
  await expect(page.getByText(/^Alert at/)).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await useTheme(page, theme)
    await takePicture(page, `price alert on the chart ${theme}`)
  }
  const level = await levelOf(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Alert saved')).toBeVisible()
  await expect(handle(page)).toHaveCount(0)

  await page.goto(`${site}/alerts`)
  const list = page.getByRole('region', { name: 'BTC' })
  await expect(list.getByText(level.toLocaleString('en', { minimumFractionDigits: 2 }))).toBeVisible()
  await expect(list.getByText('Running')).toBeVisible()
  await takePicture(page, 'price alerts')
  await list.getByRole('button', { name: 'End' }).click()
  await expect(list.getByText('Ended')).toBeVisible()
})

test('a user moves an alert line by keyboard, and in Arabic drags it and types the price', async ({ page, site }) => {
  await openChart(page, site)
  await page.getByRole('button', { name: 'Set a price alert' }).press('Enter')
  await expect(handle(page)).toBeFocused()
  const before = await levelOf(page)
  await page.keyboard.press('PageUp')
  expect(await levelOf(page)).toBeCloseTo(before * 1.01, 1)
  await page.keyboard.press('ArrowDown')
  expect(await levelOf(page)).toBeCloseTo(before * 1.01 - 0.01, 1)
  await page.keyboard.press('Escape')
  await expect(handle(page)).toHaveCount(0)

  await page.goto(`${site}/languages`)
  await page.getByText(LANGUAGES.ar.name).click()
  await page.goto(`${site}/trade/BTC`)
  await page.getByRole('button', { name: ar.chart.alert }).click()
  await drag(page, -20)
  await takePicture(page, 'price alert on the chart ar')
  await page.getByRole('button', { name: ar.alerts.more }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(ar.alerts.level, { exact: true }).fill('999999')
  await takePicture(page, 'price alert sheet ar')
  await sheet.getByRole('button', { name: ar.alerts.save }).click()
  await expect(page.getByText(ar.alerts.saved)).toBeVisible()
  await page.goto(`${site}/alerts`)
  await expect(page.getByText('999,999.00')).toBeVisible()
})
