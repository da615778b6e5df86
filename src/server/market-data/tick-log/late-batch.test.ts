import { afterEach, describe, expect, it, vi } from 'vitest'
import { price, volume } from '#core/money/price.ts'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'
import { loadSourceLine } from '#server/market-data/tick-log/source-line.queries.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: TickService[] = []
afterEach(async () => {
  for (const ticks of running.splice(0)) await ticks.stop()
})

const at = (ms: number) => later(TEST_START, ms)
const POLL = { interval: 2 }

interface Bench {
  readonly ctx: TestContext
  readonly feed: ScriptedFeed
  readonly ticks: TickService
}

async function start(): Promise<Bench> {
  const ctx = createTestContext(database.db, TEST_START)
  const feed = new ScriptedFeed([BTC])
  const ticks = createTicks({ ctx, feed, symbols: [BTC], flushMs: 100 })
  await ticks.start()
  running.push(ticks)
  return { ctx, feed, ticks }
}

/** Reports a price at `at(ms)`, and waits until the price is in the log. */
async function log({ ctx, feed, ticks }: Bench, units: number, ms: number): Promise<void> {
  if (ctx.now() < at(ms)) ctx.clock.advance(at(ms) - ctx.now())
  feed.tick(BTC.id, units, at(ms))
  await vi.waitFor(() => {
    ctx.clock.advance(100)
    expect(ticks.latest(BTC.id)?.price).toBe(units)
  }, POLL)
}

async function appendLate({ ctx, ticks }: Bench): Promise<boolean> {
  const evidence = (ref: number, units: number, ms: number) => ({
    ref,
    price: price(units),
    volume: volume(1),
    time: at(ms),
  })
  const writing = ticks.appendLate({
    incident: ctx.newId(),
    symbolId: BTC.id,
    source: 'scripted',
    prices: [evidence(7, 999_00, 1_000), evidence(9, 999_50, 2_000)],
    leftOut: [{ from: 8, to: 8, why: 'absent' }],
  })
  const state = { isDone: false }
  const done = writing.finally(() => {
    state.isDone = true
  })
  await vi.waitFor(() => {
    ctx.clock.advance(100)
    expect(state.isDone).toBe(true)
  }, POLL)
  return await done
}

describe('late evidence', () => {
  it('continues the chain, and no reader treats it as a price', async () => {
    const bench = await start()
    await log(bench, 100_00, 0)
    await log(bench, 101_00, 3 * MINUTE_MS)
    expect(await appendLate(bench)).toBe(true)
    expect(bench.ticks.latest(BTC.id)).toMatchObject({ price: 101_00, seq: 2 })
    expect(bench.ticks.head().lastSeq).toBe(4)
    await log(bench, 102_00, 4 * MINUTE_MS)
    expect(bench.ticks.latest(BTC.id)?.seq).toBe(5)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, lastSeq: 5 })
    const between = await bench.ticks.between(BTC.id, TEST_START, at(5 * MINUTE_MS), 100)
    const logged = await loggedTicks(database.db, TEST_START, at(5 * MINUTE_MS), BTC.id)
    for (const ticks of [between, logged])
      expect(ticks.map(({ price: units }) => units)).toEqual([100_00, 101_00, 102_00])
    const { last, next } = await bench.ticks.aroundInstant(BTC.id, at(1_500))
    expect([last?.price, next?.price]).toEqual([100_00, 101_00])
    const candles = await bench.ticks.candles({ symbolId: BTC.id, interval: '1m', limit: 10 })
    expect(Math.max(...candles.map(({ high }) => high))).toBe(102_00)
  })

  it('completes the prices of its source, before and after packing', async () => {
    const bench = await start()
    await log(bench, 100_00, 3 * MINUTE_MS)
    await appendLate(bench)
    await log(bench, 101_00, 4 * MINUTE_MS)
    const query = { symbolId: BTC.id, source: 'scripted', from: at(1_500), to: at(1_500) }
    const line = await loadSourceLine(database.db, query)
    expect(line.prices.map(({ ref, q, isLate }) => [ref, q, isLate])).toEqual([
      [7, 2, true],
      [9, 3, true],
    ])
    expect(line.leftOut).toEqual([{ from: 8, to: 8, why: 'absent' }])
    expect(await packTicks(database.db, instant(bench.ctx.now() + 1), 1_000)).toBeGreaterThan(0)
    expect(await loadSourceLine(database.db, query)).toEqual(line)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, lastSeq: 4 })
  })

  it('never becomes the latest price after a restart, and the next batch follows it', async () => {
    const bench = await start()
    await log(bench, 100_00, 3 * MINUTE_MS)
    await appendLate(bench)
    await bench.ticks.stop()
    running.splice(0)
    const again = await start()
    expect(again.ticks.latest(BTC.id)).toMatchObject({ price: 100_00, seq: 1 })
    await log(again, 103_00, 5 * MINUTE_MS)
    expect(again.ticks.latest(BTC.id)?.seq).toBe(4)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, lastSeq: 4 })
  })
})
