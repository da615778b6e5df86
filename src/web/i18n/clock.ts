import { MINUS } from '#ui/format.ts'
import { type Clock, clock } from '#web/options/options.ts'

// Times on the screens, by the clock that was chosen: the device's own, or UTC. Digits are Western in every language.

const MINUTE_MS = 60_000

/** What to add to a moment in milliseconds UTC for its time on that clock; daylight saving is that of the moment. */
export function clockOffsetMs(at: number, chosen: Clock = clock.get()): number {
  return chosen === 'utc' ? 0 : -new Date(at).getTimezoneOffset() * MINUTE_MS
}

/** "2026-01-31T14:32:13.482" as that clock shows it. */
export function clockText(at: number): string {
  return new Date(at + clockOffsetMs(at)).toISOString().slice(0, 23)
}

/** "14:32:13" */
export function clockTime(at: number): string {
  return clockText(at).slice(11, 19)
}

/** "14:32:13.482": ticks on a receipt. */
export function clockTimeMs(at: number): string {
  return clockText(at).slice(11)
}

/** "2026-01-31 14:32:13" */
export function clockDateTime(at: number): string {
  return clockText(at).slice(0, 19).replace('T', ' ')
}

/** "UTC", "UTC+2", "UTC−3:30": which clock it was at that moment. */
export function clockZone(at: number): string {
  return zoneOf(at, clock.get())
}

/** The same of a clock that need not be the chosen one. */
export function zoneOf(at: number, chosen: Clock): string {
  const minutes = clockOffsetMs(at, chosen) / MINUTE_MS
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? MINUS : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
