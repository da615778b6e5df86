import { KEY_LIMITS, type KeyScope } from '#core/accounts/api-keys.ts'
import type { Instant } from '#core/time/instant.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'

/**
 * The rate limits of API keys, counted on this server. The HTTP calls and socket messages of one key share its rates.
 */
export interface KeyLimits {
  /** Counts one request of a key. Returns 0, or how many seconds to wait before the next one. */
  take(keyId: string, use: KeyScope, now: Instant): number
}

export function createKeyLimits(): KeyLimits {
  const limiters = { read: createRateLimiter(KEY_LIMITS.read), trade: createRateLimiter(KEY_LIMITS.trade) }
  return { take: (keyId, use, now) => limiters[use](keyId, now) }
}

/** Returns the headers of a refusal of an API key that exceeded its rate (draft-ietf-httpapi-ratelimit-headers). */
export function keyLimitHeaders(use: KeyScope, seconds: number): Record<string, string> {
  const { perSecond, burst } = KEY_LIMITS[use]
  return {
    'ratelimit-policy': `"${use}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    ratelimit: `"${use}";r=0;t=${seconds}`,
  }
}
