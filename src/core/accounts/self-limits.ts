import { type Money, money, moneyText, ZERO } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { DAY_MS, type Instant, later, minuteText } from '#core/time/instant.ts'

/** The windows of a limit, by the suffix of its key. Windows roll: a day is always the last 24 hours. */
export const WINDOW_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const

/** The limits that a user can set for themselves. */
export const SELF_LIMIT_KEYS = [
  'deposit_day',
  'deposit_week',
  'deposit_month',
  'loss_day',
  'loss_week',
  'loss_month',
  'staked_day',
  'staked_week',
  'staked_month',
  'stake_max',
] as const
export type SelfLimitKey = (typeof SELF_LIMIT_KEYS)[number]

/**
 * The rules that a user can set and that become looser only after a wait: amounts, the reality check, the withdrawal
 * lock.
 */
export const OWN_RULE_KEYS = [...SELF_LIMIT_KEYS, 'reality_check', 'withdrawal_lock'] as const
export type OwnRuleKey = (typeof OWN_RULE_KEYS)[number]

/** The intervals of the reality check, in minutes. A shorter interval is tighter. */
export const REALITY_MINUTES = [15, 30, 60, 120] as const

/** Whether the value of a rule is an amount of money. */
export function isAmountRule(key: OwnRuleKey): key is SelfLimitKey {
  return SELF_LIMIT_KEYS.some((one) => one === key)
}

/** 1,000,000,000.00: the largest limit that users can set for themselves. */
export const MAX_SELF_LIMIT = money(100_000_000_000n)

/** A limit, and how much of it is used. */
export interface LimitUse {
  readonly value: Money
  /** The part of a limit that is used by orders or payments that ended in the window. */
  readonly used: Money
  /** The part of a limit that open orders use. */
  readonly open: Money
}

/** The amount that a limit still allows. Never negative: a limit that is lower than its use allows nothing. */
export function limitLeft({ value, used, open }: LimitUse): Money {
  const left = value - used - open
  return left > 0n ? money(left) : ZERO
}

/** How a wanted limit differs from the limit in force. `tighter` allows less. */
export type LimitDirection = 'tighter' | 'looser' | 'same'

/** Compares a wanted limit with the limit in force. */
export function limitDirection(inForce: bigint | null, wanted: bigint | null): LimitDirection {
  if (inForce === wanted) return 'same'
  if (wanted === null) return 'looser'
  return inForce === null || wanted < inForce ? 'tighter' : 'looser'
}

/** A time-out ends by itself. After an exclusion, trading stays closed until the user returns. */
export type BreakKind = 'time_out' | 'exclusion'

/** The lengths that a break may have: days of a time-out, months of an exclusion. */
export const BREAK_LENGTHS = { time_out: { min: 1, max: 42 }, exclusion: { min: 6, max: 60 } } as const

/** A user's break. `requestedAt` is when the user requested to return after the end of an exclusion. */
export interface Break {
  readonly kind: BreakKind
  readonly from: Instant
  readonly until: Instant
  readonly requestedAt: Instant | null
}

/** 24 hours: a user can confirm a request to loosen a limit, or to return after an exclusion, only after this time. */
export const COOLING_MS = DAY_MS

/** Why a break refuses orders and deposits, with the time to show. */
export function breakRefusal(own: Break): Refusal<'on_break' | 'excluded' | 'return_waits'> {
  if (own.requestedAt !== null) {
    return refuse('return_waits', { params: { ready_at: minuteText(later(own.requestedAt, COOLING_MS)) } })
  }
  return refuse(own.kind === 'exclusion' ? 'excluded' : 'on_break', { params: { until: minuteText(own.until) } })
}

/**
 * The refusal when an amount exceeds a user's own limit. It names the amount still allowed, and when the limit will
 * allow more by itself.
 */
export function windowRefusal<R extends 'self_loss_limit' | 'self_staked_limit' | 'self_deposit_limit'>(
  refusal: R,
  { key, left, freesAt }: { readonly key: SelfLimitKey; readonly left: Money; readonly freesAt: Instant | null },
): Refusal<R> {
  const room = { name: key, left: moneyText(left > 0n ? left : ZERO) }
  return refuse(refusal, { params: freesAt === null ? room : { ...room, frees_at: minuteText(freesAt) } })
}

/** When a break that begins at `now` ends, as the database computes it: at the same time of day, UTC. */
export function breakEnd(kind: BreakKind, length: number, now: number): number {
  if (kind === 'time_out') return now + length * DAY_MS
  const from = new Date(now)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + length + 1, 0)).getUTCDate()
  return (
    Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + length, Math.min(from.getUTCDate(), lastDay)) + (now % DAY_MS)
  )
}
