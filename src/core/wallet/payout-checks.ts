import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'

/** What is known of a withdrawal and whose it is, from our own records. */
export interface PayoutFacts {
  readonly isVerified: boolean
  readonly hasEmail: boolean
  readonly askedAt: Instant
  /** When another PIN took the place of one; null when that is not known to have happened. */
  readonly pinChangedAt: Instant | null
  /** How often this user was paid by the same method to the same details. */
  readonly payoutsToSame: number
  /** The user has not said since that they are paid elsewhere. */
  readonly detailsStand: boolean
  readonly details: MethodDetails
  readonly firstname: string
  readonly lastname: string
}

export const PAYOUT_CHECKS = [
  'pin_confirmed',
  'email_verified',
  'mobile_verified',
  'known_details',
  'pin_age',
  'details_stand',
  'name',
] as const
export type PayoutCheckName = (typeof PAYOUT_CHECKS)[number]

export interface PayoutCheck {
  readonly check: PayoutCheckName
  readonly passed: boolean
  /** Of `known_details`: how many payouts. Of `pin_age`: full days between the change and the request. */
  readonly count: number | null
}

const NEW_PIN_MS = 2 * DAY_MS

/**
 * What whoever pays should look at. They decide nothing: a person does. A check that our records cannot answer is left
 * out rather than guessed.
 */
export function payoutChecks(facts: PayoutFacts): PayoutCheck[] {
  const { isVerified, hasEmail, askedAt, pinChangedAt, payoutsToSame } = facts
  const checks: PayoutCheck[] = [
    // Nobody can ask without it.
    { check: 'pin_confirmed', passed: true, count: null },
    { check: hasEmail ? 'email_verified' : 'mobile_verified', passed: isVerified, count: null },
    { check: 'known_details', passed: payoutsToSame > 0, count: payoutsToSame },
  ]
  const pinAge = pinChangedAt === null ? null : askedAt - pinChangedAt
  if (pinAge !== null && pinAge >= 0 && pinAge < NEW_PIN_MS) {
    checks.push({ check: 'pin_age', passed: false, count: Math.floor(pinAge / DAY_MS) })
  }
  if (!facts.detailsStand) checks.push({ check: 'details_stand', passed: false, count: null })
  const isSameName = namesAgree(facts)
  if (isSameName !== null) checks.push({ check: 'name', passed: isSameName, count: null })
  return checks
}

const HOLDER = /\b(holder|beneficiary|recipient|name on)\b/i

/** Whether who is to be paid has the user's name; null when either name is not known. */
function namesAgree({ details, firstname, lastname }: PayoutFacts): boolean | null {
  const holder = Object.entries(details).find(([label]) => HOLDER.test(label))?.[1]
  const own = wordsOf(`${firstname} ${lastname}`)
  if (holder === undefined || own.length === 0) return null
  const given = new Set(wordsOf(holder))
  return own.every((word) => given.has(word))
}

/** The words of a name whatever its accents, case and order. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}
