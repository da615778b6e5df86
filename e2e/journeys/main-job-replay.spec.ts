import { expect, test } from '../fixtures.ts'
import { depositDemoFunds, joinAsNewcomer } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'
import { BTC_FILE, LTC_FILE, LTC_FLAT_FROM_MS, RecordedPrices } from '../recorded-prices.ts'

/** An order may be sent up to 6 s late. The recorded price move must therefore be larger than any move within 6 s. */
const SLACK_MS = 6_000
const LENGTH_MS = 60_000
const STAKE = 100
const MAX_ATTEMPTS = 3
const PAYOUT = 80
const DEPOSIT = 1_000

interface Trade {
  id: string
  symbol: string
  high_low: number
  amount: number
  price_was: number
  post_trade_price: number
  expires_at: string
  result: number
  result_amount: number
}
interface Ticks {
  entry: { price: number; time_ms: number }
  exit: { price: number; time_ms: number }
  next: { time_ms: number } | null
}

test('a newcomer signs up, deposits, and gets the win, loss and draw of the recorded prices', async ({
  page,
  startServer,
}) => {
  const offset = RecordedPrices.offsetFor(LTC_FILE, Date.now(), LTC_FLAT_FROM_MS)
  const recorded = {
    BTC: new RecordedPrices(BTC_FILE, offset),
    LTC: new RecordedPrices(LTC_FILE, offset),
  }
  const server = await startServer({ FAIRWICK_FEEDS: 'replay', FAIRWICK_REPLAY_OFFSET_MS: String(offset) })

  await joinAsNewcomer(page, server.address)
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await expect(page.getByText('$0.00').first()).toBeVisible()
  await depositDemoFunds(page, String(DEPOSIT))
  await expect(page.getByText('$1,000.00').first()).toBeVisible()

  const trade = new TradePage(page)
  await trade.open('LTC')
  await trade.order('Buy', String(STAKE))
  await trade.tradeOn()
  await trade.open('BTC')
  const ask = async (path: string) => {
    const token: string = await page.evaluate(() => JSON.parse(localStorage.getItem('session') ?? '{}').token)
    const answer = await fetch(`${server.address}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
    return (await answer.json()) as { data: { trades: Trade[]; ticks: Ticks; user: { balance: number } } }
  }
  const recent = async () => (await ask('/user/trade-log/recent')).data.trades
  const foreseen = async () => {
    const own = (await recent()).filter(({ symbol }) => symbol === 'BTC')
    return new Set(own.map((one) => resultOf(one, recorded.BTC.priceAt(Date.parse(one.expires_at)))))
  }
  // A busy machine may be too slow for two orders at the recorded prices. In that case two more orders are sent.
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    if (tries > 0) await trade.tradeOn()
    await expect
      .poll(() => movesFor(recorded.BTC, Date.now()), {
        message: 'a move that is clear',
        intervals: [200],
      })
      .toBe(true)
    await trade.order('Buy', String(STAKE))
    await trade.tradeOn()
    await trade.order('Sell', String(STAKE))
    if ((await foreseen()).size === 2) break
  }
  const sent = (await recent()).length

  const verdict = { 1: 'You won', 2: 'You lose', 3: 'Draw' } as const
  await expect(page.getByRole('heading', { name: /You won|You lose/ })).toBeVisible()
  await expect.poll(async () => (await recent()).filter(({ result }) => result > 0).length).toBe(sent)

  const trades = await recent()
  for (const own of trades) {
    const prices = own.symbol === 'LTC' ? recorded.LTC : recorded.BTC
    const expiry = Date.parse(own.expires_at)
    const { ticks } = (await ask(`/user/trade/${own.id}`)).data
    expect(prices.has(own.price_was, ticks.entry.time_ms), 'the entry is a recorded price at its time').toBe(true)
    const exit = prices.priceAt(expiry)
    expect(own.post_trade_price, 'the exit is the last recorded price before the expiry').toBe(exit)
    expect(ticks.exit.time_ms).toBeLessThanOrEqual(expiry)
    // Litecoin's next price may be a minute away; a heartbeat of the source settles the order earlier.
    expect(ticks.next?.time_ms ?? Number.POSITIVE_INFINITY).toBeGreaterThan(expiry)
    const result = resultOf(own, exit)
    expect([own.result, own.result_amount]).toEqual([result, AMOUNTS[result]])
  }
  expect(new Set(trades.map(({ result }) => result))).toEqual(new Set([1, 2, 3]))
  const balance = DEPOSIT + trades.reduce((sum, { result_amount }) => sum + result_amount, 0)
  expect((await ask('/user/profile')).data.user.balance).toBe(balance)

  // The screen shows the result of the last BTC order as computed here.
  const shown = page.getByRole('heading', { name: /You won|You lose/ })
  const last = trades.find(({ symbol }) => symbol === 'BTC')
  await expect(shown).toHaveText(verdict[(last?.result ?? 0) as 1 | 2])
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: /^Buy/ })).toBeVisible()

  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await expect(
    page.getByText(`$${balance.toLocaleString('en-US', { minimumFractionDigits: 2 })}`).first(),
  ).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Transaction/ })
    .click()
  await page.getByRole('tab', { name: 'Closed' }).click()
  for (const [word, result] of [
    ['Won', 1],
    ['Lost', 2],
    ['Draw', 3],
  ] as const) {
    const count = trades.filter((own) => own.result === result).length
    await expect(page.getByText(word, { exact: true })).toHaveCount(count)
  }
})

const AMOUNTS = { 1: (STAKE * PAYOUT) / 100, 2: -STAKE, 3: 0 } as const

/** Returns the result at the given exit price. */
function resultOf({ price_was: entry, high_low: direction }: Trade, exit: number): 1 | 2 | 3 {
  if (exit === entry) return 3
  return exit > entry === (direction === 1) ? 1 : 2
}

/** Whether every order that is placed within `SLACK_MS` from now ends clearly on one side of its entry price. */
function movesFor(prices: RecordedPrices, now: number): boolean {
  const entry = prices.range(now, now + SLACK_MS)
  const exit = prices.range(now + LENGTH_MS, now + LENGTH_MS + SLACK_MS)
  return exit.lowest > entry.highest || exit.highest < entry.lowest
}
