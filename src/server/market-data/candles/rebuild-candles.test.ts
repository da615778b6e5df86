import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { foldTicks } from '#core/markets/candle.ts'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { AdminParts } from '#server/operator-cli/command.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { loadSettings } from '#server/settings/site-settings.ts'
import { newestCandles } from '#server/market-data/candles/candle.queries.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService, ClosedCandle } from '#server/market-data/ticks.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { holesBetween } from '#server/market-data/tick-log/tick-hole.queries.ts'
import { AAPL, BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const POLL = { interval: 1 }
let ctx: TestContext
let feed: ScriptedFeed
let ticks: TickService
let parts: AdminParts
const at = (ms: number) => later(TEST_START, ms)

/** A server runs for nine minutes, with a price of each symbol every ten seconds. */
beforeEach(async () => {
  ctx = createTestContext(database.db)
  feed = new ScriptedFeed([BTC, AAPL])
  ticks = createTicks({ ctx, feed, symbols: feed.symbols, flushMs: 100 })
  await ticks.start()
  parts = { ctx, settings: await loadSettings(database.db), catalogue: fixedCatalogue(), dataDir: '/nowhere' }
  for (let step = 0; step < 54; step += 1) {
    await speak(10_000 + ((step * 37) % 101), at(step * 10 * SECOND_MS))
    ctx.clock.advance(at((step + 1) * 10 * SECOND_MS) - ctx.now())
  }
  // Closed candles are stored a second later.
  ctx.clock.advance(2 * SECOND_MS)
  await vi.waitUntil(async () => (await stored()).length === 2 * (8 + 1), POLL)
})
afterEach(() => ticks.stop())

async function speak(units: number, time: Instant): Promise<void> {
  for (const { id } of feed.symbols) feed.tick(id, units + id, time, id)
  ctx.clock.advance(100)
  await vi.waitFor(() => expect(ticks.latest(AAPL.id)?.time).toBe(time), POLL)
}

const stored = () => newestCandles(database.db, [BTC.id, AAPL.id], 100)
const rebuild = (...options: string[]) => runCommand(parts, ['candles', 'rebuild', ...options], 'operator')
const actions = () =>
  database.db.selectFrom('admin_action').select(['who', 'what', 'target', 'outcome', 'after']).orderBy('id').execute()

/** Corrupts candles like a faulty start: the minute and the five minutes around 15:03 get a high from a history. */
async function spoil(symbolId = BTC.id): Promise<ClosedCandle[]> {
  const before = await stored()
  for (const [interval, open] of [
    ['1m', at(3 * MINUTE_MS)],
    ['5m', at(0)],
  ] as const) {
    await database.db
      .updateTable('candle')
      .set({ high: 999_999 })
      .where('symbol_id', '=', symbolId)
      .where('interval', '=', interval)
      .where('open_ms', '=', BigInt(open))
      .execute()
  }
  return before
}

describe('candles rebuild', () => {
  it('P9, P10: folds corrupted candles from the log, lists them, and finds none the second time', async () => {
    const before = await spoil()
    // Deletes a stored minute of AAPL, and stores a minute of BTC for which the log has no tick.
    await database.db
      .deleteFrom('candle')
      .where('symbol_id', '=', AAPL.id)
      .where('open_ms', '=', BigInt(at(MINUTE_MS)))
      .execute()
    const row = { symbol_id: BTC.id, interval: '1m', open: 1, high: 1, low: 1, close: 1, volume: 1 }
    await database.db
      .insertInto('candle')
      .values({ ...row, open_ms: at(-5 * MINUTE_MS) })
      .execute()

    const { exitCode, lines } = await rebuild()
    expect(exitCode).toBe(0)
    const output = lines.join('\n')
    expect(output).toMatch(/BTC +1m +\d+ +1 +0 +1 +1\n/)
    expect(output).toMatch(/BTC +5m +1 +1 +0 +0 +1\n/)
    expect(output).toMatch(/AAPL +1m +\d+ +0 +1 +0 +1\n/)
    expect(output).toContain('BTC 1m 2026-03-18T15:03:00.000Z: [')
    expect(output).toContain('9999.9900')
    expect(output).toContain('BTC 1m 2026-03-18T14:55:00.000Z: [0.0100, 0.0100, 0.0100, 0.0100, 0.000001] -> none')
    expect(output).toContain('4 candles were corrected.')
    expect(await stored()).toEqual(before)

    const log = await loggedTicks(database.db, at(-MINUTE_MS), at(10 * MINUTE_MS), BTC.id)
    for (const interval of CHART_INTERVALS) {
      const folds = foldTicks(log, interval)
      for (const { candle } of (await stored()).filter((one) => one.symbolId === BTC.id && one.interval === interval))
        expect(folds).toContainEqual(candle)
    }
    const again = await rebuild()
    expect(again.lines.at(-1)).toBe('0 candles were corrected.')
    expect(again.lines.join('\n')).not.toContain('->')
    expect(await actions()).toMatchObject([
      {
        who: 'operator',
        what: 'candles rebuild',
        target: 'all symbols',
        outcome: 'done',
        after: { changed: 2, added: 1, removed: 1 },
      },
      { outcome: 'done', after: { changed: 0, added: 0, removed: 0, marked: 0, holes: 0 } },
    ])
  })

  it('P9: marks a bar that mixed ticks with history as partial, so that the history replaces it', async () => {
    await spoil()
    await rebuild()
    const holes = await holesBetween(database.db, { symbolId: BTC.id, from: at(MINUTE_MS), until: at(9 * MINUTE_MS) })
    expect(holes).toEqual([{ symbolId: BTC.id, from: at(180 * SECOND_MS), until: at(190 * SECOND_MS) }])
    const partial = async () =>
      (await ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 20 }))
        .filter(({ isPartial }) => isPartial)
        .map(({ candle }) => candle.openTime)
    await vi.waitFor(async () => expect(await partial()).toEqual([at(3 * MINUTE_MS)]), POLL)
  })

  it('P10: corrects the candles of the running server at once, including an open bar', async () => {
    await ticks.stop()
    await spoil()
    // The server starts after the corruption, so it folds the open hour from the corrupted five-minute bar.
    ticks = createTicks({ ctx, feed, symbols: feed.symbols, flushMs: 100 })
    await ticks.start()
    const changed: string[] = []
    ticks.onHistoryChanged(({ symbolId, interval }) => changed.push(`${symbolId} ${interval}`))
    const hour = () => ticks.openCandle(BTC.id, '1h')?.high
    expect(hour()).toBe(999_999)
    await rebuild('--symbol', 'btc')
    await vi.waitFor(() => expect(hour()).toBeLessThan(20_000), POLL)
    expect(changed).toContain(`${BTC.id} 1m`)
    await speak(10_050, ctx.now())
    expect(hour()).toBeLessThan(20_000)
    const [five] = (await ticks.candles({ symbolId: BTC.id, interval: '5m', limit: 2 })).map(({ high }) => high)
    expect(five).toBeLessThan(20_000)
  })

  it('changes nothing in a dry run, and otherwise only candles of the selected range', async () => {
    await spoil(BTC.id)
    await spoil(AAPL.id)
    const before = await stored()
    const dry = await rebuild('--dry-run')
    expect(dry.lines.at(-1)).toBe('Nothing was changed: a dry run.')
    expect(dry.lines.join('\n')).toContain('AAPL 5m')
    expect(await stored()).toEqual(before)
    const one = await rebuild('--symbol', 'AAPL', '--from', '2026-03-18', '--until', '2026-03-18')
    expect(one.lines.at(-1)).toBe('2 candles were corrected.')
    const [other] = (await rebuild('--from', '2026-03-19')).lines
    expect(other).toBe('No closed candles in this period.')
    expect((await actions()).map(({ outcome }) => outcome)).toEqual(['looked', 'done', 'done'])
    expect((await rebuild('--limit', '1')).lines.filter((line) => line.includes('->'))).toHaveLength(1)
  })

  it.each([
    [['--symbol', 'NOPE'], 1, 'There is no symbol NOPE.'],
    [['--from', '2026-03-19', '--until', '2026-03-18'], 1, '--until is before --from.'],
    [['--from', 'yesterday'], 2, '--from is not a day such as 2026-11-20.'],
    [['--until', '2026-02-30'], 2, '--until is not a day such as 2026-11-20.'],
    [['--limit', '0'], 2, '--limit must be a whole number from 1 to 9999.'],
    [['btc'], 2, '"btc" is one argument too many'],
  ])('refuses %j and changes nothing', async (options, code, why) => {
    await spoil()
    const before = await stored()
    const { exitCode, lines } = await rebuild(...options)
    expect(exitCode).toBe(code)
    expect(lines[0]).toContain(why)
    expect(await stored()).toEqual(before)
  })

  it('names candles that it cannot fold again, and leaves them unchanged', async () => {
    await spoil()
    await packTicks(database.db, instant(at(4 * MINUTE_MS)), 10_000)
    ctx.clock.jump(5 * 24 * 60 * MINUTE_MS)
    await speak(10_000, ctx.now())
    await dropTicks(database.db, later(ctx.now(), -3 * 24 * 60 * MINUTE_MS))
    const { lines } = await rebuild()
    expect(lines.join('\n')).toMatch(/\d+ candles before 2026-03-18T15:0\d:\d\d\.\d{3}Z were not changed/)
    const spoiled = (await stored()).filter(({ candle }) => candle.high === 999_999)
    expect(spoiled.map(({ interval }) => interval)).toEqual(['1m', '5m'])
  })
})
