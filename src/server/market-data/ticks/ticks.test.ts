import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { foldTicks } from '#core/markets/candle.ts'
import { instant, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickBatch, TickService } from '#server/market-data/ticks.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import type { FakeClock } from '#test/support/fake-clock.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: TickService[] = []
afterEach(async () => {
  for (const ticks of running.splice(0)) await ticks.stop()
})

interface Bench {
  ctx: TestContext
  feed: ScriptedFeed
  ticks: TickService
  batches: TickBatch[]
}

async function startTicks(startAt: Instant = TEST_START, db: Db = database.db): Promise<Bench> {
  const ctx = createTestContext(db, startAt)
  const feed = new ScriptedFeed([BTC, AAPL])
  const ticks = await run(ctx, feed)
  const batches: TickBatch[] = []
  ticks.onBatch((batch) => batches.push(batch))
  return { ctx, feed, ticks, batches }
}

async function run(ctx: TestContext, feed: Feed): Promise<TickService> {
  const ticks = createTicks({ ctx, feed, symbols: [BTC, AAPL], flushMs: 100 })
  await ticks.start()
  running.push(ticks)
  return ticks
}

async function stop(ticks: TickService): Promise<void> {
  running.splice(running.indexOf(ticks), 1)
  await ticks.stop()
}

const POLL = { interval: 2 }

/** Advances time until the reported prices are in the log. */
async function accepted(clock: FakeClock, isThere: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    clock.advance(100)
    expect(isThere()).toBe(true)
  }, POLL)
}

const at = (ms: number) => later(TEST_START, ms)

describe('the tick service', () => {
  it('publishes no tick before its batch is in the log', async () => {
    const { ctx, feed, ticks, batches } = await startTicks()
    feed.tick(BTC.id, 100_00, at(0))
    expect(ticks.latest(BTC.id)).toBeNull()
    ctx.clock.advance(100)
    expect(ticks.latest(BTC.id)).toBeNull()
    expect(ticks.openCandle(BTC.id, '1m')).toBeNull()
    await vi.waitFor(() => expect(ticks.latest(BTC.id)).toMatchObject({ price: 100_00, seq: 1, time: at(0) }))
    expect(ticks.watermark(BTC.id)).toBe(at(0))
    expect(batches.flatMap((batch) => batch.ticks)).toHaveLength(1)
  })

  it('rejects ticks that run back, are late, early or invalid, and keeps the order of equal times', async () => {
    const { ctx, feed, ticks, batches } = await startTicks()
    feed.tick(BTC.id, 1, at(0))
    feed.tick(BTC.id, 2, at(-1))
    feed.tick(BTC.id, 3, at(0))
    feed.tick(BTC.id, 4, at(5_001))
    feed.tick(BTC.id, 5, at(-60_001))
    feed.tick(AAPL.id, 6, at(-60_001))
    feed.tick(99, 7, at(0))
    feed.tick(AAPL.id, 8, at(5_000))
    await accepted(ctx.clock, () => ticks.latest(AAPL.id) !== null)
    expect(batches.flatMap((batch) => batch.ticks.map((tick) => tick.price))).toEqual([1, 3, 8])
    expect(ctx.lines.filter((line) => line.message === 'ticks rejected')).toHaveLength(1)
  })

  it('makes a price suspect at once, and trusted again when the resolving price is logged', async () => {
    const { ctx, feed, ticks } = await startTicks()
    feed.doubt(BTC.id, 'spike')
    expect([ticks.doubt(BTC.id), ticks.doubt(AAPL.id)]).toEqual(['spike', null])
    feed.tick(BTC.id, 1, at(0))
    feed.doubt(BTC.id, null)
    ctx.clock.advance(100)
    expect(ticks.doubt(BTC.id)).toBe('spike')
    await accepted(ctx.clock, () => ticks.doubt(BTC.id) === null)
    expect(ticks.latest(BTC.id)?.price).toBe(1)
    feed.doubt(BTC.id, 'spike')
    feed.doubt(BTC.id, null)
    feed.doubt(BTC.id, 'divergence')
    ctx.clock.advance(2_000)
    expect(ticks.doubt(BTC.id)).toBe('divergence')
    feed.doubt(BTC.id, null)
    ctx.clock.advance(100)
    expect(ticks.doubt(BTC.id)).toBeNull()
  })

  it('applies a heartbeat only after everything before it is committed', async () => {
    const { ctx, feed, ticks, batches } = await startTicks()
    feed.tick(BTC.id, 1, at(0))
    feed.heartbeat(BTC.id, at(50))
    feed.tick(BTC.id, 2, at(49))
    ctx.clock.advance(100)
    expect(ticks.watermark(BTC.id)).toBeNull()
    await accepted(ctx.clock, () => ticks.watermark(BTC.id) === at(50))
    expect(ticks.latest(BTC.id)?.price).toBe(1)
    feed.heartbeat(BTC.id, at(100))
    ctx.clock.advance(100)
    expect(ticks.watermark(BTC.id)).toBe(at(100))
    expect(batches.at(-1)).toEqual({ ticks: [], moved: new Set([BTC.id]) })
  })

  it('keeps the order of 735 ticks in one millisecond, and finds the last as exit price', async () => {
    const { ctx, feed, ticks } = await startTicks()
    const expiry = at(10)
    feed.tick(BTC.id, 9_999, at(9))
    for (let count = 1; count <= 735; count += 1) feed.tick(BTC.id, 10_000 + count, expiry)
    feed.tick(BTC.id, 20_000, at(11))
    await accepted(ctx.clock, () => ticks.latest(BTC.id)?.price === 20_000)
    expect(await ticks.aroundInstant(BTC.id, expiry)).toMatchObject({
      last: { price: 10_735 },
      next: { price: 20_000 },
    })
    expect(await ticks.aroundInstant(BTC.id, at(9))).toMatchObject({ last: { price: 9_999 }, next: { price: 10_001 } })
    expect(await ticks.aroundInstant(BTC.id, at(8))).toMatchObject({ last: null, next: { price: 9_999 } })
  })
})

