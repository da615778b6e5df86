import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { Maintenance } from '#core/markets/maintenance.ts'
import type { MarketType } from '#core/markets/market.ts'
import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { marketHours } from '#server/market-data/hours/market-status.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { setRights } from '#test/support/set-rights.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
})
afterEach(() => app.stop())

/** Publishes a price and waits until it is in the tick log. */
async function speak(symbolId: number, units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(symbolId, units, time, 2_000_000)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(symbolId)?.time).toBe(time))
}

const list = async (token?: string) => (await app.call(calls.currencyList, { token })).body.data
const find = async (code: string, token?: string) =>
  (await list(token)).currencies.find(({ symbol }) => symbol === code)

describe('the market list', () => {
  it('CA10: names the maximum price age of each symbol, as it is in force', async () => {
    const age = async () => (await find('BTC'))?.max_tick_age_ms
    expect(await age()).toBe(5_000)
    await forceTerms(database.db, [{ what: 'max_tick_age', of: 'BTC', value: '3000' }])
    await app.catalogue.reload()
    expect(await age()).toBe(3_000)
  })

  it('CA10: promises no opening of a market that a pause or a maintenance prevents', async () => {
    // A Saturday: the stock market opens on Monday at 14:30 UTC by its calendar.
    const saturday = instant(Date.UTC(2026, 0, 10, 12))
    const monday = (hours: number) => instant(Date.UTC(2026, 0, 12, hours))
    const opensAt = (maintenance: readonly Maintenance[], type: MarketType) =>
      marketHours({ closures: new Map(), planned: [], maintenance }, type, saturday).opensAt
    const pause = { from: instant(saturday - 1), to: null, words: 'System work' }
    expect([opensAt([pause], 'us_stocks'), opensAt([pause], 'crypto')]).toEqual([null, null])
    const work = { ...pause, to: monday(18) }
    expect([opensAt([work], 'us_stocks'), opensAt([work], 'crypto')]).toEqual([monday(18), monday(18)])
    const onMonday = { ...work, from: monday(14) }
    expect([opensAt([onMonday], 'us_stocks'), opensAt([onMonday], 'crypto')]).toEqual([monday(18), null])
    expect(opensAt([{ ...pause, to: monday(1) }], 'us_stocks')).toBe(Date.UTC(2026, 0, 12, 14, 30))
  })

  it('CA10: contains every symbol, the settings and the markets, for visitors too', async () => {
    const data = await list()
    expect(data.currencies.map(({ symbol }) => symbol)).toEqual(CATALOGUE.map(({ code }) => code))
    expect(
      data.trade_settings.map(({ time, unit, min_amount, profit_percentage }) => [
        time,
        unit,
        min_amount,
        profit_percentage,
      ]),
    ).toEqual([
      [60, 'minute', 10, 80],
      [300, 'minute', 20, 85],
      [1_800, 'minute', 20, 87],
      [3_600, 'hour', 50, 88],
      [86_400, 'day', 100, 90],
    ])
    expect(data.prices.map(({ amount }) => amount)).toEqual([20, 50, 100, 250, 500])
    expect(data.trading_profit).toBe(90)
    expect(data.trade_status).toBe(1)
  })

  it('contains the newest price and the figures of the day, which are null before the first price', async () => {
    expect(await find('BTC')).toMatchObject({ price: null, change: null, lastTickTime: null, spark: [] })
    const first = app.ctx.now()
    await speak(BTC, 9_400_050)
    await speak(BTC, 9_500_000)
    expect(await find('BTC')).toMatchObject({
      product_id: 'BTCUSDT',
      price: 95_000,
      open: 94_000.5,
      high: 95_000,
      low: 94_000.5,
      change: 1.063,
      volume: 4,
      lastTickTime: first + 100,
    })
  })

  it('shows a market as closed from the end of its session, with the time when it opens again', async () => {
    expect((await list()).market_status).toEqual({ crypto: true, us_stocks: true, us_fx: true })
    // Wednesday 18 March 2026, 20:00 UTC: New York closes.
    app.ctx.clock.jump(5 * HOUR_MS - 1)
    expect((await list()).market_status.us_stocks).toBe(true)
    app.ctx.clock.jump(1)
    const closed = await list()
    expect(closed.market_status).toEqual({ crypto: true, us_stocks: false, us_fx: true })
    expect(closed.market_hours.us_stocks).toEqual({
      opens_at: Date.UTC(2026, 2, 19, 13, 30),
      closes_at: null,
      reason: null,
    })
    expect(closed.market_hours.crypto).toEqual({ opens_at: null, closes_at: null, reason: null })
    expect(
      closed.currencies.filter(({ is_open: isOpen }) => !isOpen).every((item) => item.market_type === 'us_stocks'),
    ).toBe(true)
  })

  it('shows the reason why the operator closed a market or a symbol, and leaves out an unlisted symbol', async () => {
    await app.ctx.db
      .insertInto('market_closure')
      .values({ market_type: 'us_fx', reason: 'Maintenance', since_ms: 0 })
      .execute()
    await app.ctx.db
      .updateTable('market_symbol')
      .set({ closed_reason: 'Split today' })
      .where('code', '=', 'AAPL')
      .execute()
    await forceTerms(app.ctx.db, [{ what: 'symbol', of: 'DOGE', value: 'closing' }])
    await app.catalogue.reload()
    const data = await list()
    expect(data.market_status.us_fx).toBe(false)
    expect(data.market_hours.us_fx, 'nobody can say when it opens').toEqual({
      opens_at: null,
      closes_at: null,
      reason: 'Maintenance',
    })
    expect(await find('AAPL')).toMatchObject({ is_open: false, closed_reason: 'Split today' })
    expect(await find('DOGE')).toBeUndefined()
    expect(app.catalogue.find('doge')).toBeNull()
    expect(app.catalogue.byId(6)?.code).toBe('DOGE')
  })

  it('tells a user who may not trade the reason', async () => {
    const { token, id } = await app.verifiedUser()
    await setRights(app.ctx, app.ctx.db, id, { tradeOff: 'Documents are missing' })
    expect(await list(token)).toMatchObject({ trade_status: 0, trade_reason: 'Documents are missing' })
  })
})

