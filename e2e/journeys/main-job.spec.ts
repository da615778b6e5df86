import type { OwnTrade, TickOut } from '#contract/trades.ts'
import { get } from '#test/support/app-client.ts'
import { expect, test } from '../fixtures.ts'
import { joinAsNewcomer, Taps } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'
import { storedToken } from '../users.ts'
import { TickWitness } from '../tick-witness.ts'

test.use({ reducedMotion: 'no-preference' })

const STAKE = 100

interface DecidingTicks {
  entry: TickOut
  exit: TickOut
  next: TickOut
}

test('SC13, SC33: a newcomer signs up, deposits, trades, and sees the result that the prices give', async ({
  page,
  site,
}) => {
  const startedAt = performance.now()

  // From here to the settled order, the test only taps and types.
  const taps = new Taps()
  await joinAsNewcomer(page, site, { taps })
  await taps.press(page.getByRole('button', { name: 'Get $1,000.00 in demo funds' }))
  await expect(page.getByRole('button', { name: /demo funds$/ })).toHaveCount(0)

  const token = await storedToken(page)
  const witness = await TickWitness.open(site, token, 'BTC')
  const trade = new TradePage(page)
  await taps.press(trade.row('BTC'))
  await expect(page).toHaveURL(/\/trade\/BTC$/)
  await taps.press(page.getByRole('button', { name: /^Buy/ }))
  await expect(trade.submit).toBeEnabled()
  await trade.stake.fill(String(STAKE))
  await taps.press(trade.submit)
  expect(taps.count, 'from home to the first order').toBeLessThanOrEqual(14)
  await expect(trade.countdown).toContainText(/^0:[0-5]\d/)
  await expect(trade.verdict).toBeVisible()
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(`From home to the first settled order of one minute: ${taps.count} taps, ${seconds} s without typing.`)

  const { trades } = (await get(site, '/user/trade-log/recent', token)) as { trades: OwnTrade[] }
  const order = trades[0]
  if (order === undefined) throw new Error("the order is not among the user's trades")
  const decidingTicks = async () => {
    const { ticks } = (await get(site, `/user/trade/${order.id}`, token)) as { ticks: DecidingTicks }
    return ticks
  }
  await expect.poll(async () => (await decidingTicks()).next).not.toBeNull()
  const ticks = await decidingTicks()
  witness.close()

  // The server names the ticks that decided the result. The witness received the same ticks, and no later tick before
  // the expiry.
  const expiry = Date.parse(order.expires_at)
  expect(expiry - Date.parse(order.opened_at)).toBe(60_000)
  expect(witness.at(ticks.entry.q)).toMatchObject({ price: order.price_was, timeMs: ticks.entry.time_ms })
  const exit = witness.lastUntil(expiry)
  expect(ticks.exit).toMatchObject({ q: exit?.place, price: exit?.price, time_ms: exit?.timeMs })
  expect(ticks.next.time_ms).toBeGreaterThan(expiry)
  expect(order.post_trade_price).toBe(exit?.price)

  const expected = judge(order.price_was, exit?.price ?? Number.NaN)
  expect([order.result, order.result_amount]).toEqual([expected.result, expected.change])
  const balance = 1000 + expected.change

  // The screen shows the result as computed here.
  const panel = page.getByRole('main')
  await expect(trade.verdict).toHaveText(expected.words)
  await expect(panel.getByText(signed(expected.change), { exact: true }).first()).toBeVisible()
  await expect(panel.getByText(`Buy BTC/USDT · 1 min · stake ${dollars(STAKE)}`)).toBeVisible()
  await expect(panel.getByText(dollars(balance), { exact: true })).toBeVisible()
  const rail = panel.getByRole('listitem')
  await expect(rail.filter({ hasText: 'Entry' })).toContainText(price(order.price_was))
  await expect(rail.filter({ hasText: 'Exit, last tick before expiry' })).toContainText(price(ticks.exit.price))
  await expect(rail.filter({ hasText: 'Next tick, not counted' })).toContainText(price(ticks.next.price))

  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: /^Buy/ })).toBeEnabled()
  await page.getByRole('tab', { name: 'Own' }).click()
  const own = page.getByRole('tabpanel').getByRole('listitem')
  await expect(own).toHaveCount(1)
  await expect(own).toContainText(signed(expected.change))

  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await expect(panel.getByText(dollars(balance)).first()).toBeVisible()
  await panel.getByRole('link', { name: /^Transaction/ }).click()
  await expect(page.getByRole('tab', { name: 'Pending' })).toHaveAttribute('aria-selected', 'true')
  await expect(panel.getByText('No open orders.')).toBeVisible()
  await page.getByRole('tab', { name: 'Closed' }).click()
  await expect(panel.getByText(expected.listed, { exact: true })).toHaveCount(1)
  await expect(panel.getByText(signed(expected.change), { exact: true })).toBeVisible()
})

/** Computes the result of a buy order with a stake of 100 and a payout of 80 %, independently of the product's code. */
function judge(entry: number, exit: number) {
  if (exit > entry) return { result: 1, change: 80, words: 'You won', listed: 'Won' }
  if (exit < entry) return { result: 2, change: -100, words: 'You lose', listed: 'Lost' }
  return { result: 3, change: 0, words: 'Draw', listed: 'Draw' }
}

function dollars(amount: number): string {
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2 })}`
}

function signed(amount: number): string {
  return (amount > 0 ? '+' : amount < 0 ? '\u2212' : '') + dollars(Math.abs(amount))
}

function price(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 })
}
