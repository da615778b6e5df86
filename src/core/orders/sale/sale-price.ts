import { mulDivHalfEven } from '#core/money/decimal.ts'
import { type BasisPoints, type Money, money, shareHalfEven } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import { MOVE_MS } from '#core/orders/sale/movement.ts'
import { squareRoot, UNIT } from '#core/orders/sale/whole-numbers.ts'

/** The inputs of the price of a sale. The user and the id of the order are not among them. */
export interface SaleFacts {
  /** Price of the tick that the sale is carried out at. */
  readonly price: Price
  readonly entryPrice: Price
  /** Time from the tick of the sale to the expiry of the order. */
  readonly leftMs: number
  /** Mean squared move (`movement.ts`), in units of 10^-18. */
  readonly movement: bigint
  /** Scale of the movement in percent, a published term of the market. */
  readonly scale: number
}

/** Probabilities of an expiry above, at and below the entry, in units of 10^-9. They add up to one. */
export interface Chances {
  readonly above: bigint
  readonly same: bigint
  readonly below: bigint
}

/** The payment of a sale. `paid` can be negative, and such a sale is not carried out. */
export interface SalePayment {
  readonly gross: Money
  readonly fee: Money
  readonly paid: Money
}

/**
 * Computes the chances by sale model 1: the relative move until the expiry has Student's t distribution with 4 degrees
 * of freedom. Its scale is the movement of the last minutes times the square root of the time left. Every division
 * drops the rest, so that every program computes the same whole numbers.
 */
export function chancesAtExpiry(facts: SaleFacts): Chances {
  const { price, entryPrice, leftMs, movement, scale } = facts
  const deviation = (squareRoot((movement * BigInt(leftMs)) / MOVE_MS) * BigInt(scale)) / 100n
  const twicePrice = 2n * BigInt(price)
  const upTo = (twiceLimit: bigint) => shareBelow(((twiceLimit - twicePrice) * UNIT * UNIT) / (twicePrice * deviation))
  const twiceEntry = 2n * BigInt(entryPrice)
  const below = upTo(twiceEntry - 1n)
  // Each of the two probabilities is rounded separately. Without this limit, "at or below" could become less likely
  // than "below".
  const notAbove = clampFrom(below, upTo(twiceEntry + 1n))
  return { above: UNIT - notAbove, same: notAbove - below, below }
}

/** The expected value of the order less the fee. A draw returns the stake. */
export function paymentOfSale(
  chances: Chances,
  order: { readonly direction: Direction; readonly stake: Money; readonly payout: BasisPoints },
  fee: BasisPoints,
): SalePayment {
  const win = winChance(chances, order.direction)
  const value = (WHOLE + BigInt(order.payout)) * win + WHOLE * chances.same
  const gross = money(mulDivHalfEven(order.stake, value, WHOLE * UNIT))
  const charged = shareHalfEven(order.stake, fee)
  return { gross, fee: charged, paid: money(gross - charged) }
}

export function winChance({ above, below }: Chances, direction: Direction): bigint {
  return direction === BUY ? above : below
}

function clampFrom(least: bigint, value: bigint): bigint {
  return value < least ? least : value
}

/** 100 % in basis points. */
const WHOLE = 10_000n

/**
 * Distribution function of Student's t with 4 degrees of freedom, 1/2 + 3x/8 ÷ √(1 + x²/4) × (1 − x²/12 ÷ (1 + x²/4)).
 * Argument and result are in units of 10^-9, at most 2·10^-9 off.
 */
function shareBelow(x: bigint): bigint {
  if (x < 0n) return UNIT - shareBelow(-x)
  const square = x * x
  const base = UNIT + square / (4n * UNIT)
  const root = squareRoot(base * UNIT)
  const factor = UNIT - ((square / UNIT) * UNIT) / (12n * base)
  const share = UNIT / 2n + (((((375n * x) / 1_000n) * UNIT) / root) * factor) / UNIT
  return share > UNIT ? UNIT : share
}
