import { DAY_MS, HOUR_MS, instant, type Instant, MINUTE_MS, toIso } from '#core/time/instant.ts'

/**
 * A cache of formatters by zone, because creating a formatter takes far longer than using it. There are about 450
 * zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATS = 500
/** Zone names of the IANA database: `UTC`, `Asia/Kathmandu`, `Etc/GMT+5`. */
const ZONE_NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,3}$/
/** 26 hours: local days begin at most 14 hours before and 12 hours after the day in UTC. */
const MAX_OFFSET_MS = 26 * HOUR_MS

/** Whether a text names a time zone. */
export function isZone(text: string): boolean {
  if (text.length > 64 || !ZONE_NAME.test(text)) return false
  try {
    formatOf(text)
    return true
  } catch {
    // `Intl` throws for a zone that it does not know.
    return false
  }
}

/** Returns the offset of a zone's local time from UTC. */
function zoneOffsetMs(zone: string, at: Instant): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  // Local times have no milliseconds here, so the milliseconds of the instant are left out too.
  return local - Math.floor(at / 1_000) * 1_000
}

/** Returns the calendar day that a zone's clock shows, as days since 1970-01-01. */
export function zoneDay(zone: string, at: Instant): number {
  return Math.floor((at + zoneOffsetMs(zone, at)) / DAY_MS)
}

/** Returns the minute since midnight that a zone's clock shows. */
export function zoneMinute(zone: string, at: Instant): number {
  const local = at + zoneOffsetMs(zone, at)
  return Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS)
}

/**
 * Returns the first instant of a calendar day in a zone. Where the clock skips midnight the day begins later, and a day
 * that a zone skips begins with the next one. So days of 23 and 25 hours follow each other without a gap.
 */
export function zoneDayStart(zone: string, day: number): Instant {
  // The day nearly always begins at midnight. This instant is found without a search.
  const noon = instant(day * DAY_MS + DAY_MS / 2)
  const midnight = instant(day * DAY_MS - zoneOffsetMs(zone, instant(noon - zoneOffsetMs(zone, noon) - DAY_MS / 2)))
  if (zoneDay(zone, midnight) === day && zoneDay(zone, instant(midnight - 1)) === day - 1) return midnight
  let before = day * DAY_MS - MAX_OFFSET_MS
  let reached = day * DAY_MS + MAX_OFFSET_MS
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (zoneDay(zone, instant(middle)) >= day) reached = middle
    else before = middle
  }
  return instant(reached)
}

/** Formats an instant in a zone with its offset: `2026-03-18T20:45:00.000+05:45`. */
export function zoneIso(zone: string, at: Instant): string {
  const offsetMs = zoneOffsetMs(zone, at)
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const offset = `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return toIso(instant(at + offsetMs)).slice(0, -1) + offset
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(zone, format)
  return format
}
