import type { BasisPoints } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A published payout. It applies to all new orders of all users from `appliesFrom` on. */
export interface PayoutVersion {
  readonly version: number
  readonly payout: BasisPoints
  readonly appliesFrom: Instant
}

/**
 * Returns the payout in force at `at`, or null when none applies yet. Among the versions that apply by then, the newest
 * wins. A later version with the same or an earlier start thus replaces an earlier version before that takes effect.
 */
export function payoutAt<V extends PayoutVersion>(versions: readonly V[], at: Instant): V | null {
  let found: V | null = null
  for (const one of versions) {
    if (one.appliesFrom <= at && (found === null || one.version > found.version)) found = one
  }
  return found
}

/** Returns the next published change after `at`, or null. */
export function nextPayout<V extends PayoutVersion>(versions: readonly V[], at: Instant): V | null {
  const inForce = payoutAt(versions, at)?.version ?? 0
  let next: V | null = null
  for (const one of versions) {
    if (one.appliesFrom <= at || one.version <= inForce) continue
    const isSooner = next === null || one.appliesFrom < next.appliesFrom
    if (isSooner || (one.appliesFrom === next?.appliesFrom && one.version > next.version)) next = one
  }
  return next
}
