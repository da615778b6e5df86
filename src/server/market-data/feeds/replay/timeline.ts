import { assert } from '#core/result.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** How recorded time is mapped to the present. */
export interface Timeline {
  /** When the replay reaches the recording's position `offsetMs`. Earlier loops precede it endlessly. */
  readonly startAt: Instant
  /** Recorded milliseconds per real millisecond. */
  readonly speed: number
  readonly offsetMs: number
  /** The recording's length, including one second between its last row and the repeated first row. */
  readonly loopMs: number
}

/**
 * When a row happens in the replay: the row at `position` (milliseconds into the recording, gaps shortened) of the given loop. Loop 0
 * contains the start. The time is rounded up to a whole millisecond, so rows keep their order and never come early. At speed 1 and offset 0
 * it is `startAt + loop × loopMs + position`.
 */
export function recordedTimeToInstant(timeline: Timeline, loop: number, position: number): Instant {
  const { startAt, speed, offsetMs, loopMs } = timeline
  return instant(startAt + Math.ceil((loop * loopMs + position - offsetMs) / speed))
}

/** Numbers rows over all loops: row `r` of loop `l` has the number l × rows + r. Returns the first row that happens at or after `at`. */
export function firstRowAt(timeline: Timeline, positions: Float64Array, at: Instant): number {
  const rows = positions.length
  const { startAt, speed, offsetMs, loopMs } = timeline
  assert(rows > 0, 'a recording has rows')
  // Computes the loop, then corrects it: rounding may have moved a row across a loop's boundary.
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
