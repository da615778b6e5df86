import { formatDecimal } from '#core/money/decimal.ts'
import { MAX_MONEY, money, shareHalfEven, type BasisPoints, type Money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'

/** The price of one unit of a gateway's currency in the base currency, in millionths. */
export type RateMillionths = bigint

/** Converts a rate to its wire format. */
export function rateNumber(millionths: RateMillionths): number {
  return Number(formatDecimal(millionths, 6))
}

export interface DepositTerms {
  readonly minimum: Money
  readonly maximum: Money
  readonly fixedCharge: Money
  readonly percentCharge: BasisPoints
  readonly rate: RateMillionths
}

/** The costs and the credit of a deposit. All amounts but `credited` are in the gateway's currency. */
export interface DepositQuote {
  readonly amount: Money
  readonly percentCharge: Money
  readonly fixedCharge: Money
  /** The amount to pay: `amount` plus both charges. */
  readonly total: Money
  readonly rate: RateMillionths
  /** `amount` × `rate`, in the base currency. */
  readonly credited: Money
}

export type DepositAmountRefusal = 'amount_invalid' | 'below_minimum' | 'above_maximum'

/**
 * Quotes a deposit; the quote is stored with the deposit. Charges are added to the amount once. The credit is the amount
 * at the gateway's rate, rounded down to the minor unit, so that rounding never gives more than the rate says.
 */
export function quoteDeposit(terms: DepositTerms, amount: Money): Result<DepositQuote, DepositAmountRefusal> {
  if (amount < terms.minimum) return refuse('below_minimum')
  if (amount > terms.maximum) return refuse('above_maximum')
  const credited = money((amount * terms.rate) / 1_000_000n)
  // The credit would be less than one minor unit or exceed the largest balance.
  if (credited <= 0n || credited > MAX_MONEY) return refuse('amount_invalid')
  const percentCharge = shareHalfEven(amount, terms.percentCharge)
  const total = money(amount + percentCharge + terms.fixedCharge)
  return ok({ amount, percentCharge, fixedCharge: terms.fixedCharge, total, rate: terms.rate, credited })
}
