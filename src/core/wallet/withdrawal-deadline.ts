import { DAY_MS, HOUR_MS, type Instant, later } from '#core/time/instant.ts'

/** 72 h: staff must decide a withdrawal within this time, counted from `clockAt` of the request. */
export const DECIDE_WITHIN_MS = 72 * HOUR_MS
/** 10 days: while any withdrawal has waited longer than this, the site accepts no deposits. */
export const DEPOSITS_CLOSE_AFTER_MS = 10 * DAY_MS
/**
 * 30 days: a request within this time after a rejection keeps `clockAt` of the first request, and another rejection
 * needs two people. A request after a payment that failed later than `DECIDE_WITHIN_MS` keeps the time too. The trigger
 * `keep_withdrawal_clock` of migration 0070 keeps the time.
 */
export const REPEAT_WITHIN_MS = 30 * DAY_MS

/** The reasons for which staff may reject a withdrawal. */
const ORDINARY_CODES = ['details_wrong', 'identity', 'provider_refused', 'legal'] as const
/** The reasons for which staff may refuse a payment to a blocked user who leaves. */
const ONLY_LEAVE_CODES = ['legal_order', 'identity_failed', 'disputed_deposit'] as const
export const REJECTION_CODES = [...ORDINARY_CODES, ...ONLY_LEAVE_CODES] as const
export type RejectionCode = (typeof REJECTION_CODES)[number]

/** Lists the reasons for which staff may reject a withdrawal, or a payment to a user who leaves. */
export function rejectionCodes(isLeave: boolean): readonly RejectionCode[] {
  return isLeave ? ['details_wrong', ...ONLY_LEAVE_CODES] : ORDINARY_CODES
}

/** The time until which a withdrawal has to be decided. */
export function dueAt(clockAt: Instant): Instant {
  return later(clockAt, DECIDE_WITHIN_MS)
}

/** Whether a withdrawal has waited for more than ten days, which stops all deposits. */
export function closesDeposits(clockAt: Instant, now: Instant): boolean {
  return now - clockAt > DEPOSITS_CLOSE_AFTER_MS
}

export function readRejectionCode(text: string | null): RejectionCode | null {
  return REJECTION_CODES.find((code) => code === text) ?? null
}
