/**
 * Milliseconds since 1970 in UTC, always a whole number. Callers pass the time in (`ctx.now()`); the core never reads a
 * clock.
 */
export type Instant = number & { readonly __brand: 'Instant' }

/**
 * Converts a whole number of milliseconds to an instant. Throws on anything else, because another value is a bug, not a
 * refusal.
 */
export function instant(ms: number | bigint): Instant {
  const value = Number(ms)
  if (!Number.isSafeInteger(value)) throw new Error(`not an instant: ${ms}`)
  return value as Instant
}

/** Whether a value is a whole number of milliseconds from 1970 to the end of the range of a `Date`. */
export function isInstant(value: unknown): value is Instant {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 8.64e15
}

export function later(at: Instant, ms: number): Instant {
  return instant(at + ms)
}

/** Formats an instant as `2026-03-18T15:00:00.000Z`. The date part is cached, because most calls share a few days. */
export function toIso(at: Instant): string {
  const day = Math.floor(at / DAY_MS)
  const ms = at - day * DAY_MS
  const minutes = Math.floor(ms / MINUTE_MS)
  const seconds = Math.floor(ms / SECOND_MS) % 60
  return `${writtenDays.get(day) ?? writeDay(day)}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds)}.${three(ms % SECOND_MS)}Z`
}

const TIME_LENGTH = '00:00:00.000Z'.length
const MAX_CACHED_DAYS = 100
const writtenDays = new Map<number, string>()

function writeDay(day: number): string {
  if (writtenDays.size >= MAX_CACHED_DAYS) writtenDays.clear()
  const text = new Date(day * DAY_MS).toISOString().slice(0, -TIME_LENGTH)
  writtenDays.set(day, text)
  return text
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

function three(value: number): string {
  return value < 10 ? `00${value}` : value < 100 ? `0${value}` : String(value)
}

/** Formats an instant to the minute with its zone, for use in sentences. */
export function minuteText(at: Instant): string {
  return `${toIso(at).slice(0, 16).replace('T', ' ')} UTC`
}

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
