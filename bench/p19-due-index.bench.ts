// P19: the engine's index of expiries, a million of them on 200 symbols, against as many `setTimeout`. Inserts in a second of
// processor time (gate 10, goal 50; by the clock a run of some milliseconds measures what else the machine does) and the memory it keeps (goal and gate 64 MB); then a whole day of the engine's ticks on a made-up clock: none
// may come early, and none later than one tick. BENCH_PAIRS (5), BENCH_TIMERS (1,000,000).
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { assert } from '#core/result.ts'
import { DAY_MS, type Instant, instant, later } from '#core/time/instant.ts'
import { DueIndex, type DueKey } from '#server/trading/engine/due-index.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
/** By then each side is compiled for good, which has no share in what the hundredth million costs. */
const WARM_ROUNDS = { index: 30, timers: 3 }
const TIMERS = Number(process.env['BENCH_TIMERS'] ?? 1_000_000)
const SYMBOLS = 200
/** The engine looks at what is due this often when no price comes. */
const TICK_MS = 250
const MB = 1_048_576
/** As of any afternoon: an instant is too large for the engine of JavaScript to keep it as a small integer. */
const START = instant(1_790_000_000_000)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

console.log(`${machine()}, ${TIMERS} expiries of a day on ${SYMBOLS} symbols`)
/** In columns: a million objects that were made long ago took longer to read than the index takes to hold them. */
const symbolIds = Int32Array.from({ length: TIMERS }, () => 1 + randomInt(SYMBOLS))
const expiries = Float64Array.from({ length: TIMERS }, () => later(START, 1 + randomInt(DAY_MS)))
const indexMb: number[] = []
const timersMb: number[] = []
for (let round = 0; round < WARM_ROUNDS.timers; round += 1) fillTimers().clear()
for (let round = 0; round < WARM_ROUNDS.index; round += 1) fillIndex()
/** One is in use all the time, as in a server: code for what nobody has is thrown away with the garbage, and compiled anew. */
const inUse = new DueIndex()
inUse.add(keyOf(0))
const ratios = await pairs(
  PAIRS,
  ['inserts a second of processor: index', async () => measured(fillIndex, indexMb)],
  ['inserts a second of processor: setTimeout', async () => measured(fillTimers, timersMb)],
)
verdict('P19 index : setTimeout', ratios, { gate: 10, goal: 50 })
verdict('P19 most MB the index keeps', [Math.max(...indexMb)], { gate: 64, goal: 64, kind: 'most' })
console.log(`MB that setTimeout keeps: ${Math.max(...timersMb).toFixed(0)}`)
runDay(fillIndex().kept)
assert(inUse.size === 1, 'it was in use until here')

interface Filled {
  readonly kept: unknown
  readonly ms: number
  readonly clear: () => void
}

function fillIndex(): Filled & { readonly kept: DueIndex } {
  const kept = new DueIndex()
  const started = processorMs()
  for (let nth = 0; nth < TIMERS; nth += 1) kept.add(keyOf(nth))
  return { kept, ms: processorMs() - started, clear: () => {} }
}

function fillTimers(): Filled {
  const kept: NodeJS.Timeout[] = []
  const started = processorMs()
  for (let nth = 0; nth < TIMERS; nth += 1) kept.push(setTimeout(nothing, keyOf(nth).expiresAt - START + DAY_MS))
  return { kept, ms: processorMs() - started, clear: () => kept.forEach((timer) => clearTimeout(timer)) }
}

function keyOf(nth: number): DueKey {
  return { symbolId: symbolIds[nth] ?? 0, expiresAt: instant(expiries[nth] ?? 0) }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** What it fires does not matter: all of them are taken back before. */
function nothing(): void {}

async function measured(fill: () => Filled, megabytes: number[]): Promise<number> {
  await collected()
  const before = memory()
  const { ms, clear, kept } = fill()
  collect()
  megabytes.push((memory() - before) / MB)
  clear()
  assert(kept !== null, 'it was kept until here')
  return TIMERS / (ms / 1_000)
}

/** The processor time is that of all threads: what collects the garbage of one side must not go on beside the other. */
async function collected(): Promise<void> {
  collect()
  for (;;) {
    const before = processorMs()
    await pause(20)
    if (processorMs() - before < 2) return
  }
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Every tick of the day takes what is due by then. */
function runDay(index: DueIndex): void {
  const wanted = new Set<number>()
  for (let nth = 0; nth < TIMERS; nth += 1) wanted.add(markOf(keyOf(nth)))
  const started = performance.now()
  let early = 0
  let late = 0
  for (let now: Instant = START; now <= later(START, DAY_MS + TICK_MS); now = later(now, TICK_MS)) {
    for (let symbolId = 1; symbolId <= SYMBOLS; symbolId += 1) {
      for (const key of index.takeBefore(symbolId, now)) {
        if (key.expiresAt >= now) early += 1
        if (key.expiresAt < now - TICK_MS) late += 1
        assert(wanted.delete(markOf(key)), 'each is handed out once')
      }
    }
  }
  const seconds = (performance.now() - started) / 1_000
  assert(wanted.size === 0, 'none is left')
  console.log(
    `a day of ticks in ${seconds.toFixed(1)} s: ${early} early, ${late} later than a tick, none twice, none lost`,
  )
  if (early + late > 0) process.exitCode = 1
}

/** Another number for each key. */
function markOf({ symbolId, expiresAt }: DueKey): number {
  return symbolId * 2 * DAY_MS + (expiresAt - START)
}
