import type { Page } from '@playwright/test'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { ChartPage } from '../pages/chart-page.ts'
import { createUser, openAs } from '../users.ts'

/** Returns a list to which each later request of the page for candles is added, as text. */
function candleQuestions(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path.endsWith('/kline-historical')) requests.push(request.postData() ?? '')
    else if (path.startsWith('/api/candles/')) requests.push(path)
  })
  return requests
}

test('scrolling goes back for years without a jump, and requests no candle twice', async ({ page, site }) => {
  const requests = candleQuestions(page)
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const chart = new ChartPage(page)
  await choose(page.getByRole('radio', { name: '1d', exact: true }))
  await chart.ready()
  await chart.pointAt()
  const years = async () => (Date.now() - Date.parse((await chart.shownTime()).slice(0, 10))) / (365 * 86_400_000)
  await expect(async () => {
    await chart.scrollBack(2_500)
    await page.waitForTimeout(50)
    expect(await years()).toBeGreaterThan(3)
  }).toPass({ intervals: [50] })

  // The chart inserts pages of candles that are still loading beside the visible bars.
  const shown = await chart.shownTime()
  await page.waitForLoadState('networkidle')
  expect(await chart.shownTime()).toBe(shown)
  expect(new Set(requests).size, requests.join('\n')).toBe(requests.length)
  await expect(chart.legend).toContainText('from Simulation, not from our price log')

  await chart.toNewest.click()
  await page.mouse.move(5, 5)
  await expect(chart.toNewest).toHaveCount(0)
  await expect.poll(async () => (await chart.shownTime()).includes(new Date().toISOString().slice(0, 10))).toBe(true)
})

test('missed bars are filled in without moving the visible bars', async ({ page, site }) => {
  const requests = candleQuestions(page)
  let isShort = true
  // Simulates a page that was last loaded half an hour ago.
  await page.route('**/api/user/kline-historical', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: unknown[] }
    await route.fulfill({ response, json: isShort ? { ...body, data: body.data.slice(0, -30) } : body })
  })
  let mend = () => {}
  const whenRepaired = new Promise<void>((resolve) => {
    mend = resolve
  })
  await page.routeWebSocket(/@kline_/, async (socket) => {
    const server = socket.connectToServer()
    server.onMessage(async (message) => {
      await whenRepaired
      socket.send(message)
    })
  })
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const chart = new ChartPage(page)
  await chart.ready()
  await chart.pointAt()
  await expect(async () => {
    await chart.scrollBack(200)
    await expect(chart.toNewest).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const shown = await chart.shownTime()
  const before = requests.length
  isShort = false
  mend()
  await expect.poll(() => requests.length, 'the page requests the missed bars').toBe(before + 1)
  await page.waitForLoadState('networkidle')
  expect(await chart.shownTime(), 'the crosshair is on the same bar').toBe(shown)
  await chart.toNewest.click()
  await page.mouse.move(5, 5)
  // Evaluated at each check, because the ten minutes or the day may end between two checks.
  const now = () => new Date().toISOString().slice(5, 15).replace('T', ' ')
  await expect.poll(async () => (await chart.shownTime()).includes(now())).toBe(true)
  expect(requests).toHaveLength(before + 1)
})

test('the keyboard moves from bar to bar and announces each; the price is announced on request', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const chart = new ChartPage(page)
  await chart.ready()
  await chart.picture.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  const said = page.getByText(
    /^\d\d-\d\d \d\d:\d\d UTC: open [\d,.]+, high [\d,.]+, low [\d,.]+, close [\d,.]+, volume/,
  )
  await expect(said).toHaveCount(1)
  const text = (await said.textContent()) ?? ''
  await expect(chart.legend).toContainText(text.slice(0, 11))
  await page.keyboard.press('Escape')
  await expect(said).toHaveCount(0)
  const aloud = page.getByRole('button', { name: 'Read the price aloud' })
  await expect(aloud).toHaveAttribute('aria-pressed', 'false')
  await aloud.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^BTC\/USDT [\d,]+\.\d+$/)).toHaveCount(1)
})

test.describe('in a time zone far from Greenwich', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('the chart shows times in the time zone of the device, or in UTC if chosen', async ({ page, site }) => {
    await openAs(page, await createUser(site), site, '/trade/EURUSD')
    const chart = new ChartPage(page)
    await chart.ready()
    const zone = await page.evaluate(() => -new Date().getTimezoneOffset() / 60)
    await expect(page.getByTitle('Server time')).toContainText(`UTC−${-zone}`)
    // Scrolls the hourly chart back some months, to before the clock change, where the UTC offset differs.
    await choose(page.getByRole('radio', { name: '1h', exact: true }))
    await chart.ready()
    await chart.pointAt()
    const other = zone === -5 ? 'UTC−4' : 'UTC−5'
    await expect(async () => {
      await chart.scrollBack(2_500)
      await page.waitForTimeout(50)
      expect(await chart.shownTime()).toContain(other)
    }).toPass({ intervals: [50] })
    await page.getByRole('button', { name: 'Show as table' }).click()
    await expect(page.getByRole('columnheader', { name: `Time, UTC−${-zone}` })).toBeVisible()

    await page.goto(`${site}/profile/options`)
    await choose(page.getByRole('radio', { name: 'UTC', exact: true }))
    await page.goto(`${site}/trade/EURUSD`)
    await chart.ready()
    await expect(page.getByTitle('Server time')).toHaveText(/ UTC$/)
    await expect.poll(() => chart.shownTime()).toMatch(/ UTC$/)
  })
})
