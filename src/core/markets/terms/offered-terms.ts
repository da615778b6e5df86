import { ALL } from '#core/markets/terms/terms-entry.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { MAX_STAKE_CEILING } from '#core/markets/terms/terms-limits.ts'
import { type BasisPoints, basisPoints, type Money, money } from '#core/money/money.ts'
import { type Instant, later, SECOND_MS } from '#core/time/instant.ts'

/** The terms on which orders of one duration are offered. */
export interface OfferedTerms {
  readonly seconds: number
  readonly minimum: Money
  readonly maximum: Money
  readonly payout: BasisPoints
  /** The number of the entry that names the payout. */
  readonly termsN: number
  /** The version of the rules for new orders. */
  readonly rule: number
  /** All announced changes of these terms, soonest first. */
  readonly changes: readonly DurationChange[]
}

const PARTS_OF_A_DURATION = ['payout', 'min_stake', 'max_stake', 'duration'] as const

/** An announced change of a duration. */
export interface DurationChange {
  readonly what: (typeof PARTS_OF_A_DURATION)[number]
  readonly value: string
  readonly appliesAt: Instant
}

/**
 * Returns the terms of a duration. Null unless the duration is open, and its payout and both stake limits are in force.
 */
export function offeredTerms(history: TermsHistory, seconds: number, at: Instant): OfferedTerms | null {
  const of = String(seconds)
  const payout = history.inForce('payout', of, at)
  const minimum = history.inForce('min_stake', of, at)
  const maximum = history.inForce('max_stake', of, at)
  const isOpen = history.inForce('duration', of, at)?.value === 'open'
  if (!isOpen || payout === null || minimum === null || maximum === null) return null
  return {
    seconds,
    minimum: money(BigInt(minimum.value)),
    maximum: money(Math.min(Number(maximum.value), stakeCeiling(history, at))),
    payout: basisPoints(Number(payout.value)),
    termsN: payout.n,
    rule: ruleAt(history, at),
    changes: changesOf(history, of, at),
  }
}

/** The version of the rules for orders opened at `at`. Installations whose trade terms name no rule stay at rule 1. */
export function ruleAt(history: TermsHistory, at: Instant): number {
  return Number(history.inForce('rule', ALL, at)?.value ?? 1)
}

function changesOf(history: TermsHistory, of: string, at: Instant): readonly DurationChange[] {
  return PARTS_OF_A_DURATION.flatMap((what) =>
    history.coming(what, of, at).map(({ value, appliesAt }) => ({ what, value, appliesAt })),
  ).toSorted((a, b) => a.appliesAt - b.appliesAt)
}

/** The largest stake that any duration may allow, in cents. */
export function stakeCeiling(history: TermsHistory, at: Instant): number {
  return Number(history.inForce('ceiling', ALL, at)?.value ?? MAX_STAKE_CEILING)
}

/** A maximum price age, and the last expiry to which it applies. */
export interface SettlementAge {
  readonly until: number
  readonly maxTickAgeMs: number
}

/**
 * Lists the maximum ages of the prices that settle orders on a symbol, by expiry. Under rule 1, one price decides all
 * orders of a symbol and expiry. A changed limit therefore applies only to expiries after the longest order that was
 * opened before the change.
 */
export function settlementAges(history: TermsHistory, code: string): readonly SettlementAge[] {
  const steps = history.steps('max_tick_age', code)
  return steps.map(({ value }, at) => {
    const next = steps[at + 1]
    const until = next === undefined ? Number.POSITIVE_INFINITY : lastExpiryBefore(history, next.appliesAt)
    return { until, maxTickAgeMs: Number(value) }
  })
}

/** The last expiry that an order opened before `at` can have. */
function lastExpiryBefore(history: TermsHistory, at: Instant): Instant {
  const durations = history
    .subjects('duration')
    .filter((of) => history.steps('duration', of).some(({ value, appliesAt }) => value === 'open' && appliesAt <= at))
  return later(at, Math.max(0, ...durations.map(Number)) * SECOND_MS)
}
