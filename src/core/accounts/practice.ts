import { money } from '#core/money/money.ts'
import { HOUR_MS } from '#core/time/instant.ts'

/** The two accounts that a user can trade with. */
export const ACCOUNTS = ['live', 'practice'] as const
export type AccountName = (typeof ACCOUNTS)[number]

/** The currency of practice balances. */
export const PRACTICE_CURRENCY = 'PRACTICE'
/** 10,000.00: the balance of a practice account after opening it and after each reset. */
export const PRACTICE_START = money(1_000_000n)
/** A practice account can be reset once an hour. */
export const PRACTICE_RESET_MS = HOUR_MS

/** The character of a UUID that contains its version. */
const VERSION_AT = 14

/**
 * Whether an account is a practice account. The ids of practice accounts are UUIDs of version 8, and all other ids have
 * another version. The database checks this. So every order, transfer and receipt shows by its user which kind it is,
 * and nothing needs to look up the account.
 */
export function isPracticeId(userId: string): boolean {
  return userId.charAt(VERSION_AT) === '8'
}

/** Makes the id of a practice account from a new id. */
export function toPracticeId(id: string): string {
  return `${id.slice(0, VERSION_AT)}8${id.slice(VERSION_AT + 1)}`
}
