import type { Page } from '@playwright/test'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { ChartPage } from '../pages/chart-page.ts'
import { takePicture } from '../take-picture.ts'
import { createUser, openAs } from '../users.ts'

const scrolled = (page: Page) => page.evaluate(() => globalThis.scrollY)

/** Moves a finger up on the chart by 200 px. */
async function swipeUp(page: Page): Promise<void> {
  const box = await new ChartPage(page).picture.boundingBox()
  if (box === null) throw new Error('the chart is missing')
  const session = await page.context().newCDPSession(page)
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height * 0.7)]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y - moved }] })
  // The test sends all touch events together, because a resting finger counts as a long press, which starts the
  // crosshair.
  const moves = [20, 60, 100, 140, 180, 200].map((moved) => () => touch('touchMove', moved))
  await Promise.all([touch('touchStart', 0), ...moves.map((move) => move()), touch('touchEnd', 200)])
}

test('a swipe that begins on the chart scrolls the page, unless a drawing tool is active', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await new ChartPage(page).ready()
  await swipeUp(page)
  await expect.poll(() => scrolled(page)).toBeGreaterThan(50)

  await page.evaluate(() => globalThis.scrollTo(0, 0))
  await page.getByRole('button', { name: 'Chart settings' }).click()
  const sheet = page.getByRole('dialog', { name: 'Chart settings' })
  await sheet.getByRole('tab', { name: 'Drawings' }).click()
  await sheet.getByRole('button', { name: 'Trend line' }).click()
  await expect(page.locator('[data-part=drawing-surface]')).toBeVisible()
  await swipeUp(page)
  expect(await scrolled(page)).toBe(0)
})

test('the chart describes itself in words, and goes to a date', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const chart = new ChartPage(page)
  await chart.ready()
  const words = page.getByRole('img', {
    name: /^BTC\/USDT, candles of 1m, [\d-]+ [\d:]+ to [\d-]+ [\d:]+ UTC: last [\d,.]+, change \S+%, high [\d,.]+, low [\d,.]+/,
  })
  await expect(words).toBeVisible()

  const sheet = page.getByRole('dialog', { name: 'Chart settings' })
  await page.getByRole('button', { name: 'Chart settings' }).click()
  await sheet.getByRole('tab', { name: 'Indicators' }).click()
  await sheet.getByRole('button', { name: 'Simple moving average' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('img', { name: /candles of 1m.*\. SMA 20 [\d,.]+$/ })).toBeVisible()

  await choose(page.getByRole('radio', { name: '1h', exact: true }))
  await chart.ready()
  await page.getByRole('button', { name: 'Chart settings' }).click()
  await sheet.getByRole('tab', { name: 'Type' }).click()
  const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  await sheet.getByLabel('Day, UTC').fill(day)
  await sheet.getByLabel('Time').fill('14:00')
  await takePicture(page, 'chart go to a date')
  await sheet.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(sheet).toHaveCount(0)
  await expect(chart.legend).toContainText(`${day.slice(5)} 14:00`)
  await expect(chart.toNewest).toBeVisible()
  await takePicture(page, 'chart at a date')
})
