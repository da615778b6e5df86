/** Milliseconds since 1970 in UTC, always a whole number. Time is handed in, never read: see `ctx.now()`. */
export type Instant = number & { readonly __brand: 'Instant' }

/** Reads a whole number of milliseconds as an instant. Throws on anything else: a bug, not a refusal. */
export function instant(ms: number | bigint): Instant {
  const value = Number(ms)
  if (!Number.isSafeInteger(value)) throw new Error(`not an instant: ${ms}`)
  return value as Instant
}

export function later(at: Instant, ms: number): Instant {
  return instant(at + ms)
}

export function toIso(at: Instant): string {
  return new Date(at).toISOString()
}

/** To the minute, with its zone named: for sentences. */
export function minuteText(at: Instant): string {
  return `${toIso(at).slice(0, 16).replace('T', ' ')} UTC`
}

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
