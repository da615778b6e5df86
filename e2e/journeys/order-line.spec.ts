import type { Page, WebSocketRoute } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { countSteps, longestSlope, priceLine, watchStrokes, widestHole } from '../pages/drawn-line.ts'
import { TradePage } from '../pages/trade-page.ts'
import { TickWitness } from '../tick-witness.ts'
import { createUser, openAs } from '../users.ts'

// A browser says so itself when nobody answers.
test.use({ allowedProblems: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket connection/] })

/** A minute and what is drawn around it take a phone's width: four pixels a second. */
const PX_PER_SECOND = 330 / 85
const TICKS = '**/api/user/trade/*/ticks?*'

test('P16: after a reload the line since the entry goes through the ticks themselves', async ({ page, site }) => {
  const user = await createUser(site, { funds: 200 })
  const witness = await TickWitness.open(site, user.session.token, 'BTC')
  await watchStrokes(page)
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.order('Buy', '50')
  const from = Date.now()
  await page.waitForTimeout(9_000)

  await page.reload()
  await page.getByRole('img', { name: /^Price of BTC\/USDT since/ }).waitFor()
  await expect
    .poll(async () => countSteps(await priceLine(page)), { timeout: 20_000 })
    .toBeGreaterThan(0.8 * witness.ticks.filter(({ timeMs }) => timeMs >= from).length)
  const line = await priceLine(page)
  expect(longestSlope(line), 'no straight way from one price to another').toBeLessThan(1)
  expect(widestHole(line), 'no hole is left').toBeLessThan(PX_PER_SECOND)
  witness.close()
})

test('P16: what went by while the phone slept is a gap until its ticks have come', async ({ page, site }) => {
  const user = await createUser(site, { funds: 200 })
  await watchStrokes(page)
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.order('Buy', '50')
  await page.waitForTimeout(3_000)
  let isOut = true
  await page.route(TICKS, (route) => (isOut ? route.abort() : route.continue()))
  await sleepFor(page, 8_000)

  await expect
    .poll(async () => widestHole(await priceLine(page)), 'the time asleep is a gap')
    .toBeGreaterThan(5 * PX_PER_SECOND)
  expect(longestSlope(await priceLine(page))).toBeLessThan(1)
  isOut = false
  await expect
    .poll(async () => widestHole(await priceLine(page)), { message: 'and is filled', timeout: 40_000 })
    .toBeLessThan(PX_PER_SECOND)
  expect(longestSlope(await priceLine(page))).toBeLessThan(1)
})

test('P16: without a connection nothing is drawn, and all of it once it is back', async ({ page, site }) => {
  const user = await createUser(site, { funds: 200 })
  await watchStrokes(page)
  const cable = await layCable(page)
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.order('Sell', '50')
  await page.waitForTimeout(2_000)
  await cable.cut()
  await expect(page.getByText('Reconnecting. Orders keep running on the server.')).toBeVisible()
  await page.waitForTimeout(6_000)
  cable.mend()
  await expect(page.getByText('Reconnecting. Orders keep running on the server.')).toHaveCount(0, { timeout: 40_000 })
  await expect.poll(async () => widestHole(await priceLine(page)), { timeout: 20_000 }).toBeLessThan(PX_PER_SECOND)
  expect(longestSlope(await priceLine(page))).toBeLessThan(1)
})

/** As a phone does with a page that nobody looks at: nothing in it runs. */
async function sleepFor(page: Page, ms: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await page.waitForTimeout(ms)
  await session.send('Page.setWebLifecycleState', { state: 'active' })
}

/** The page's connection as a cable that a test can cut: sockets and calls. */
async function layCable(page: Page) {
  let isCut = false
  const open = new Set<WebSocketRoute>()
  await page.route('**/api/**', (route) => (isCut ? route.abort() : route.continue()))
  await page.routeWebSocket(/\/ws\//, (socket) => {
    if (isCut) {
      void socket.close({ code: 1012 })
      return
    }
    open.add(socket)
    socket.connectToServer()
  })
  return {
    async cut() {
      isCut = true
      await Promise.all([...open].map((socket) => socket.close({ code: 1012 })))
      open.clear()
    },
    mend() {
      isCut = false
    },
  }
}
