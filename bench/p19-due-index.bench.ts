// P19: the engine's index of expiries, a million on 200 symbols, compared with as many `setTimeout` calls. Measures
// inserts per second of processor time (gate 10, goal 50), as elapsed time of a run of some milliseconds depends on
// other load. Also measures its memory (goal and gate 64 MB). Then runs a whole day of the engine's ticks on a fake
// clock: no expiry may fire early, or more than one tick late. Defaults: BENCH_PAIRS 5, BENCH_TIMERS 1,000,000.
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { assert } from '#core/result.ts'
import { DAY_MS, type Instant, instant, later } from '#core/time/instant.ts'
import { DueIndex, type DueKey } from '#server/trading/engine/due-index.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
/** Rounds before the measurement, so that the code of each side is compiled and compilation is not measured. */
const WARM_ROUNDS = { index: 30, timers: 3 }
const TIMERS = Number(process.env['BENCH_TIMERS'] ?? 1_000_000)
const SYMBOLS = 200
/** 250 ms: the engine checks due expiries at this interval when no price arrives. */
const TICK_MS = 250
const MB = 1_048_576
/** A realistic time: V8 cannot store such an instant as a small integer. */
const START = instant(1_790_000_000_000)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

console.log(`${machine()}, ${TIMERS} expiries of a day on ${SYMBOLS} symbols`)
/** The keys are in typed arrays, because reading a million old objects would take longer than the work of the index. */
const symbolIds = Int32Array.from({ length: TIMERS }, () => 1 + randomInt(SYMBOLS))
const expiries = Float64Array.from({ length: TIMERS }, () => later(START, 1 + randomInt(DAY_MS)))
const indexMb: number[] = []
const timersMb: number[] = []
for (let round = 0; round < WARM_ROUNDS.timers; round += 1) fillTimers().clear()
for (let round = 0; round < WARM_ROUNDS.index; round += 1) fillIndex()
/**
 * One index stays in use, as in a server. Otherwise its compiled code would be collected with the garbage and compiled
 * again.
 */
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
runDay(fillIndex().content)
assert(inUse.size === 1, 'it was in use until here')

interface Filled {
  readonly content: unknown
  readonly ms: number
  readonly clear: () => void
}

function fillIndex(): Filled & { readonly content: DueIndex } {
  const index = new DueIndex()
  const started = processorMs()
  for (let nth = 0; nth < TIMERS; nth += 1) index.add(keyOf(nth))
  return { content: index, ms: processorMs() - started, clear: () => {} }
}

function fillTimers(): Filled {
  const timers: NodeJS.Timeout[] = []
  const started = processorMs()
  for (let nth = 0; nth < TIMERS; nth += 1) timers.push(setTimeout(nothing, keyOf(nth).expiresAt - START + DAY_MS))
  return { content: timers, ms: processorMs() - started, clear: () => timers.forEach((timer) => clearTimeout(timer)) }
}

function keyOf(nth: number): DueKey {
  return { symbolId: symbolIds[nth] ?? 0, expiresAt: instant(expiries[nth] ?? 0) }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** The callback is irrelevant, as all timers are cleared before they fire. */
function nothing(): void {}

async function measured(fill: () => Filled, megabytes: number[]): Promise<number> {
  await collected()
  const before = memory()
  const { ms, clear, content } = fill()
  collect()
  megabytes.push((memory() - before) / MB)
  clear()
  assert(content !== null, 'it was kept until here')
  return TIMERS / (ms / 1_000)
}

/**
 * Processor time includes all threads, so one side's garbage collection must not run during the other's measurement.
 */
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

/**
 * Runs a day of the engine's ticks. Each tick takes the keys that have expired by then. Every key must come once, not
 * early, and not more than one tick late.
 */
function runDay(index: DueIndex): void {
  const wanted = new Set<number>()
  for (let nth = 0; nth < TIMERS; nth += 1) wanted.add(markOf(keyOf(nth)))
  const started = performance.now()
  let early = 0
  let late = 0
  for (let now: Instant = START; now <= later(START, DAY_MS + TICK_MS); now = later(now, TICK_MS)) {
    for (let symbolId = 1; symbolId <= SYMBOLS; symbolId += 1) {
      for (const key of index.takeBefore({ symbolId }, now)) {
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

/** Returns a unique number for each key. */
function markOf({ symbolId, expiresAt }: DueKey): number {
  return symbolId * 2 * DAY_MS + (expiresAt - START)
}
