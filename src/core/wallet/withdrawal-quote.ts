import { mulDivHalfEven } from '#core/money/decimal.ts'
import { money, shareHalfEven, type BasisPoints, MAX_MONEY, type Money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { RateMillionths } from '#core/wallet/deposit-quote.ts'

/** The limits and charges of a withdrawal method, in the base currency, as they are taken from the balance. */
export interface WithdrawalTerms {
  readonly minimum: Money
  readonly maximum: Money
  readonly fixedCharge: Money
  readonly percentCharge: BasisPoints
  /** The price of one unit of the method's currency in the base currency, in millionths. */
  readonly rate: RateMillionths
}

/** The costs and the payment of a withdrawal. All amounts but `paidOut` are in the base currency. */
export interface WithdrawalQuote {
  /** The amount taken from the balance. */
  readonly amount: Money
  readonly percentCharge: Money
  readonly fixedCharge: Money
  /** The sum of both charges. */
  readonly charge: Money
  readonly rate: RateMillionths
  /** (amount − charge) ÷ rate: what arrives, in the method's currency. */
  readonly paidOut: Money
}

export type WithdrawalAmountRefusal = 'amount_invalid' | 'below_minimum' | 'above_maximum'

/**
 * Quotes a withdrawal; the quote is stored with the withdrawal and never changes. Charges are deducted from the amount
 * once. The remainder is paid out at the method's rate, rounded half-even to the minor unit.
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
  // The charges exceed the amount, or the payment is too large to store.
  if (paidOut <= 0n || paidOut > MAX_MONEY) return refuse('amount_invalid')
  return ok({ amount, percentCharge, fixedCharge: terms.fixedCharge, charge, rate: terms.rate, paidOut })
}
