import type { Page, Request } from '@playwright/test'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { takePicture } from '../take-picture.ts'
import { useTheme } from '../theme.ts'
import { createUser, openAs } from '../users.ts'

const legend = (page: Page) => page.locator('[data-part=legend]')
const surface = (page: Page) => page.locator('[data-part=drawing-surface]')
const handles = (page: Page) => page.locator('[data-part=drawing-handle]')
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Chart settings' })

async function openDrawings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chart settings' }).click()
  await sheet(page).getByRole('tab', { name: 'Drawings' }).click()
}

async function takeTool(page: Page, name: string): Promise<void> {
  await openDrawings(page)
  await sheet(page).getByRole('button', { name }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(surface(page)).toBeVisible()
}

async function tap(page: Page, x: number, y: number): Promise<void> {
  const box = await surface(page).boundingBox()
  if (box === null) throw new Error('no tool is in use')
  await page.mouse.click(box.x + box.width * x, box.y + box.height * y)
}

/** Returns the texts of all drawings in the list. */
async function listed(page: Page): Promise<string[]> {
  await openDrawings(page)
  const fields = await sheet(page).getByRole('textbox').all()
  const texts = await Promise.all(fields.map((field) => field.inputValue()))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return texts
}

test('a drawing keeps its time and price on every interval and after a reload, and its code loads only when it is needed', async ({
  page,
  site,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((path) => /drawing-(layer|tab|store)/.test(path))).toEqual([])

  await takeTool(page, 'Trend line')
  await expect(page.getByText('Tap two points')).toBeVisible()
  expect(await surface(page).evaluate((element) => getComputedStyle(element).touchAction)).toBe('none')
  await tap(page, 0.3, 0.3)
  await tap(page, 0.6, 0.5)
  await expect(handles(page)).toHaveCount(3)
  await expect(surface(page)).toHaveCount(0)
  await takeTool(page, 'Horizontal line')
  await tap(page, 0.5, 0.4)
  await expect(handles(page)).toHaveCount(1)
  for (const theme of ['light', 'dark'] as const) {
    await useTheme(page, theme)
    await takePicture(page, `chart drawings ${theme}`)
  }

  const drawn = await listed(page)
  expect(drawn).toHaveLength(5)
  await page.getByRole('radio', { name: '1h' }).click()
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  expect(await listed(page)).toEqual(drawn)
  await page.reload()
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  expect(await listed(page)).toEqual(drawn)
})

test('drawings are made, changed and deleted by keyboard alone', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  await openDrawings(page)
  await sheet(page).getByRole('button', { name: 'Horizontal line' }).press('Enter')
  await page.getByRole('button', { name: 'Place in the middle' }).press('Enter')
  await expect(handles(page)).toHaveCount(1)

  await openDrawings(page)
  const price = sheet(page).getByLabel('Price', { exact: true })
  await price.fill('<img onerror>')
  await expect(sheet(page).getByText(/^Enter a price with at most/)).toBeVisible()
  await price.fill('12345.5')
  await takePicture(page, 'chart drawings sheet')
  await expect(sheet(page).getByRole('group', { name: /^Horizontal line 12,345\.5/ })).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Remove Horizontal line' }).press('Enter')
  await expect(sheet(page).getByText('No drawings on this market yet.')).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await sheet(page).getByRole('button', { name: 'Delete all' }).press('Enter')
  await sheet(page).getByRole('alert').getByRole('button', { name: 'Delete all' }).press('Enter')
  await expect(sheet(page).getByText('No drawings on this market yet.')).toBeVisible()

  await sheet(page).getByRole('button', { name: 'Trend line' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(surface(page)).toHaveCount(0)
})

test('a drawing and the type of the chart appear on another device of the same user', async ({
  page,
  site,
  browser,
}) => {
  const user = await createUser(site)
  const isRead = (request: Request) => request.url().endsWith('/user/drawings/BTC') && request.method() === 'GET'
  const looked = page.waitForResponse((reply) => isRead(reply.request()))
  await openAs(page, user, site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  await looked
  // The user draws while the first request for the account's drawings is under way, as on a slow network.
  let isDrawn = () => {}
  const drawing = new Promise<void>((resolve) => {
    isDrawn = resolve
  })
  let reads = 0
  await page.route('**/user/drawings/BTC', async (route) => {
    if (isRead(route.request()) && ++reads === 1) await drawing
    await route.continue()
  })
  const first = page.waitForRequest(isRead)
  await takeTool(page, 'Horizontal line')
  await first
  const stored = page.waitForResponse(
    (reply) => reply.url().endsWith('/user/drawings/BTC') && reply.request().method() === 'POST',
  )
  await tap(page, 0.5, 0.4)
  await expect(handles(page)).toHaveCount(1)
  // Two seconds after the change the device reads again what it has just stored.
  const again = stored.then(() => page.waitForResponse((reply) => isRead(reply.request())))
  isDrawn()
  expect((await stored).status()).toBe(200)
  await (await again).finished()
  await page.getByRole('button', { name: 'Chart settings' }).click()
  await sheet(page).getByRole('tab').first().click()
  const settings = page.waitForResponse(
    (reply) => reply.url().endsWith('/user/desk') && reply.request().method() === 'POST',
  )
  await choose(sheet(page).getByRole('radio', { name: /^Bars/ }))
  expect((await settings).status()).toBe(200)
  await page.keyboard.press('Escape')
  const drawn = await listed(page)

  const other = await (await browser.newContext()).newPage()
  await openAs(other, user, site, '/trade/BTC')
  await expect.poll(() => listed(other)).toEqual(drawn)
  await other.getByRole('button', { name: 'Chart settings' }).click()
  await sheet(other).getByRole('tab').first().click()
  await expect(sheet(other).getByRole('radio', { name: /^Bars/ })).toBeChecked()

  const deleted = other.waitForResponse(
    (reply) => reply.url().endsWith('/user/drawings/BTC') && reply.request().method() === 'POST',
  )
  await sheet(other).getByRole('tab', { name: 'Drawings' }).click()
  await sheet(other).getByRole('button', { name: 'Remove Horizontal line' }).click()
  expect((await deleted).status()).toBe(200)
  await expect(sheet(other).getByText('No drawings on this market yet.')).toBeVisible()
  await page.reload()
  await expect.poll(() => listed(page)).toEqual([])
})
