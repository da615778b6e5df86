import type { Page, WebSocketRoute } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { countSteps, maxSlope, priceLine, watchStrokes, widestHole } from '../pages/drawn-line.ts'
import { RECONNECTING, TradePage } from '../pages/trade-page.ts'
import { TickWitness } from '../tick-witness.ts'
import { createUser, openAs } from '../users.ts'

// Browsers report in the console that a server does not reply.
test.use({ allowedProblems: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket connection/] })

/** Horizontal scale: 85 s, which is a minute with its margins, fill the 330 px of a phone, about 4 px per second. */
const PX_PER_SECOND = 330 / 85
const TICKS = '**/api/user/trade/*/ticks?*'

test('P16: after a reload the order line passes through all ticks since the entry', async ({ page, site }) => {
  const user = await createUser(site, { funds: 200 })
  const witness = await TickWitness.open(site, user.session.token, 'BTC')
  await watchStrokes(page)
  await openAs(page, user, site, '/trade/BTC')
  await new TradePage(page).order('Buy', '50')
  const from = Date.now()
  await pass(witness, 9_000)

  await page.reload()
  await page.getByRole('img', { name: /^Price of BTC\/USDT since/ }).waitFor()
  const before = witness.ticks.filter(({ timeMs }) => timeMs >= from && timeMs < from + 9_000)
  await expect.poll(async () => countSteps(await priceLine(page))).toBeGreaterThan(0.8 * before.length)
  await expect.poll(async () => widestHole(await priceLine(page)), 'no hole is left').toBeLessThan(PX_PER_SECOND)
  expect(maxSlope(await priceLine(page)), 'no slanted line between prices').toBeLessThan(1)
  witness.close()
})

test("P16: the order line has a gap for a phone's sleep until the ticks of that time arrive", async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 200 })
  const witness = await TickWitness.open(site, user.session.token, 'BTC')
  await watchStrokes(page)
  await openAs(page, user, site, '/trade/BTC')
  await new TradePage(page).order('Buy', '50')
  await expect.poll(async () => countSteps(await priceLine(page))).toBeGreaterThan(3)
  let isOut = true
  await page.route(TICKS, (route) => (isOut ? route.abort() : route.continue()))
  await sleepFor(page, 9_000)

  const gap = page.getByRole('img', { name: /Gaps in the line/ })
  await expect(gap).toBeVisible()
  await expect
    .poll(async () => widestHole(await priceLine(page)), 'the time asleep is a gap')
    .toBeGreaterThan(7 * PX_PER_SECOND)
  expect(maxSlope(await priceLine(page))).toBeLessThan(1)
  isOut = false
  // The page retries after 2 s, then after 4 s, and so on.
  await expect(gap).toHaveCount(0)
  await expect.poll(async () => widestHole(await priceLine(page)), 'the hole is filled').toBeLessThan(PX_PER_SECOND)
  expect(maxSlope(await priceLine(page))).toBeLessThan(1)
  witness.close()
})

test('P16: prices missed during a lost connection are drawn once the connection is back', async ({ page, site }) => {
  const user = await createUser(site, { funds: 200 })
  const witness = await TickWitness.open(site, user.session.token, 'BTC')
  await watchStrokes(page)
  const cable = await layCable(page)
  await openAs(page, user, site, '/trade/BTC')
  await new TradePage(page).order('Sell', '50')
  await expect.poll(async () => countSteps(await priceLine(page))).toBeGreaterThan(3)
  await cable.cut()
  await expect(page.getByText(RECONNECTING)).toBeVisible()
  await pass(witness, 6_000)
  cable.mend()
  await expect(page.getByText(RECONNECTING)).toHaveCount(0)
  await expect.poll(async () => widestHole(await priceLine(page))).toBeLessThan(PX_PER_SECOND)
  expect(maxSlope(await priceLine(page))).toBeLessThan(1)
  witness.close()
})

/** Waits while the source sends prices for a given time. */
async function pass(witness: TickWitness, ms: number): Promise<void> {
  const until = (witness.ticks.at(-1)?.timeMs ?? 0) + ms
  await expect.poll(() => witness.ticks.at(-1)?.timeMs ?? 0).toBeGreaterThan(until)
}

/** Simulates a phone whose browser is in the background: no code of the page runs. */
async function sleepFor(page: Page, ms: number): Promise<void> {
  await page.evaluate((forMs) => {
    const until = performance.now() + forMs
    while (performance.now() < until);
  }, ms)
}

/** Simulates a cable for the page's sockets and calls that a test can cut. */
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
