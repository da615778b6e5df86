import type { Instant } from '#core/time/instant.ts'

export interface RateLimit {
  /** Calls per second in the long run. */
  readonly perSecond: number
  /** Calls allowed at once after a pause. */
  readonly burst: number
}

/** Counts one call of `key`. Returns 0, or how many seconds to wait before the next call. */
export type TakeCall = (key: string, now: Instant) => number

/** When there are more keys than this number, keys that were quiet long enough to have a full bucket are dropped. */
const MAX_KEYS = 20_000

/** Token buckets in memory, one per key. Each process counts separately: this protects the process, not an account. */
export function createRateLimiter({ perSecond, burst }: RateLimit): TakeCall {
  const buckets = new Map<string, { left: number; at: Instant }>()
  const level = (bucket: { left: number; at: Instant }, now: Instant): number => {
    // After the clock was set back, clients need not wait until the clock has caught up.
    if (now < bucket.at) bucket.at = now
    return Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
  }

  return (key, now) => {
    const bucket = buckets.get(key)
    const left = bucket ? level(bucket, now) : burst
    if (left < 1) return Math.ceil((1 - left) / perSecond)
    if (!bucket && buckets.size >= MAX_KEYS) forgetQuiet(now)
    buckets.set(key, { left: left - 1, at: now })
    return 0
  }

  function forgetQuiet(now: Instant): void {
    for (const [key, bucket] of buckets) if (level(bucket, now) >= burst) buckets.delete(key)
    // All keys are active. Dropping the oldest key grants it a new burst, which costs less than unbounded memory.
    const [oldest] = buckets.keys()
    if (buckets.size >= MAX_KEYS && oldest !== undefined) buckets.delete(oldest)
  }
}
