import { DAY_MS, HOUR_MS, SECOND_MS } from '#core/time/instant.ts'

/** The unit in which people read the length of an order: the largest that divides it, minutes for the rest. */
export function unitOfSeconds(seconds: number): 'minute' | 'hour' | 'day' {
  if (seconds % (DAY_MS / SECOND_MS) === 0) return 'day'
  return seconds % (HOUR_MS / SECOND_MS) === 0 ? 'hour' : 'minute'
}