describe('a tick log that cannot be written', () => {
  it('retries its batches in order, and publishes no tick until a retry succeeds', async () => {
    let failures = 3
    const failing: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'InsertQueryNode' && failures > 0) {
          failures -= 1
          throw new Error('the disk is full')
        }
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const { ctx, feed, ticks, batches } = await startTicks(TEST_START, database.db.withPlugin(failing))
    feed.tick(BTC.id, 1, at(0))
    ctx.clock.advance(100)
    await vi.waitFor(() => expect(failures).toBe(2))
    feed.tick(BTC.id, 2, at(1))
    expect(ticks.latest(BTC.id)).toBeNull()
    await accepted(ctx.clock, () => ticks.latest(BTC.id)?.price === 2)
    expect(batches.flatMap((batch) => batch.ticks.map((tick) => [tick.seq, tick.price]))).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, lastSeq: 2 })
  })

  it('P1: a symbol whose addition failed can be added again', async () => {
    let failures = 0
    const failing: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (failures === 0) return node
        failures -= 1
        throw new Error('connection reset')
      },
      transformResult: async ({ result }) => result,
    }
    const { ctx, feed, ticks } = await startTicks(TEST_START, database.db.withPlugin(failing))
    const added = { ...BTC, id: 3, code: 'ETH' }
    failures = 1
    await expect(ticks.add(added)).rejects.toThrow('connection reset')
    await ticks.add(added)
    feed.tick(added.id, 7, at(0))
    await accepted(ctx.clock, () => ticks.latest(added.id)?.price === 7)
  })

  it('writes once when the commit succeeded but its reply was lost', async () => {
    let losses = 1
    const losing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.numAffectedRows !== undefined && losses > 0) {
          losses -= 1
          throw new Error('connection reset')
        }
        return result
      },
    }
    const { ctx, feed, ticks, batches } = await startTicks(TEST_START, database.db.withPlugin(losing))
    feed.tick(BTC.id, 1, at(0))
    await accepted(ctx.clock, () => ticks.latest(BTC.id) !== null)
    expect(losses).toBe(0)
    expect(batches.flatMap((batch) => batch.ticks)).toHaveLength(1)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, batches: 1, lastSeq: 1 })
  })

  it('takes over batches of another writer, and never forks the chain', async () => {
    const one = await startTicks()
    const two = await startTicks()
    one.feed.tick(BTC.id, 1, at(10))
    await accepted(one.ctx.clock, () => one.ticks.latest(BTC.id) !== null)
    two.feed.tick(BTC.id, 2, at(5))
    two.feed.tick(AAPL.id, 3, at(5))
    await accepted(two.ctx.clock, () => two.ticks.latest(AAPL.id) !== null)
    expect(two.ticks.latest(BTC.id)).toMatchObject({ seq: 1, price: 1 })
    expect(two.ticks.latest(AAPL.id)).toMatchObject({ seq: 2, price: 3 })
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, lastSeq: 2 })
  })
})

