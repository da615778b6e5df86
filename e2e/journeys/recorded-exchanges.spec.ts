import { sessionAt } from '#core/markets/calendar/sessions.ts'
import { instant } from '#core/time/instant.ts'
import { get, post } from '#test/support/app-client.ts'
import { choose } from '../choose.ts'
import { ExchangePlayer } from '../exchanges/exchange-player.ts'
import type { RecordedTrades } from '../exchanges/recorded-trades.ts'
import { expect, test } from '../fixtures.ts'
import { depositDemoFunds, joinAsNewcomer } from '../pages/newcomer.ts'
import { TradePage } from '../pages/trade-page.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const STAKE = 100
const PAYOUT = 80
/**
 * 8 s: the maximum age of a shown value. It includes writing the log, sending ten times a second, rendering, and
 * reading by this test.
 */
const SHOWN_WITHIN_MS = 8_000

interface Own {
  id: string
  symbol: string
  high_low: number
  price_was: number
  post_trade_price: number
  expires_at: string
  result: number
  result_amount: number
}
interface Ticks {
  entry: { price: number; time_ms: number; source: string }
  exit: { price: number; time_ms: number; source: string }
  next: { time_ms: number } | null
}

test('list, header, candles and results show the recorded trades to the last digit', async ({ page, startServer }) => {
  const clockShiftMs = shiftIntoSession(Date.now())
  const now = (): number => Date.now() + clockShiftMs
  const player = await ExchangePlayer.start(now)
  try {
    const server = await startServer(
      { FAIRWICK_FEEDS: JSON.stringify(player.feeds), FINNHUB_KEY: 'recorded' },
      { clockShiftMs },
    )
    await joinAsNewcomer(page, server.address)
    await page.getByRole('link', { name: 'Wallet', exact: true }).click()
    await depositDemoFunds(page, '1000')
    await expect.poll(() => player.isSubscribed).toBe(true)
    const recorded = player.play()

    const shown = async (text: () => Promise<string>, of: RecordedTrades, what: string): Promise<void> => {
      await expect(async () => {
        const from = now() - SHOWN_WITHIN_MS
        const price = priceIn(await text())
        expect(of.isOf(price, from, now()), `${what}: ${price}`).toBe(true)
      }).toPass()
    }
    await page.getByRole('link', { name: 'Market', exact: true }).click()
    const row = (text: string) => page.getByRole('listitem').filter({ hasText: text }).first()
    await shown(() => row('BTC/USDT').innerText(), recorded.btc, 'the list, Bitcoin')
    await choose(page.getByRole('radio', { name: 'US stocks' }))
    await shown(() => row('AAPL').innerText(), recorded.aapl, 'the list, Apple')

    const trade = new TradePage(page)
    await row('AAPL').getByRole('link').last().click()
    await expect(page).toHaveURL(/\/trade\/AAPL$/)
    const header = () => page.locator('.text-price').first().innerText()
    await shown(header, recorded.aapl, 'the header, Apple')
    await trade.order('Buy', String(STAKE))
    await trade.tradeOn()
    await page.getByRole('link', { name: 'Market', exact: true }).click()
    await choose(page.getByRole('radio', { name: 'Crypto' }))
    await row('BTC/USDT').getByRole('link').last().click()
    await expect(page).toHaveURL(/\/trade\/BTC$/)
    await shown(header, recorded.btc, 'the header, Bitcoin')
    await trade.order('Sell', String(STAKE))

    const token: string = await page.evaluate(() => JSON.parse(localStorage.getItem('session') ?? '{}').token)
    const trades = async () =>
      ((await get(server.address, '/user/trade-log/recent', token)) as { trades: Own[] }).trades
    await expect.poll(async () => (await trades()).filter(({ result }) => result > 0).length).toBe(2)
    for (const own of await trades()) {
      const of = own.symbol === 'AAPL' ? recorded.aapl : recorded.btc
      const { ticks } = (await get(server.address, `/user/trade/${own.id}`, token)) as { ticks: Ticks }
      expect(of.has(own.price_was, ticks.entry.time_ms), `the entry of ${own.symbol} is a recorded trade`).toBe(true)
      expect(own.post_trade_price, `the exit of ${own.symbol}`).toBe(of.priceAt(Date.parse(own.expires_at)))
      expect(ticks.next?.time_ms ?? Number.POSITIVE_INFINITY).toBeGreaterThan(Date.parse(own.expires_at))
      const source = own.symbol === 'AAPL' ? player.sources.aapl : player.sources.btc
      expect([ticks.entry.source, ticks.exit.source]).toEqual([source, source])
      const moved = Math.sign(own.post_trade_price - own.price_was) * (own.high_low === 1 ? 1 : -1)
      const expected = moved > 0 ? [1, (STAKE * PAYOUT) / 100] : moved < 0 ? [2, -STAKE] : [3, 0]
      expect([own.result, own.result_amount]).toEqual(expected)
    }

    // The panel of the BTC order, which settled on this page, shows the same entry and exit prices.
    const btc = (await trades()).find(({ symbol }) => symbol === 'BTC')
    await expect(trade.verdict).toBeVisible()
    const rail = page.getByRole('listitem').filter({ hasText: /^(Entry|Exit)/ })
    await expect(rail).toHaveCount(2)
    expect((await rail.allInnerTexts()).map((text) => priceIn(text.split('\n').at(-1) ?? ''))).toEqual([
      btc?.price_was,
      btc?.post_trade_price,
    ])
    await page.getByRole('button', { name: 'Continue' }).click()

    // Closed candles must equal the recorded candles. The open candle is still growing, so it must equal the recorded
    // candle at the moment when that had the same volume.
    await expect(async () => {
      for (const [symbol, of] of [
        ['BTCUSDT', recorded.btc],
        ['AAPL', recorded.aapl],
      ] as const) {
        const rows = (await post(
          server.address,
          '/user/kline-historical',
          { symbol, interval: '1m', limit: 5 },
          token,
        )) as number[][]
        const bars = rows.map(([openMs = 0, open, high, low, close, volume]) => ({
          openMs,
          open,
          high,
          low,
          close,
          volume,
        }))
        const recordedBars = bars.filter(({ openMs }) => of.bar(openMs) !== null)
        expect(recordedBars.length).toBeGreaterThanOrEqual(2)
        const last = recordedBars.pop()
        expect(recordedBars, `closed bars of ${symbol}`).toEqual(recordedBars.map(({ openMs }) => of.bar(openMs)))
        expect(last, `the open bar of ${symbol}`).toEqual(of.barWith(last?.openMs ?? 0, last?.volume ?? 0))
      }
    }).toPass()

    await page.getByRole('button', { name: 'Show as table' }).click()
    await expect(page.getByRole('region', { name: /last candles of 1m/ })).toBeVisible()
    await expect(async () => {
      const cells = await page.getByRole('row').allInnerTexts()
      // The first row is the heading, the second the open bar.
      const [closed = ''] = cells.slice(2)
      const minute = minuteNear(closed.split(/\s+/)[1] ?? '', now())
      const bar = recorded.btc.bar(minute)
      expect(closed.split(/\s+/).slice(2, 6).map(priceIn)).toEqual([bar?.open, bar?.high, bar?.low, bar?.close])
    }).toPass()
  } finally {
    await player.stop()
  }
})

/** Returns by how much to set the clock back, so that the stock market is open for the whole test. */
function shiftIntoSession(nowMs: number): number {
  for (let shift = 0; ; shift -= HOUR_MS) {
    const at = nowMs + shift
    const session = sessionAt('us_stocks', instant(at))
    if (session !== null && session.close - at > HOUR_MS / 2) return shift
  }
}

/** Returns the last decimal number of a text such as `61,837.63`. */
function priceIn(text: string): number {
  return Number((/[\d,]+\.\d+/.exec(text)?.[0] ?? '').replaceAll(',', ''))
}

/** Returns the newest minute that a clock shows as `18:24`. */
function minuteNear(clock: string, nowMs: number): number {
  const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const candidates = Array.from({ length: 10 }, (_, back) => minute - back * MINUTE_MS)
  return candidates.find((at) => new Date(at).toISOString().slice(11, 16) === clock) ?? Number.NaN
}
