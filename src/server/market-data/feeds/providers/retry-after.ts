import { DAY_MS } from '#core/time/instant.ts'
import { readTime } from '#server/market-data/feeds/providers/provider-time.ts'

/** A week, because bans last up to three days. Longer waits are cut to this. */
const MAX_WAIT_MS = 7 * DAY_MS
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:[A-Z][a-z]{2}) \d{4} \d\d:\d\d:\d\d GMT$/

/** The wait that a reply requests with `Retry-After`, in seconds or as an HTTP date. Returns 0 for a missing or invalid header. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_WAIT_MS)
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? 0 : msUntil(at, nowMs)
}

/** The wait until the end of a ban, which some providers name in the text of a refusal. */
export function bannedMs(text: string, nowMs: number): number {
  return msUntil(readTime(/\bbanned until (\d{9,19})\b/.exec(text)?.[1]) ?? 0, nowMs)
}

function msUntil(at: number, nowMs: number): number {
  return Math.min(Math.max(0, at - nowMs), MAX_WAIT_MS)
}
