import { isInstant } from '#core/time/instant.ts'
import { isCanonicalUuid } from '#core/ids/uuid.ts'
import { asciiJson } from '#core/text/ascii-json.ts'

const WITHDRAWAL_COURSES = [
  ['asked', 'paid', 'returned'],
  // Older paid withdrawals have the step `approved` instead of `paid`.
  ['asked', 'approved', 'returned'],
  ['asked', 'failed'],
  ['asked', 'rejected'],
  ['asked', 'cancelled'],
] as const

/** The possible sequences of steps for each kind of record. An open record has receipts for the first steps only. */
export const MONEY_COURSES = {
  deposit: [
    ['asked', 'credited'],
    ['asked', 'rejected'],
  ],
  withdrawal: WITHDRAWAL_COURSES,
  // A payment to a blocked user who leaves. The user can cancel it once staff have ended the block.
  leave: WITHDRAWAL_COURSES,
  correction: [['posted'], ['announced', 'posted'], ['announced', 'rejected']],
} as const

export type MoneyRecord = keyof typeof MONEY_COURSES
export type MoneyStep = (typeof MONEY_COURSES)[MoneyRecord][number][number]

/** The public facts of one step of a deposit, a withdrawal, an adjustment, or a payment to a user who leaves. */
export interface MoneyFacts {
  readonly v: 2
  readonly kind: 'money'
  /** The reference of the deposit, withdrawal or adjustment. */
  readonly trx: string
  readonly of: MoneyRecord
  readonly step: MoneyStep
  readonly at_ms: number
  /** The hash of the part that only the user gets (`MoneyOwner`). */
  readonly owner: string
}

/**
 * The part of the facts that only the user gets. `record` is a random id, so the hash does not reveal the other fields.
 */
export interface MoneyOwner {
  readonly record: string
  /** Hundredths of the currency as text. Negative when an adjustment takes money. */
  readonly amount: string
  readonly currency: string
  readonly charges: string
  /** The payment details of a withdrawal, or the address that was shown to a depositor. */
  readonly to: string
  /** The reason that the user reads. */
  readonly reason: string
}

const FACTS = ['v', 'kind', 'trx', 'of', 'step', 'at_ms', 'owner'] as const
const OWNER = ['record', 'amount', 'currency', 'charges', 'to', 'reason'] as const

/** Formats facts in their canonical form. */
export function moneyFactsText(facts: MoneyFacts): string {
  return asciiJson(Object.fromEntries(FACTS.map((name) => [name, facts[name]])))
}

/** Formats an owner's part in its canonical form. */
export function moneyOwnerText(owner: MoneyOwner): string {
  return asciiJson(Object.fromEntries(OWNER.map((name) => [name, owner[name]])))
}

/** Parses facts. Returns null when the text is not exactly in canonical form. */
export function readMoneyFacts(text: string): MoneyFacts | null {
  const value = parse(text)
  if (value === null) return null
  const { v, kind, trx, of, step, at_ms: atMs, owner } = value
  const isOurs =
    v === 2 &&
    kind === 'money' &&
    typeof trx === 'string' &&
    /^[\x20-\x7e]{1,100}$/.test(trx) &&
    isRecord(of) &&
    MONEY_COURSES[of].some((course) => course.some((one) => one === step)) &&
    isInstant(atMs) &&
    typeof owner === 'string' &&
    /^[0-9a-f]{64}$/.test(owner)
  if (!isOurs) return null
  const facts = value as Record<string, unknown> & MoneyFacts
  return moneyFactsText(facts) === text ? facts : null
}

/** Parses an owner's part. Returns null when the text is not exactly in canonical form. */
export function readMoneyOwner(text: string): MoneyOwner | null {
  const value = parse(text)
  if (value === null) return null
  const { record, amount, currency, charges, to, reason } = value
  const isOurs =
    typeof record === 'string' &&
    isCanonicalUuid(record) &&
    typeof amount === 'string' &&
    /^-?[1-9]\d{0,18}$/.test(amount) &&
    typeof currency === 'string' &&
    /^[A-Z0-9]{2,10}$/.test(currency) &&
    typeof charges === 'string' &&
    /^(0|[1-9]\d{0,18})$/.test(charges) &&
    typeof to === 'string' &&
    typeof reason === 'string'
  if (!isOurs) return null
  const owner = value as Record<string, unknown> & MoneyOwner
  return moneyOwnerText(owner) === text ? owner : null
}

function isRecord(value: unknown): value is MoneyRecord {
  return typeof value === 'string' && Object.hasOwn(MONEY_COURSES, value)
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    // Text that is not JSON contains no facts.
    return null
  }
}
