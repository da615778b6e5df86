import { type Money, money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'

/** The kinds of adjustments that add money. `goodwill` is a gift: it corrects nothing, and its number is public. */
const CREDIT_KINDS: readonly string[] = ['credit', 'goodwill']
/** The kinds of adjustments. All kinds that add no money take money back, each for one reason. */
export const ADJUSTMENT_KINDS = ['credit', 'goodwill', 'deposit_reversed', 'paid_twice'] as const
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

/** Whether adjustments of this kind add money. */
export function addsMoney(kind: AdjustmentKind): boolean {
  return CREDIT_KINDS.includes(kind)
}

/** 72 h, or 60 s in a demo: how long a negative adjustment is announced to the user before it is posted. */
export const ANNOUNCED_MS = { demo: MINUTE_MS, live: 72 * HOUR_MS } as const

/** The record that a negative adjustment reverses: a credited deposit, or money paid in by an adjustment. */
export interface LinkedRecord {
  readonly kind: 'deposit' | 'credit'
  readonly amount: Money
  /** The sum of earlier adjustments that reverse this record. */
  readonly reversedAmount: Money
}

/**
 * Checks an adjustment. A negative adjustment must link to the deposit or adjustment that it reverses. Together with
 * earlier reversals of this record, it never takes more than the record added. No adjustment can link to an order, so
 * no adjustment reverses a result.
 */
export function checkRequested(
  { kind, amount }: { readonly kind: AdjustmentKind; readonly amount: Money },
  linked: LinkedRecord | null,
): Result<undefined, 'correction_not_allowed'> {
  if (addsMoney(kind)) return amount > 0n ? ok() : notAllowed('no_reason')
  if (amount >= 0n) return notAllowed('positive')
  if (linked === null || (kind === 'deposit_reversed' && linked.kind !== 'deposit')) return notAllowed('no_link')
  const left = money(linked.amount - linked.reversedAmount)
  return -amount <= left ? ok() : notAllowed('above_link')
}

function notAllowed(variant: 'no_reason' | 'positive' | 'no_link' | 'above_link') {
  return refuse('correction_not_allowed', { params: { variant } })
}
