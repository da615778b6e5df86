import { DAY_MS } from '#core/time/instant.ts'
import { readTime } from '#server/market-data/feeds/providers/provider-time.ts'

/** A week: bans last up to three days. What asks for more is not believed beyond that. */
const MAX_WAIT_MS = 7 * DAY_MS
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:[A-Z][a-z]{2}) \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * How long a reply asks us to wait: `Retry-After` in seconds or as an HTTP date. Answers 0 when it says nothing, or nothing that
 * makes sense.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_WAIT_MS)
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? 0 : msUntil(at, nowMs)
}

/** The same in the words of a refusal: some say when a ban ends. */
export function bannedMs(text: string, nowMs: number): number {
  return msUntil(readTime(/\bbanned until (\d{9,19})\b/.exec(text)?.[1]) ?? 0, nowMs)
}

function msUntil(at: number, nowMs: number): number {
  return Math.min(Math.max(0, at - nowMs), MAX_WAIT_MS)
}
