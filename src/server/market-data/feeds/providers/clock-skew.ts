import { type Instant, MINUTE_MS } from '#core/time/instant.ts'

/** Whether a time is too far in the future for any clock error. Accepting it would shut out all later prices. */
export function isAheadOfClock(time: Instant, now: Instant): boolean {
  return time > now + MINUTE_MS
}
