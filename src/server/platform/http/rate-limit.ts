import type { Instant } from '#core/time/instant.ts'

export interface RateLimit {
  /** Calls a second in the long run. */
  readonly perSecond: number
  /** Calls at once after a quiet time. */
  readonly burst: number
}

/** Takes one call of `key`; answers 0, or how many seconds to wait before the next one. */
export type TakeCall = (key: string, now: Instant) => number

/** Keys kept before those that have been quiet long enough to be full again are dropped. */
const MOST_KEYS = 20_000

/** Token buckets in memory, one per key. Each process counts for itself: it guards this process, not an account. */
export function createRateLimiter({ perSecond, burst }: RateLimit): TakeCall {
  const buckets = new Map<string, { left: number; at: Instant }>()
  const level = (bucket: { left: number; at: Instant }, now: Instant): number => {
    // After a clock was put back nobody waits until it has caught up.
    if (now < bucket.at) bucket.at = now
    return Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
  }

  return (key, now) => {
    const bucket = buckets.get(key)
    const left = bucket ? level(bucket, now) : burst
    if (left < 1) return Math.ceil((1 - left) / perSecond)
    if (!bucket && buckets.size >= MOST_KEYS) forgetQuiet(now)
    buckets.set(key, { left: left - 1, at: now })
    return 0
  }

  function forgetQuiet(now: Instant): void {
    for (const [key, bucket] of buckets) if (level(bucket, now) >= burst) buckets.delete(key)
    // Everyone is busy: forgetting the oldest key forgives it a burst, which costs less than memory without end.
    const [oldest] = buckets.keys()
    if (buckets.size >= MOST_KEYS && oldest !== undefined) buckets.delete(oldest)
  }
}