describe('favourites', () => {
  it('CA12: are added and removed, belong to one user and can be listed alone', async () => {
    const alice = await app.signUp('alice')
    const bob = await app.signUp('bob')
    const flip = async (id: number | string) =>
      (await app.call(calls.favorite, { token: alice.token, body: { crypto_currency_id: id } })).body.data
    expect(await flip(BTC)).toEqual({ crypto_currency_id: 1, isFavorite: true })
    expect(await flip('3')).toEqual({ crypto_currency_id: 3, isFavorite: true })
    expect((await find('BTC', alice.token))?.isFavorite).toBe(true)
    expect((await find('BTC', bob.token))?.isFavorite).toBe(false)
    expect((await find('BTC'))?.isFavorite).toBe(false)
    const own = await app.call(calls.favoriteList, { token: alice.token })
    expect(own.body.data.currencies.map(({ symbol }) => symbol)).toEqual(['BTC', 'SOL'])
    expect(await flip(BTC)).toMatchObject({ isFavorite: false })
  })

  it('return to the first state after an even number of concurrent taps', async () => {
    const { token } = await app.signUp()
    const taps = Array.from({ length: 6 }, () => app.call(calls.favorite, { token, body: { crypto_currency_id: BTC } }))
    const marks = (await Promise.all(taps)).map(({ body }) => body.data.isFavorite)
    expect(marks.filter(Boolean)).toHaveLength(3)
    expect((await find('BTC', token))?.isFavorite).toBe(false)
  })

  it.each([999, 0, -1, 'BTC', 1e12])('refuse symbol id %j', async (id) => {
    const { token } = await app.signUp()
    const { status, body } = await app.call(calls.favorite, { token, body: { crypto_currency_id: id } })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['crypto_currency_id']])
  })
})

describe('candles', () => {
  const klines = (body: { symbol: string; interval: '1m' | '5m'; limit?: number; endTime?: number }) =>
    app.call(calls.klineHistorical, { body })

  it('CA13: are in ascending order, the open candle last, for any spelling of the symbol', async () => {
    const start = app.ctx.now()
    await speak(BTC, 9_400_000)
    await speak(BTC, 9_410_000)
    app.ctx.clock.advance(MINUTE_MS)
    await speak(BTC, 9_390_000)
    const rows = [
      [start, 94_000, 94_100, 94_000, 94_100, 4],
      [start + MINUTE_MS, 93_900, 93_900, 93_900, 93_900, 2],
    ]
    for (const symbol of ['BTC', 'btc', 'BTCUSDT', 'btcusdt']) {
      expect((await klines({ symbol, interval: '1m' })).body.data).toEqual(rows)
    }
    expect((await klines({ symbol: 'BTC', interval: '1m', limit: 1 })).body.data).toEqual(rows.slice(1))
    // `endTime` is inclusive: it selects the candle that opens at `endTime`, else the previous candle.
    expect((await klines({ symbol: 'BTC', interval: '1m', endTime: start })).body.data).toEqual(rows.slice(0, 1))
    expect((await klines({ symbol: 'BTC', interval: '1m', endTime: start - 1 })).body.data).toEqual([])
    expect((await klines({ symbol: 'BTC', interval: '5m' })).body.data).toEqual([
      [start, 94_000, 94_100, 93_900, 93_900, 6],
    ])
  })

  it('refuse an unlisted symbol and an unknown interval', async () => {
    expect((await klines({ symbol: 'NOPE', interval: '1m' })).body.code).toBe('symbol_unknown')
    const wrong = { method: 'POST', url: '/api/user/kline-historical' } as const
    for (const payload of [
      { symbol: 'BTC', interval: '2m' },
      { symbol: 'BTC', interval: '1m', limit: 0 },
      { symbol: 'BTC', interval: '1m', limit: -5 },
    ]) {
      expect((await app.inject({ ...wrong, payload })).body.code).toBe('bad_request')
    }
    const clamped = await app.inject({ ...wrong, payload: { symbol: 'BTC', interval: '1m', limit: 1e9 } })
    expect(clamped.status).toBe(200)
  })
})
