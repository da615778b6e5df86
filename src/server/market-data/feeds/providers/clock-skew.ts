import { type Instant, MINUTE_MS } from '#core/time/instant.ts'

/** No clock is that far ahead: taken as it is, such a time would shut out all that comes after it. */
export function isFarAhead(time: Instant, now: Instant): boolean {
  return time > now + MINUTE_MS
}
