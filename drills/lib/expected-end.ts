import { isPassed, lastInTime, type PricesBySymbol } from './logged-prices.ts'

/** An order as the database has it, once it has ended. */
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
  readonly maxAgeMs: number
  /** Where the log ended when the price was decided. */
  readonly decidedHead: number
  readonly decidedMs: number
  readonly result: number
  readonly resultAmount: bigint
  readonly voidReason: string | null
}

interface End {
  /** 1 won, 2 lost, 3 neither. */
  readonly result: number
  readonly change: bigint
}

/** So long the stream may take to pass the end of an order. */
const PASSES_WITHIN_MS = 60_000

/** The rules once more, in an auditor's own words: the last price in time, unless it is too old, against the first. */
export function expectedEnd(order: StoredOrder, prices: PricesBySymbol): End {
  // After so long without any later price nobody can tell what the last one in time was.
  if (order.decidedMs - order.expiresMs > PASSES_WITHIN_MS && !isPassed(prices, order)) return { result: 3, change: 0n }
  const last = lastInTime(prices, order)
  if (last === null || last.time < order.expiresMs - order.maxAgeMs || last.price === order.entryPrice)
    return { result: 3, change: 0n }
  if (last.price > order.entryPrice !== order.isUp) return { result: 2, change: -order.stake }
  return { result: 1, change: halfToEven(order.stake * order.payoutBasisPoints, 10_000n) }
}

/** All that may be in the books about it. */
export function transfersOf({ stake }: StoredOrder, { result, change }: End): string[] {
  const staked = `cash > staked ${stake}`
  if (result === 2) return [staked, `staked > house:trading ${stake}`]
  const back = `staked > cash ${stake}`
  return result === 3 ? [staked, back] : [staked, back, `house:trading > cash ${change}`]
}

function halfToEven(amount: bigint, by: bigint): bigint {
  const [whole, rest] = [amount / by, 2n * (amount % by)]
  return rest > by || (rest === by && whole % 2n === 1n) ? whole + 1n : whole
}
