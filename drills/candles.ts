// `npm run drill -- candles`: starts, stops and kills servers on recorded prices around bar boundaries, on shifted
// clocks. Compares the candles of every interval, from sockets and calls, with candles calculated from the tick log and
// with the recording. A plan is a random sequence of starts and stops from one seed. `--rounds N`: number of plans
// (50). `--lanes N`: plans that run in parallel (2). `--from N`: the first seed (1).
import { createHash } from 'node:crypto'
import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { createReplayFeed } from '#server/market-data/feeds/replay/replay-feed.ts'
import { REPLAY_SOURCES } from '#server/market-data/feeds/replay/replay-symbols.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { CandleAudit, type WitnessedMarket } from '#test/support/candle-audit.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { startThrowAwayPostgres, type ThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { CandleSite } from './lib/candle-site.ts'
import { numberFor, roundsOr } from './lib/report.ts'

const BARS = 200
/** About 3 s from the start of a server until it reads prices. */
const BOOT_MS = 3 * SECOND_MS
const BOUNDARIES: readonly ChartInterval[] = ['1m', '1m', '5m', '30m', '1h', '1d']
const sources = REPLAY_SOURCES.filter(({ symbol }) => ['BTC', 'ETH', 'LTC'].includes(symbol.code))
const symbols = sources.map(({ symbol }) => symbol)

interface Outcome {
  readonly compared: number
  readonly holes: number
  readonly differences: readonly string[]
}

const rounds = roundsOr(50)
const first = numberFor('--from', 1)
const waiting = Array.from({ length: rounds }, (_, at) => first + at)
let [compared, holes, failed] = [0, 0, 0]
const bars = createRecordedBars()
/** Runs plans until none is left, on a database whose clock is shifted with that of the server. */
async function lane(): Promise<void> {
  const postgres = await startThrowAwayPostgres({ hasOwnClock: true })
  try {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const outcome = await play(seed, bars, postgres)
      compared += outcome.compared
      holes += outcome.holes
      if (outcome.differences.length > 0) failed += 1
      console.log(`plan ${seed}: ${outcome.compared} candles compared, ${outcome.differences.length} differ`)
      for (const difference of outcome.differences) console.log(`    ${difference}`)
    }
  } finally {
    postgres.stop()
  }
}
await Promise.all(Array.from({ length: numberFor('--lanes', 2) }, lane))
console.log(
  `${rounds} plans, ${compared} candles compared, ${holes} times without prices, ${failed} plans with differing candles`,
)
process.exitCode = failed === 0 && compared > 0 ? 0 : 1

/** Runs a server two or three times, each time across a bar boundary. */
async function play(seed: number, bars: WitnessedMarket, postgres: ThrowAwayPostgres): Promise<Outcome> {
  const draw = drawing(seed)
  const name = `candles_${seed}`
  const result = postgres.call('psql', ['-X', '-q', '-d', postgres.url, '-c', `create database ${name}`])
  if (result.status !== 0) throw new Error(result.stderr)
  const audit = new CandleAudit(bars)
  const database = { ...postgres, url: new URL(`/${name}`, postgres.url).href }
  const site = new CandleSite(database, symbols, (kline) => audit.hear(kline))
  try {
    const runs = 2 + draw(2)
    const boundary = nextBoundary(Date.now() + draw(24) * HOUR_MS, BOUNDARIES[draw(BOUNDARIES.length)] ?? '1m')
    let at = boundary - BOOT_MS + draw(25) * SECOND_MS - 10 * SECOND_MS
    for (let run = 1; run <= runs; run += 1) {
      await site.start(at)
      const startedAt = site.now
      await pause((run === runs ? 16 : 3 + draw(18)) * SECOND_MS)
      const log = () => site.readLog()
      await audit.look({
        now: site.now,
        startedAt,
        log,
        show: (symbol, interval) => site.show(symbol, interval, BARS),
        dayVolume: (symbol) => site.dayVolume(symbol),
      })
      const isKilled = draw(5) < 3
      await site.end(isKilled)
      at = site.now + [0, 0, 5 * SECOND_MS, 40 * SECOND_MS, untilBoundary(site.now), 20 * MINUTE_MS, DAY_MS][draw(7)]!
    }
    await audit.finish(await site.readLog())
    return { compared: audit.compared, holes: await site.countHoles(), differences: audit.differences }
  } finally {
    await site.remove()
  }
}

function nextBoundary(at: number, interval: ChartInterval): number {
  const length = intervalMs(interval)
  return Math.ceil(at / length) * length
}

/** Returns the shift that makes prices begin a few seconds after a full minute. */
function untilBoundary(at: number): number {
  return Math.max(0, nextBoundary(at + BOOT_MS, '1m') + 3 * SECOND_MS - BOOT_MS - at)
}

/** Creates a generator of integers below a bound, reproducible from a seed. */
function drawing(seed: number): (below: number) => number {
  let count = 0
  return (below) => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE(0) % below
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Returns the bars of the recording, from a feed whose clock is later than the end of all runs. */
function createRecordedBars(): WitnessedMarket {
  const end = instant(Math.floor(Date.now() / DAY_MS) * DAY_MS + 6 * DAY_MS)
  const feed = createReplayFeed({
    clock: new FakeClock(end),
    dataDir: projectFile('data/'),
    startAt: instant(0),
    sources,
  })
  const all = new Map<string, Promise<ReadonlyMap<number, Candle>>>()
  async function barsOf({ id }: MarketSymbol, interval: ChartInterval): Promise<ReadonlyMap<number, Candle>> {
    // All bars of the 8 days before `end`, and `BARS` bars before that: clients request the newest `BARS` bars at any
    // time of the runs.
    const limit = Math.ceil((8 * DAY_MS) / intervalMs(interval)) + BARS
    const candles = await feed.history({ symbolId: id, interval, before: end, limit })
    return new Map(candles.map((bar) => [bar.openTime, bar]))
  }
  for (const symbol of symbols)
    for (const interval of CHART_INTERVALS) all.set(`${symbol.id} ${interval}`, barsOf(symbol, interval))
  return {
    symbols,
    hasHistory: true,
    isExact: true,
    knowsEveryMinute: true,
    bar: async ({ id }, interval, openTime) => (await all.get(`${id} ${interval}`))?.get(openTime) ?? null,
  }
}
