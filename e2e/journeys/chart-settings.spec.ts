import type { Page } from '@playwright/test'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { takePicture } from '../take-picture.ts'
import { useTheme } from '../theme.ts'
import { createUser, openAs } from '../users.ts'

const legend = (page: Page) => page.locator('[data-part=legend]')
const readings = (page: Page) => page.locator('[data-part=indicators]')

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chart settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Chart settings' })).toBeVisible()
}

async function chooseType(page: Page, name: string): Promise<void> {
  await openSettings(page)
  await choose(page.getByRole('radio', { name: new RegExp(`^${name}`) }))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('each type of chart is drawn in both themes, and is remembered', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  for (const name of ['Hollow candles', 'Bars', 'Line', 'Area', 'Heikin-Ashi']) {
    await chooseType(page, name)
    for (const theme of ['light', 'dark'] as const) {
      await useTheme(page, theme)
      await takePicture(page, `chart ${name} ${theme}`)
    }
  }
  const note = page.getByText('The last close here is not the price that settles.')
  await expect(note).toBeVisible()
  await expect(legend(page)).toContainText(/HA.*Price [\d,.]+.*O [\d,.]+/)
  await page.reload()
  await expect(note).toBeVisible()
  await chooseType(page, 'Candles')
  await expect(note).toHaveCount(0)
})

test('indicators are added, changed and removed by keyboard, and their code loads only when it is needed', async ({
  page,
  site,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((path) => /indicator-layer|chart-types|chart-settings/.test(path))).toEqual([])

  await page.getByRole('button', { name: 'Chart settings' }).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Chart settings' })
  await sheet.getByRole('tab', { name: 'Type' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(sheet.getByText('No indicators yet.')).toBeVisible()
  for (const name of ['Simple moving average', 'Bollinger Bands', 'Relative strength index']) {
    await sheet.getByRole('button', { name }).press('Enter')
  }
  await sheet.getByRole('group', { name: 'SMA 20' }).getByLabel('Bars').fill('1')
  await expect(sheet.getByText('From 2 to 400')).toBeVisible()
  await sheet.getByRole('group', { name: 'SMA 20' }).getByLabel('Bars').fill('50')
  await takePicture(page, 'chart indicators sheet')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Chart settings' })).toBeFocused()
  await expect(readings(page)).toHaveText(/SMA 50 [\d,.]+.*BOLL 20, 2 [\d,.]+ · [\d,.]+ · [\d,.]+.*RSI 14 [\d.]+/)
  expect(scripts.some((path) => path.includes('indicator-layer'))).toBe(true)
  await takePicture(page, 'chart with indicators')

  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('columnheader', { name: 'RSI 14' })).toBeVisible()
  await expect(
    page
      .getByRole('cell')
      .filter({ hasText: /^\d\d?\.\d\d$/ })
      .first(),
  ).toBeVisible()
  await takePicture(page, 'chart table with indicators')
  await page.getByRole('button', { name: 'Show as chart' }).click()

  await page.reload()
  await expect(readings(page)).toContainText('SMA 50')
  await openSettings(page)
  await sheet.getByRole('tab', { name: 'Indicators' }).click()
  await sheet.getByRole('button', { name: 'Remove SMA 50' }).click()
  await expect(sheet.getByRole('button', { name: 'Remove SMA 50' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(readings(page)).not.toContainText('SMA')
})

test('unreadable settings are replaced by the presets, with a single message', async ({ page, site }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('broken') !== null) return
    sessionStorage.setItem('broken', '1')
    localStorage.setItem('desk', '{"version":1,')
  })
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(page.getByText('Your chart settings could not be read.')).toBeVisible()
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
})

test('a second pane opens the large chart of a phone, and the small chart leads back to it', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  const sheet = page.getByRole('dialog', { name: 'Chart settings' })
  const isLarge = page.getByRole('button', { name: 'Exit full screen' })
  const leadsBack = page.getByRole('button', { name: 'Show more indicators in the large chart' })
  await openSettings(page)
  await sheet.getByRole('tab', { name: 'Indicators' }).click()
  await sheet.getByRole('button', { name: 'Relative strength index' }).click()
  const second = sheet.getByRole('button', { name: 'Average true range' })
  await expect(second).toContainText('Opens the large chart')
  await takePicture(page, 'chart second pane offered')
  await second.click()
  await expect(sheet).toHaveCount(0)
  await expect(isLarge).toBeVisible()
  await expect(readings(page)).toHaveText(/RSI 14 [\d.]+.*ATR 14 [\d.]+/)
  await takePicture(page, 'chart two panes large')

  await isLarge.click()
  await expect(readings(page)).not.toContainText('ATR')
  await takePicture(page, 'chart two panes small')
  await leadsBack.click()
  await expect(isLarge).toBeVisible()
  await expect(readings(page)).toContainText('ATR 14')
  await expect(leadsBack).toHaveCount(0)
})
