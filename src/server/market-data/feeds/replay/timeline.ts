import { assert } from '#core/result.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** How recorded time is laid over the present. */
export interface Timeline {
  /** When the replay reads the recording's position `offsetMs`. Before it lie earlier loops, without end. */
  readonly startAt: Instant
  /** Recorded milliseconds that pass in one real one. */
  readonly speed: number
  readonly offsetMs: number
  /** The recording's length, with the second between its last row and its first row come again. */
  readonly loopMs: number
}

/**
 * When a row happens in the replay: the row at `position` (milliseconds into the recording, gaps shortened) of the
 * given loop, 0 being the loop of the start. Rounded up to a whole millisecond, so rows keep their order and never
 * come before their time. At speed 1 and offset 0 it is simply `startAt + loop × loopMs + position`.
 */
export function recordedTimeToInstant(timeline: Timeline, loop: number, position: number): Instant {
  const { startAt, speed, offsetMs, loopMs } = timeline
  return instant(startAt + Math.ceil((loop * loopMs + position - offsetMs) / speed))
}

/**
 * Counts rows over all loops: row `r` of loop `l` has the number l × rows + r. Answers the first that happens at or
 * after `at`.
 */
export function firstRowAt(timeline: Timeline, positions: Float64Array, at: Instant): number {
  const rows = positions.length
  const { startAt, speed, offsetMs, loopMs } = timeline
  assert(rows > 0, 'a recording has rows')
  // The loop by arithmetic, then put right: rounding may have moved a row over a loop's edge.
  let loop = Math.floor(((at - startAt) * speed + offsetMs) / loopMs)
  while (recordedTimeToInstant(timeline, loop, positions[rows - 1] ?? 0) < at) loop += 1
  while (recordedTimeToInstant(timeline, loop - 1, positions[rows - 1] ?? 0) >= at) loop -= 1

  let low = 0
  let high = rows - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (recordedTimeToInstant(timeline, loop, positions[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return loop * rows + low
}
