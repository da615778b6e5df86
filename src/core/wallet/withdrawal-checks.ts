import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'

/**
 * How the user confirmed a withdrawal request. `none`: the account had neither a PIN nor a verified contact for a code.
 */
export const CONFIRMATIONS = ['pin', 'code', 'none'] as const
export type ConfirmedBy = (typeof CONFIRMATIONS)[number]

/** Facts from our own records about a withdrawal and its user. */
export interface WithdrawalFacts {
  /** How the user confirmed the request. Null when this was not recorded. */
  readonly confirmedBy: ConfirmedBy | null
  readonly isVerified: boolean
  readonly hasEmail: boolean
  readonly requestedAt: Instant
  /** When the PIN was last replaced. Null when no replacement is recorded. */
  readonly pinChangedAt: Instant | null
  /** How many earlier withdrawals of this user went to the same details by the same method. */
  readonly paymentsToSame: number
  /** Whether the user has not changed the saved payment details since the request. */
  readonly detailsStand: boolean
  readonly details: MethodDetails
  readonly firstname: string
  readonly lastname: string
}

export const WITHDRAWAL_CHECKS = [
  'pin_confirmed',
  'code_confirmed',
  'not_confirmed',
  'email_verified',
  'mobile_verified',
  'known_details',
  'pin_age',
  'details_stand',
  'name',
  'same_request',
  'destination_shared',
  'just_returned',
  'destination_invalid',
] as const
export type WithdrawalCheckName = (typeof WITHDRAWAL_CHECKS)[number]

export interface WithdrawalCheck {
  readonly check: WithdrawalCheckName
  readonly passed: boolean
  /**
   * For `known_details`: the number of payouts. For `pin_age`: full days between the PIN change and the request. For
   * `destination_shared`: the number of other users.
   */
  readonly count: number | null
}

const CONFIRMED = { pin: 'pin_confirmed', code: 'code_confirmed', none: 'not_confirmed' } as const

const NEW_PIN_MS = 2 * DAY_MS

/**
 * Lists checks for the staff member who pays a withdrawal. The checks decide nothing: a staff member does. A check that
 * our records cannot answer is left out, not guessed.
 */
export function withdrawalChecks(facts: WithdrawalFacts): WithdrawalCheck[] {
  const { confirmedBy, isVerified, hasEmail, requestedAt, pinChangedAt, paymentsToSame } = facts
  const checks: WithdrawalCheck[] = [
    ...(confirmedBy === null ? [] : [{ check: CONFIRMED[confirmedBy], passed: confirmedBy === 'pin', count: null }]),
    { check: hasEmail ? 'email_verified' : 'mobile_verified', passed: isVerified, count: null },
    { check: 'known_details', passed: paymentsToSame > 0, count: paymentsToSame },
  ]
  const pinAge = pinChangedAt === null ? null : requestedAt - pinChangedAt
  if (pinAge !== null && pinAge >= 0 && pinAge < NEW_PIN_MS) {
    checks.push({ check: 'pin_age', passed: false, count: Math.floor(pinAge / DAY_MS) })
  }
  if (!facts.detailsStand) checks.push({ check: 'details_stand', passed: false, count: null })
  const isSameName = namesAgree(facts)
  if (isSameName !== null) checks.push({ check: 'name', passed: isSameName, count: null })
  return checks
}

const HOLDER = /\b(holder|beneficiary|recipient|name on)\b/i

/** Whether the payee has the user's name. Null when either name is unknown. */
function namesAgree({ details, firstname, lastname }: WithdrawalFacts): boolean | null {
  const holder = Object.entries(details).find(([label]) => HOLDER.test(label))?.[1]
  const own = wordsOf(`${firstname} ${lastname}`)
  if (holder === undefined || own.length === 0) return null
  const given = new Set(wordsOf(holder))
  return own.every((word) => given.has(word))
}

/** Splits a name into words, ignoring accents, case and punctuation. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}
