import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { MAX_RECENT_TICKS } from '#core/markets/recent-ticks.ts'
import { HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const AAPL = CATALOGUE.find(({ code }) => code === 'AAPL')?.id ?? 0

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
})
afterEach(() => app.stop())

const recent = (body: object = { symbol: 'BTC', seconds: 900 }) =>
  app.call(calls.recentTicks, { body: body as { symbol: string; seconds: number } })

/** Reports a price at the current time, waits until the price is in the log, and then advances the clock. */
async function speak(units: number, waitMs: number, symbolId = BTC): Promise<number> {
  const time = app.ctx.now()
  app.feed.tick(symbolId, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(symbolId)?.time).toBe(time))
  app.ctx.clock.advance(waitMs - 100)
  return time
}

describe('the newest ticks of a symbol', () => {
  it('come from the log and from memory, ascending, for anyone', async () => {
    const times: number[] = []
    for (let count = 0; count < 10; count += 1) times.push(await speak(9_400_000 + count, MINUTE_MS))
    const { status, body } = await recent()
    expect(status).toBe(200)
    expect(body.data).toEqual(times.map((time, at) => [at + 1, time, (9_400_000 + at) / 100]))
    expect(body.meta).toEqual({ max_tick_age_ms: CATALOGUE[0]?.maxTickAgeMs, thinned: false })
    expect((await recent({ symbol: 'btcusdt', seconds: 900 })).body.data).toEqual(body.data)
  })

  it('end at the requested age, exactly', async () => {
    for (let count = 0; count < 5; count += 1) await speak(9_400_000 + count, MINUTE_MS)
    const within = async (seconds: number) => (await recent({ symbol: 'BTC', seconds })).body.data.length
    expect([await within(1), await within(59), await within(60), await within(119), await within(120)]).toEqual([
      0, 0, 1, 1, 2,
    ])
    expect(await within(240)).toBe(4)
  })

  it('belong to the requested symbol only', async () => {
    await speak(9_400_000, SECOND_MS)
    await speak(20_000, SECOND_MS, AAPL)
    expect((await recent()).body.data).toHaveLength(1)
    expect((await recent({ symbol: 'ETH', seconds: 900 })).body.data).toEqual([])
  })

  it('include a tick of a source whose clock is ahead', async () => {
    const time = app.ctx.now() + 2_000
    app.feed.tick(BTC, 9_400_000, time)
    app.ctx.clock.advance(100)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
    expect((await recent()).body.data).toEqual([[1, time, 94_000]])
  })

  it('the newest ticks are reduced to one tick per second when there are more than 5,000', async () => {
    const begin = app.ctx.now()
    const perSecond = 20
    const seconds = MAX_RECENT_TICKS / perSecond + 10
    for (let second = 0; second < seconds; second += 1) {
      const from = app.ctx.now()
      for (let n = 0; n < perSecond; n += 1) app.feed.tick(BTC, 9_400_000 + n, from + n)
      app.ctx.clock.advance(SECOND_MS)
      await vi.waitFor(() => expect(app.ticks.latest(BTC)?.seq).toBe((second + 1) * perSecond))
    }
    const { data, meta } = (await recent()).body
    expect(meta).toMatchObject({ thinned: true })
    expect(data).toHaveLength(seconds)
    expect(data[0]).toEqual([perSecond, begin + perSecond - 1, 94_000.19])
    expect(data.at(-1)?.[0]).toBe(seconds * perSecond)
    const whole = (await recent({ symbol: 'BTC', seconds: MAX_RECENT_TICKS / perSecond })).body
    expect(whole.meta).toMatchObject({ thinned: false })
    expect(whole.data).toHaveLength(MAX_RECENT_TICKS)
  })

  it('contain no tick of the time after the market closed', async () => {
    await app.stop()
    // Wednesday 18 March 2026, 20:00 UTC: New York closes.
    app = await createTestApp(database, { startAt: later(TEST_START, 5 * HOUR_MS - MINUTE_MS) })
    await app.startMarkets()
    const time = await speak(20_000, 5 * MINUTE_MS, AAPL)
    expect((await recent({ symbol: 'AAPL', seconds: 900 })).body.data).toEqual([[1, time, 200]])
    app.ctx.clock.advance(15 * MINUTE_MS)
    const { status, body } = await recent({ symbol: 'AAPL', seconds: 900 })
    expect([status, body.data]).toEqual([200, []])
  })

  it.each([
    ['an unknown symbol', { symbol: 'NONE', seconds: 900 }, 'symbol_unknown'],
    ['no symbol', { seconds: 900 }, undefined],
    ['no seconds', { symbol: 'BTC' }, undefined],
    ['0 seconds', { symbol: 'BTC', seconds: 0 }, undefined],
    ['901 seconds', { symbol: 'BTC', seconds: 901 }, undefined],
    ['a part of a second', { symbol: 'BTC', seconds: 1.5 }, undefined],
    ['seconds as text', { symbol: 'BTC', seconds: '60' }, undefined],
  ])('are refused for %s', async (_, body, code) => {
    const reply = await recent(body)
    expect([reply.status, reply.body.code]).toEqual([422, code ?? expect.any(String)])
  })

  it('the newest ticks are returned for ten requests at once, and then for two a second', async () => {
    for (let count = 0; count < 10; count += 1) expect((await recent()).status).toBe(200)
    const refused = await recent()
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    app.ctx.clock.advance(SECOND_MS)
    expect([(await recent()).status, (await recent()).status, (await recent()).status]).toEqual([200, 200, 429])
  })
})
