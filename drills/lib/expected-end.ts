import { isPassed, lastInTime, type LoggedPrices } from './logged-prices.ts'

/** A settled order as the database has it. */
export interface StoredOrder {
  readonly userId: string
  readonly id: string
  readonly clientOrderId: string
  readonly symbolId: number
  readonly isUp: boolean
  readonly stake: bigint
  readonly payoutBasisPoints: bigint
  readonly entryPrice: number
  readonly expiresMs: number
  /** The source whose trades decide. Null when the prices in the tick log decide, in the order of arrival. */
  readonly source: string | null
  readonly maxAgeMs: number
  /** The maximum price age that the order was accepted with. */
  readonly ownMaxAgeMs: number
  /** The last sequence number of the tick log when the server decided the exit price. */
  readonly decidedHead: number
  readonly decidedMs: number
  readonly result: number
  readonly resultAmount: bigint
  readonly voidReason: string | null
}

interface End {
  /** 1 won, 2 lost, 3 draw, 4 void. */
  readonly result: number
  readonly change: bigint
}

/** 60 s: within this time after an expiry, a later price must arrive. */
const PASSES_WITHIN_MS = 60_000

/**
 * Recalculates a result independently: the last price before the expiry, unless it is too old, against the entry price.
 */
export function expectedEnd(order: StoredOrder, prices: LoggedPrices): End {
  // Rule 1: when no later price arrives within this time, the last price before the expiry is not certain.
  if (order.source === null && order.decidedMs - order.expiresMs > PASSES_WITHIN_MS && !isPassed(prices, order))
    return { result: 4, change: 0n }
  const last = lastInTime(prices, order)
  if (last === null || last.time < order.expiresMs - order.maxAgeMs) return { result: 4, change: 0n }
  if (last.price === order.entryPrice) return { result: 3, change: 0n }
  if (last.price > order.entryPrice !== order.isUp) return { result: 2, change: -order.stake }
  return { result: 1, change: halfToEven(order.stake * order.payoutBasisPoints, 10_000n) }
}

/** Lists every transfer that an order may have. */
export function transfersOf({ stake }: StoredOrder, { result, change }: End): string[] {
  const staked = `cash > staked ${stake}`
  if (result === 2) return [staked, `staked > house:trading ${stake}`]
  const back = `staked > cash ${stake}`
  return result >= 3 ? [staked, back] : [staked, back, `house:trading > cash ${change}`]
}

function halfToEven(amount: bigint, by: bigint): bigint {
  const [whole, rest] = [amount / by, 2n * (amount % by)]
  return rest > by || (rest === by && whole % 2n === 1n) ? whole + 1n : whole
}
