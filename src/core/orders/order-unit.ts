import { DAY_MS, HOUR_MS, SECOND_MS } from '#core/time/instant.ts'

/** Returns the unit for displaying a duration: day or hour if it divides the duration, else minute. */
export function unitOfSeconds(seconds: number): 'minute' | 'hour' | 'day' {
  if (seconds % (DAY_MS / SECOND_MS) === 0) return 'day'
  return seconds % (HOUR_MS / SECOND_MS) === 0 ? 'hour' : 'minute'
}
