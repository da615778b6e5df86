import { isSingleOperator } from '#core/staff/independence.ts'
import { DAY_MS, HOUR_MS, type Instant, later } from '#core/time/instant.ts'

/** The kinds of measures that staff can set against one user. */
export const MEASURE_KINDS = ['trade_off', 'stake_limit', 'open_limit', 'withdrawals_off', 'sign_in_off'] as const
export type MeasureKind = (typeof MEASURE_KINDS)[number]
export type OffKind = Exclude<MeasureKind, LimitKind>
export type LimitKind = 'stake_limit' | 'open_limit'

/** 90 days: how long a limit that staff set lasts unless they renew it. */
const LIMIT_MS = 90 * DAY_MS
/** 72 h within 30 days: how long one staff member alone can take a right away from a user. */
const ONE_PERSON_MS = 72 * HOUR_MS
const ONE_PERSON_WINDOW_MS = 30 * DAY_MS
/** 14 days: how long withdrawals can stay blocked after a second staff member agreed. */
const AGREED_WITHDRAWALS_MS = 14 * DAY_MS
/** 3 letters: a shorter reason explains nothing to the user. */
const MIN_REASON_LETTERS = 3

/** An earlier measure of the same kind that one staff member alone set against the same user. */
export interface PastMeasure {
  readonly since: Instant
  readonly finishedAt: Instant
}

export function isLimit(kind: MeasureKind): kind is LimitKind {
  return kind === 'stake_limit' || kind === 'open_limit'
}

/** Whether a text has enough letters to be a reason that the user understands. */
export function isReadableReason(text: string): boolean {
  return (text.match(/\p{L}/gu) ?? []).length >= MIN_REASON_LETTERS
}

/** Computes the end of a limit that begins now or is renewed now. */
export function limitEnd(now: Instant): Instant {
  return later(now, LIMIT_MS)
}

/** Returns the start of the 30 days in which `onePersonEnd` adds up earlier measures. */
export function onePersonWindow(now: Instant): Instant {
  return later(now, -ONE_PERSON_WINDOW_MS)
}

/**
 * Computes the end of a measure that one staff member begins now. Null: the measure stays until staff end it, as in a
 * demo. Returns `used_up` when earlier measures of this kind used the 72 h. Where no second staff member exists, only
 * earlier measures on withdrawals count.
 */
export function onePersonEnd(
  kind: OffKind,
  {
    mode,
    approvers,
    now,
    past,
  }: {
    readonly mode: 'demo' | 'live'
    readonly approvers: number
    readonly now: Instant
    readonly past: readonly PastMeasure[]
  },
): Instant | null | 'used_up' {
  if (mode === 'demo') return null
  const counted = isSingleOperator(approvers) && kind !== 'withdrawals_off' ? [] : past
  const used = counted
    .filter(({ since }) => since > onePersonWindow(now))
    .reduce((sum, { since, finishedAt }) => sum + (finishedAt - since), 0)
  return used < ONE_PERSON_MS ? later(now, ONE_PERSON_MS - used) : 'used_up'
}

/**
 * Computes the end of a measure that a second staff member approves now. Null: the measure stays until staff end it.
 */
export function agreedEnd(kind: OffKind, now: Instant): Instant | null {
  return kind === 'withdrawals_off' ? later(now, AGREED_WITHDRAWALS_MS) : null
}
