import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { foldTicks } from '#core/markets/candle.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import { priceText } from '#core/money/price.ts'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { createReplayFeed } from '#server/market-data/feeds/replay/replay-feed.ts'
import { REPLAY_SOURCES } from '#server/market-data/feeds/replay/replay-symbols.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { describeFeedContract } from '#test/contracts/feed-contract.ts'

const DATA = fileURLToPath(new URL('../../../../../data', import.meta.url))
const OPEN_AT = instant(Date.parse('2026-11-19T16:00:00Z'))
const BTC = 1
const EURUSD = 201

describeFeedContract('replay', {
  create: (clock) => createReplayFeed({ clock, dataDir: DATA, startAt: later(OPEN_AT, -HOUR_MS) }),
  openAt: OPEN_AT,
  closedAt: instant(Date.parse('2026-11-22T12:00:00Z')),
})

/** The rows as text, parsed without the feed's own code. */
function rowsOf(file: string): { time: number; price: string }[] {
  const text = gunzipSync(readFileSync(`${DATA}/market/${file}`)).toString('utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([time, price]) => ({ time: Number(time), price: price ?? '' }))
}

const btcRows = rowsOf('BTCUSDT-binance-trades-20240808.csv.gz')
const firstTime = btcRows[0]?.time ?? 0
const lastTime = btcRows.at(-1)?.time ?? 0
const LOOP_MS = lastTime - firstTime + SECOND_MS

interface Playing {
  readonly startAt?: number
  readonly runAt?: number
  readonly forMs: number
  readonly speed?: number
  readonly offsetMs?: number
  readonly only?: number
}

async function play({ startAt = OPEN_AT, runAt = startAt, forMs, speed = 1, offsetMs = 0, only = BTC }: Playing) {
  const clock = new FakeClock(runAt)
  const sources = REPLAY_SOURCES.filter((source) => source.symbol.id === only)
  const feed = createReplayFeed({ clock, dataDir: DATA, startAt: instant(startAt), speed, offsetMs, sources })
  const ticks: SourceTick[] = []
  await feed.start({ tick: (tick) => ticks.push(tick), heartbeat: () => undefined, doubt: () => undefined })
  clock.advance(forMs)
  await feed.stop()
  return { feed, clock, ticks }
}

/** A price as written in the file, without trailing zeros. */
const plain = (tick: SourceTick, decimals = 2) => String(Number(priceText(tick.price, decimals)))
const since = (ticks: SourceTick[], at: number) => ticks.filter((tick) => tick.time >= at)

describe('the replay', () => {
  test("plays every row once, at the row's own offset from the start, in file order", async () => {
    const { ticks } = await play({ forMs: LOOP_MS - 1 })
    const playedRows = since(ticks, OPEN_AT).map((tick) => ({
      time: tick.time - OPEN_AT + firstTime,
      price: plain(tick),
    }))
    expect(playedRows).toEqual(btcRows)
  })

  test('the newest tick at any moment is the last row at or before it, also within one millisecond', async () => {
    const counts = new Map<number, number>()
    for (const { time } of btcRows) counts.set(time, (counts.get(time) ?? 0) + 1)
    const busiest = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))
    expect(busiest[1]).toBeGreaterThan(500)

    const { ticks } = await play({ forMs: LOOP_MS - 1 })
    for (const expiry of [busiest[0] - 1, busiest[0], busiest[0] + 1, firstTime + 60_000, firstTime + 123_456]) {
      const row = btcRows.findLast(({ time }) => time <= expiry)
      const tick = ticks.findLast(({ time }) => time <= OPEN_AT + expiry - firstTime)
      expect(tick && plain(tick)).toBe(row?.price)
    }
  })

  test('repeats a recording one second after its last row', async () => {
    const { ticks } = await play({ runAt: OPEN_AT + LOOP_MS - 2 * SECOND_MS, forMs: 4 * SECOND_MS })
    const seam = ticks.findIndex((tick) => tick.time === OPEN_AT + LOOP_MS)
    const [before, after] = [ticks[seam - 1], ticks[seam]]
    expect(before && plain(before)).toBe(btcRows.at(-1)?.price)
    expect(after && plain(after)).toBe(btcRows[0]?.price)
    expect((after?.time ?? 0) - (before?.time ?? 0)).toBe(SECOND_MS)
  })

  test('plays ten times as many rows at ten times the speed', async () => {
    const { ticks } = await play({ forMs: 30 * SECOND_MS, speed: 10 })
    const playedTicks = since(ticks, OPEN_AT)
    const rows = btcRows.filter(({ time }) => time - firstTime <= 300_000)
    expect(playedTicks.map((tick) => plain(tick))).toEqual(rows.map((row) => row.price))
    expect(playedTicks.map((tick) => tick.time - OPEN_AT)).toEqual(
      rows.map(({ time }) => Math.ceil((time - firstTime) / 10)),
    )
  })

  test('begins later in the recording with an offset', async () => {
    const { ticks } = await play({ forMs: SECOND_MS, offsetMs: 100_000 })
    const row = btcRows.find(({ time }) => time - firstTime >= 100_000)
    expect(plain(since(ticks, OPEN_AT)[0] ?? expect.fail('no tick'))).toBe(row?.price)
  })

  test('shortens the weekend inside the forex recording to a second', async () => {
    const rows = rowsOf('EURUSD-oanda-quotes-20140501-05.csv.gz')
    const gaps = rows.map((row, at) => row.time - (rows[at - 1]?.time ?? row.time))
    const hole = gaps.findIndex((gap) => gap > DAY_MS)
    const [before, after] = [rows[hole - 1], rows[hole]]
    // The broker also pauses for some minutes each day, and the replay shortens every gap of more than 5 minutes.
    const offsetMs = gaps.slice(0, hole).reduce((sum, gap) => sum + (gap > 5 * MINUTE_MS ? SECOND_MS : gap), 0)
    const { ticks } = await play({ forMs: 2 * SECOND_MS, offsetMs, only: EURUSD })
    const playedTicks = since(ticks, OPEN_AT)
    const first = playedTicks.findIndex((tick) => tick.time === OPEN_AT + SECOND_MS)
    expect(plain(playedTicks[first - 1] ?? expect.fail('no tick'), 6)).toBe(String(Number(before?.price)))
    expect(plain(playedTicks[first] ?? expect.fail('no tick'), 6)).toBe(String(Number(after?.price)))
  })

  test.each(REPLAY_SOURCES)('$symbol.code: builds candles of the past from exactly its ticks', async ({ symbol }) => {
    const { feed, clock, ticks } = await play({ forMs: 10 * MINUTE_MS, only: symbol.id })
    const whole = foldTicks(since(ticks, OPEN_AT), '1m')
    const candles = await feed.history({ symbolId: symbol.id, interval: '1m', before: clock.now(), limit: 20 })
    expect(candles.filter((candle) => candle.openTime >= OPEN_AT)).toEqual(
      whole.filter((candle) => candle.openTime + MINUTE_MS <= clock.now()),
    )
  })

  test('throws immediately when a file is missing', () => {
    const clock = new FakeClock(OPEN_AT)
    expect(() => createReplayFeed({ clock, dataDir: '/nowhere', startAt: OPEN_AT })).toThrow('nowhere')
  })
})