describe('the tick service after a restart', () => {
  const ENDS = new Map([
    [33, 'stopped'],
    [34, 'killed'],
    [61, 'killed'],
    [90, 'stopped'],
  ])

  it('continues the log and knows the last prices, however old', async () => {
    const before = await startTicks()
    before.feed.tick(AAPL.id, 7, at(0))
    before.feed.tick(BTC.id, 1, at(10))
    await accepted(before.ctx.clock, () => before.ticks.latest(BTC.id) !== null)
    await stop(before.ticks)
    const after = await startTicks(at(3 * 3_600_000))
    expect(after.ticks.latest(AAPL.id)).toMatchObject({ seq: 1, price: 7, time: at(0) })
    expect(after.ticks.watermark(BTC.id)).toBe(at(10))
    after.feed.tick(BTC.id, 2, at(3 * 3_600_000))
    await accepted(after.ctx.clock, () => after.ticks.latest(BTC.id)?.price === 2)
    expect(after.ticks.latest(BTC.id)?.seq).toBe(3)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, lastSeq: 3 })
  })

  it('rejects ticks before a settled expiry, even if only a heartbeat had confirmed the time of this expiry', async () => {
    const before = await startTicks()
    before.feed.tick(BTC.id, 1, at(0))
    before.feed.heartbeat(BTC.id, at(5_000))
    await accepted(before.ctx.clock, () => before.ticks.watermark(BTC.id) === at(5_000))
    await sql`insert into settlement_price (symbol_id, expires_ms, exit_seq, exit_price, exit_time_ms, watermark_ms, decided_ms)
      values (${BTC.id}, ${at(4_000)}, 1, 1, ${at(0)}, ${at(5_000)}, ${at(5_000)})`.execute(database.db)
    await stop(before.ticks)
    const after = await startTicks(at(6_000))
    after.feed.tick(BTC.id, 2, at(4_000))
    after.feed.tick(BTC.id, 3, at(4_001))
    await accepted(after.ctx.clock, () => after.ticks.latest(BTC.id)?.price === 3)
    expect(after.ticks.latest(BTC.id)?.seq).toBe(2)
  })

  it('restores a symbol that was silent long before the others', async () => {
    const { ctx, feed, ticks } = await startTicks()
    feed.tick(AAPL.id, 7, at(0))
    for (let minute = 0; minute < 20; minute += 1) {
      feed.tick(BTC.id, 100 + minute, ctx.now())
      await accepted(ctx.clock, () => ticks.latest(BTC.id)?.price === 100 + minute)
      ctx.clock.advance(MINUTE_MS)
    }
    await stop(ticks)
    const after = await startTicks(at(21 * MINUTE_MS))
    expect(after.ticks.latest(AAPL.id)).toMatchObject({ price: 7, time: at(0) })
  })

  it('keeps the same candles of every interval as without a restart', async () => {
    const said: { price: number; volume: number; time: Instant }[] = []
    let { ctx, feed, ticks } = await startTicks()
    for (let step = 0; step < 120; step += 1) {
      const tick = { price: 1_000 + ((step * 37) % 101), volume: step, time: ctx.now() }
      said.push(tick)
      feed.tick(BTC.id, tick.price, tick.time, tick.volume)
      await accepted(ctx.clock, () => ticks.latest(BTC.id)?.time === tick.time)
      ctx.clock.advance(47_000)
      const ends = ENDS.get(step)
      if (ends !== undefined) {
        if (ends === 'stopped') await stop(ticks)
        // To simulate a killed process, its clock is never advanced again.
        else await feed.stop()
        ;({ ctx, feed, ticks } = await startTicks(ctx.now()))
      }
    }
    for (const interval of ['1m', '5m', '30m', '1h', '1d'] as const) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whole positive numbers
      const expected = foldTicks(said as Parameters<typeof foldTicks>[0], interval)
      expect(await ticks.candles({ symbolId: BTC.id, interval, limit: 1_000 })).toEqual(expected)
      expect(await ticks.candles({ symbolId: BTC.id, interval, limit: 3 })).toEqual(expected.slice(-3))
      const before = instant(said[60]?.time ?? 0)
      const earlier = expected.filter((candle) => candle.openTime < before)
      expect(await ticks.candles({ symbolId: BTC.id, interval, limit: 20, before })).toEqual(earlier.slice(-20))
    }
  })
})

