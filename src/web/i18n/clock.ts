import { MINUS } from '#ui/format.ts'
import { type Clock, clock } from '#web/options/options.ts'

// Times on the screens use the chosen clock: the device's, or UTC. Digits are Western in every language.

const MINUTE_MS = 60_000

/** Returns the offset of the chosen clock from UTC in milliseconds, with daylight saving at the given time. */
export function clockOffsetMs(at: number, chosen: Clock = clock.get()): number {
  return chosen === 'utc' ? 0 : -new Date(at).getTimezoneOffset() * MINUTE_MS
}

/** Formats a time as "2026-01-31T14:32:13.482" on the chosen clock. */
export function clockText(at: number): string {
  return new Date(at + clockOffsetMs(at)).toISOString().slice(0, 23)
}

/** Formats a time as "14:32:13". */
export function clockTime(at: number): string {
  return clockText(at).slice(11, 19)
}

/** Formats the time of a tick on a receipt: "14:32:13.482". */
export function clockTimeMs(at: number): string {
  return clockText(at).slice(11)
}

/** Formats a time as "2026-01-31 14:32:13 UTC+2". */
export function clockDateTime(at: number): string {
  return `${clockText(at).slice(0, 19).replace('T', ' ')} ${clockZone(at)}`
}

/** Formats the offset of the chosen clock at a time: "UTC", "UTC+2", "UTC−3:30". */
export function clockZone(at: number): string {
  return zoneOf(at, clock.get())
}

/** Formats the offset of any clock at a time. */
export function zoneOf(at: number, chosen: Clock): string {
  const minutes = clockOffsetMs(at, chosen) / MINUTE_MS
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? MINUS : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
