import type { BasisPoints } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A payout as it was announced: for all new orders of everyone from a moment on. */
export interface PayoutVersion {
  readonly version: number
  readonly payout: BasisPoints
  readonly appliesFrom: Instant
}

/**
 * The payout in force at `at`: the newest of those that apply by then. One that was announced later and applies no
 * later replaces an earlier one before it ever counted. Null when none has begun.
 */
export function payoutAt<V extends PayoutVersion>(versions: readonly V[], at: Instant): V | null {
  let found: V | null = null
  for (const one of versions) {
    if (one.appliesFrom <= at && (found === null || one.version > found.version)) found = one
  }
  return found
}

/** The change that comes next after `at`, as far as it is announced. */
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