describe('the candle service', () => {
  it('closes a candle once, by the next tick, a heartbeat, or a long time after its end', async () => {
    const { ctx, feed, ticks } = await startTicks()
    const closed: number[] = []
    ticks.onCandleClosed(({ interval, candle }) => interval === '1m' && closed.push(candle.openTime))
    feed.tick(BTC.id, 1, at(0))
    await accepted(ctx.clock, () => ticks.latest(BTC.id) !== null)
    feed.heartbeat(BTC.id, at(100))
    ctx.clock.advance(59_500)
    feed.tick(BTC.id, 2, at(MINUTE_MS))
    await accepted(ctx.clock, () => ticks.latest(BTC.id)?.price === 2)
    expect(closed).toEqual([at(0)])
    ctx.clock.advance(MINUTE_MS)
    feed.heartbeat(BTC.id, at(2 * MINUTE_MS))
    await accepted(ctx.clock, () => closed.length === 2)
    expect(ticks.openCandle(BTC.id, '1m')).toBeNull()
    feed.tick(BTC.id, 3, at(2 * MINUTE_MS))
    await accepted(ctx.clock, () => ticks.latest(BTC.id)?.price === 3)
    ctx.clock.advance(3 * MINUTE_MS)
    expect(closed).toEqual([at(0), at(MINUTE_MS), at(2 * MINUTE_MS)])
  })

  it("joins candles of the feed's history and of own ticks without gap or overlap, and uses only accepted ticks", async () => {
    const ctx = createTestContext(database.db)
    const catalogue = (await import('#core/markets/catalogue.ts')).CATALOGUE.filter(({ id }) => id <= 2)
    const feed = createSyntheticFeed({ clock: ctx.clock, seed: 'a', symbols: catalogue })
    const symbol = catalogue[0]
    if (symbol === undefined) throw new Error('the catalogue is empty')
    ctx.clock.advance(30_000)
    const ticks = createTicks({ ctx, feed, symbols: catalogue })
    running.push(ticks)
    expect(ticks.day(symbol.id)).toBeNull()
    await ticks.start()
    expect(ticks.day(symbol.id)).toMatchObject({ spark: { length: 30 } })
    for (let step = 0; step < 200; step += 1) {
      ctx.clock.advance(1_000)
      await vi.waitFor(() => expect(ticks.watermark(symbol.id)).toBeGreaterThanOrEqual(ctx.now() - 1_000), POLL)
    }
    for (const interval of ['1m', '5m', '30m', '1h', '1d'] as const) {
      const shown = await ticks.candles({ symbolId: symbol.id, interval, limit: 50 })
      expect(shown).toHaveLength(50)
      const gaps = shown.slice(1).map((candle, index) => candle.openTime - (shown[index]?.openTime ?? 0))
      expect(new Set(gaps).size).toBe(1)
      expect(shown.at(-1)?.close).toBe(ticks.latest(symbol.id)?.price)
      const past = await feed.history({ symbolId: symbol.id, interval, before: TEST_START, limit: 10 })
      const same = shown.filter((candle) => past.some(({ openTime }) => openTime === candle.openTime))
      expect(past).toEqual(expect.arrayContaining(same.slice(0, -1)))
    }
    await stop(ticks)
    ctx.clock.jump(17 * MINUTE_MS)
    const after = createTicks({ ctx, feed, symbols: catalogue })
    running.push(after)
    await after.start()
    await accepted(ctx.clock, () => (after.latest(symbol.id)?.time ?? 0) > ctx.now() - 5_000)
    for (const interval of ['1m', '5m', '30m', '1h', '1d'] as const) {
      const shown = await after.candles({ symbolId: symbol.id, interval, limit: 100 })
      const gaps = shown.slice(1).map((candle, index) => candle.openTime - (shown[index]?.openTime ?? 0))
      expect(new Set(gaps).size).toBe(1)
      const past = await feed.history({ symbolId: symbol.id, interval, before: ctx.now(), limit: 100 })
      const away = past.filter(({ openTime }) => openTime > TEST_START + 10 * MINUTE_MS).slice(0, -1)
      for (const candle of away) expect(shown).toContainEqual(candle)
    }
    const day = after.day(symbol.id)
    expect(day?.last).toBe(after.latest(symbol.id)?.price)
    expect(day).toMatchObject(after.quote(symbol.id) ?? {})
  })
})
