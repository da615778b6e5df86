/**
 * How far our clock is ahead of another clock: at least `lowMs` and at most `highMs`. Negative when our clock is
 * behind. Null where nothing is known.
 */
export interface ClockBounds {
  readonly lowMs: number | null
  readonly highMs: number | null
}

/** Bounds that are known on both sides. */
export interface ClockEstimate {
  readonly lowMs: number
  readonly highMs: number
}

/**
 * The reply of another clock, with our times before the request and after the reply. All times are in ms since 1970.
 */
export interface TimeAnswer {
  readonly requestedAt: number
  readonly answeredAt: number
  readonly time: number
}

/**
 * The bounds that a reply proves. The other clock showed `time`, rounded down to `unitMs`, at some moment between
 * request and reply, so a slow reply makes the bounds wide, never wrong.
 */
export function boundsOfAnswer({ requestedAt, answeredAt, time }: TimeAnswer, unitMs = 1): ClockEstimate {
  return { lowMs: requestedAt - time - unitMs, highMs: answeredAt - time }
}

/**
 * 250 ms: clocks that are kept right still differ a little. Bounds that are apart by less than this do not contradict
 * each other.
 */
const TOLERATED_MS = 250

/**
 * Combines the bounds of several other clocks: the smallest range that contains every value which more than half of the
 * clocks allow. One wrong clock among three therefore changes nothing. Null when no value has a majority. Source: K.
 * Marzullo, agreement of interval clocks.
 */
export function agreedBounds(bounds: readonly ClockBounds[]): ClockEstimate | null {
  return majorityOf(bounds, 0) ?? majorityOf(bounds, TOLERATED_MS / 2)
}

function majorityOf(bounds: readonly ClockBounds[], marginMs: number): ClockEstimate | null {
  const ranges = bounds.map(({ lowMs, highMs }) => ({
    lowMs: lowMs === null ? Number.NEGATIVE_INFINITY : lowMs - marginMs,
    highMs: highMs === null ? Number.POSITIVE_INFINITY : highMs + marginMs,
  }))
  const isAllowed = (ms: number) =>
    ranges.filter(({ lowMs, highMs }) => lowMs <= ms && ms <= highMs).length > ranges.length / 2
  const allowed = ranges.flatMap(({ lowMs, highMs }) => [lowMs, highMs]).filter(isAllowed)
  return allowed.length === 0 ? null : { lowMs: Math.min(...allowed), highMs: Math.max(...allowed) }
}

/**
 * The least error that the bounds prove, in ms: positive when our clock is ahead, negative when it is behind, else 0.
 */
export function provenErrorMs({ lowMs, highMs }: ClockBounds): number {
  if (lowMs !== null && lowMs > 0) return lowMs
  return highMs !== null && highMs < 0 ? highMs : 0
}
