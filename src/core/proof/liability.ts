import { asciiBytes, fromHex, joinBytes, putNumber, type Sha256 } from '#core/proof/bytes.ts'
import { placeOf } from '#core/proof/sum-tree.ts'

/**
 * The amounts owed to one account, in hundredths of the currency: all money that could still be paid out. Credits are
 * excluded, because they cannot become money.
 */
export interface Owed {
  readonly cash: bigint
  /** Stakes of open orders. */
  readonly staked: bigint
  /** Amounts of pending withdrawals. */
  readonly withdrawing: bigint
}

export function totalLiability({ cash, staked, withdrawing }: Owed): bigint {
  return cash + staked + withdrawing
}

/** Each account is split into four leaves: one in each quarter of the tree. */
export const PARTS = 4

export interface LeafFacts extends Owed {
  /** A UUID. */
  readonly accountId: string
  /** Random for each account and day. Without the salt, amounts could be guessed and compared with a hash. */
  readonly salt: Uint8Array
}

const PREFIX = asciiBytes('fairwick liabilities leaf 1')

/**
 * Computes an account's leaves in the tree. Each leaf is bound to the account, so that no two users can be shown the
 * same leaf, and to the total owed to the account.
 */
export function leavesOf(sha256: Sha256, facts: LeafFacts, amounts: readonly bigint[]): Uint8Array[] {
  const { accountId, salt, cash, staked, withdrawing } = facts
  const common = joinBytes(PREFIX, salt, accountBytes(accountId))
  const hashed = new Uint8Array(common.length + 5 * NUMBER_BYTES)
  hashed.set(common)
  const put = (place: number, value: bigint | number) => putNumber(hashed, common.length + place * NUMBER_BYTES, value)
  for (const [place, value] of [cash, staked, withdrawing].entries()) put(place, value)
  return amounts.map((amount, part) => {
    put(3, part)
    put(4, amount)
    return placeOf(sha256(hashed), amount)
  })
}

const NUMBER_BYTES = 8

function accountBytes(id: string): Uint8Array {
  const hex = id.replaceAll('-', '')
  if (hex.length !== 32) throw new Error('not an account')
  return fromHex(hex)
}
