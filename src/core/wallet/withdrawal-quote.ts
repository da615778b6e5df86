import { mulDivHalfEven } from '#core/money/decimal.ts'
import { money, shareHalfEven, type BasisPoints, LARGEST_MONEY, type Money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { RateMillionths } from '#core/wallet/deposit-quote.ts'

/** What a method asks of a withdrawal. Limits and charges are in the base currency: they are taken from the balance. */
export interface WithdrawalTerms {
  readonly minimum: Money
  readonly maximum: Money
  readonly fixedCharge: Money
  readonly percentCharge: BasisPoints
  /** Base currency for one unit of the method's currency. */
  readonly rate: RateMillionths
}

/** What a withdrawal takes and brings. All but `paidOut` is in the base currency. */
export interface WithdrawalQuote {
  /** What leaves the balance. */
  readonly amount: Money
  readonly percentCharge: Money
  readonly fixedCharge: Money
  /** Both charges together. */
  readonly charge: Money
  readonly rate: RateMillionths
  /** (amount − charge) ÷ rate: what arrives, in the method's currency. */
  readonly paidOut: Money
}

export type WithdrawalAmountRefusal = 'amount_invalid' | 'below_minimum' | 'above_maximum'

/**
 * The quote that is frozen in a withdrawal. Charges are taken off the amount, once; what is left is paid out at the
 * method's rate, rounded half-even to the minor unit.
 */
export function quoteWithdrawal(
  terms: WithdrawalTerms,
  amount: Money,
): Result<WithdrawalQuote, WithdrawalAmountRefusal> {
  if (amount < terms.minimum) return refuse('below_minimum')
  if (amount > terms.maximum) return refuse('above_maximum')
  const percentCharge = shareHalfEven(amount, terms.percentCharge)
  const charge = money(percentCharge + terms.fixedCharge)
  const paidOut = money(mulDivHalfEven(amount - charge, 1_000_000n, terms.rate))
  // An amount that its charges eat up, or beyond what can be written down.
  if (paidOut <= 0n || paidOut > LARGEST_MONEY) return refuse('amount_invalid')
  return ok({ amount, percentCharge, fixedCharge: terms.fixedCharge, charge, rate: terms.rate, paidOut })
}
