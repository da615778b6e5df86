import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, HOUR_MS, instant, type Instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { Random } from '../kernel/random.ts'

/** `exchange` has a history of closed bars, `quotes` has none. */
export const FEED_KINDS = ['synthetic', 'replay', 'exchange', 'quotes'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

/** One run of the server and the pause after it. */
export interface Run {
  readonly startAt: Instant
  readonly endAt: Instant
  readonly isKilled: boolean
  /** The clock error of the server during this run. */
  readonly clockMs: number
}

export interface RestartPlan {
  readonly seed: number
  readonly feed: FeedKind
  readonly runs: readonly Run[]
  /** The number of its last trades that a source sends again when a server connects. */
  readonly resent: number
  /** The probability that a statement is slow and takes up to a second. */
  readonly slow: number
}

const BOUNDARIES: readonly ChartInterval[] = ['1m', '1m', '5m', '30m', '1h', '1d']
/** The last run is longer than a bar stays open for late prices, so that all earlier bars are closed at its end. */
const LAST_RUN_MS = 150 * SECOND_MS

/** Draws starts and ends around the boundaries of bars. The same seed gives the same plan. */
export function drawRestartPlan(seed: number): RestartPlan {
  const random = new Random(seed, 'restarts')
  const feed = FEED_KINDS[seed % FEED_KINDS.length] ?? 'synthetic'
  const count = random.integer(2, 4)
  const runs: Run[] = []
  let at: number = nextBoundary(TEST_START + random.integer(0, 5) * HOUR_MS, random.pick(BOUNDARIES))
  at += random.pick([
    0,
    random.integer(1, 15) * SECOND_MS,
    random.integer(-5_000, 20_000),
    random.integer(0, MINUTE_MS),
  ])
  for (let run = 1; run <= count; run += 1) {
    const isLast = run === count
    const endAt = isLast ? at + LAST_RUN_MS : endOf(at, random)
    const clockMs = random.chance(0.15) ? clockError(feed, random) : 0
    runs.push({ startAt: instant(at), endAt: instant(endAt), isKilled: random.chance(0.6), clockMs })
    at = endAt + pauseAfter(endAt, random)
  }
  return { seed, feed, runs, resent: random.integer(0, 6), slow: random.chance(0.3) ? 0.05 : 0 }
}

function endOf(startAt: number, random: Random): number {
  const length = random.pick([
    random.integer(300, 3_000),
    random.integer(3_000, 50_000),
    nextBoundary(startAt, '1m') - startAt + random.integer(-3_000, 15_000),
    nextBoundary(startAt, '5m') - startAt < 100_000
      ? nextBoundary(startAt, '5m') - startAt + random.integer(0, 9_000)
      : 70_000,
  ])
  return startAt + Math.max(200, length)
}

function pauseAfter(at: number, random: Random): number {
  const kind = random.integer(0, 9)
  if (kind < 3) return random.integer(50, 4_000)
  if (kind < 5) return nextBoundary(at, '1m') - at + random.pick([0, random.integer(1_000, 15_000)])
  if (kind < 7) return random.integer(5, 100) * SECOND_MS
  if (kind < 8) return nextBoundary(at, '5m') - at + random.pick([0, random.integer(1_000, 15_000)])
  if (kind < 9) return random.integer(3, 70) * MINUTE_MS
  return DAY_MS + random.integer(-MINUTE_MS, MINUTE_MS)
}

/** The clock of an exchange is independent. Its prices are rejected when they are too far ahead of our clock. */
function clockError(feed: FeedKind, random: Random): number {
  const maxErrorMs = feed === 'synthetic' || feed === 'replay' ? 90_000 : 3_000
  return -random.integer(500, maxErrorMs)
}

function nextBoundary(at: number, interval: ChartInterval): number {
  const length = intervalMs(interval)
  return Math.ceil((at + 1) / length) * length
}
