/*
 * The auditor's own arithmetic and reading of the rules. No file of the auditor uses code with which the server
 * decides: an error of the server would be repeated, and so not seen.
 */

/** A fraction of an amount, rounded to the nearest unit, half to even. */
export function partOf(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  const exact = amount * numerator
  const whole = exact / denominator
  const twice = (exact - whole * denominator) * 2n
  if (twice < denominator) return whole
  if (twice > denominator) return whole + 1n
  return whole % 2n === 0n ? whole : whole + 1n
}

export interface Outcome {
  /** 1 won, 2 lost, 3 draw, 4 void. */
  readonly result: number
  readonly profit: bigint
  readonly netChange: bigint
  readonly credit: bigint
}

export interface Bet {
  readonly isBuy: boolean
  readonly stake: bigint
  readonly payoutBasisPoints: bigint
  readonly entry: bigint
}

/** Returns the outcome of an order at this exit price. If `exit` is null, there is no price, so the order is void. */
export function outcomeOf({ isBuy, stake, payoutBasisPoints, entry }: Bet, exit: bigint | null): Outcome {
  if (exit === null) return { result: 4, profit: 0n, netChange: 0n, credit: stake }
  if (exit === entry) return { result: 3, profit: 0n, netChange: 0n, credit: stake }
  const rose = exit > entry
  if (rose !== isBuy) return { result: 2, profit: 0n, netChange: -stake, credit: 0n }
  const profit = partOf(stake, payoutBasisPoints, 10_000n)
  return { result: 1, profit, netChange: profit, credit: stake + profit }
}
