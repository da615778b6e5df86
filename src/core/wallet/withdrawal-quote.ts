import { storedDecimals } from '#core/money/currencies.ts'
import { money, MONEY_DECIMALS, shareHalfEven, type BasisPoints, MAX_MONEY, type Money } from '#core/money/money.ts'
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
  /** The currency of the payment, which decides the smallest unit that can be paid. */
  readonly currency: string
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
  /** (amount − charge) ÷ rate, rounded down: what arrives, in the method's currency. */
  readonly paidOut: Money
}

export type WithdrawalAmountRefusal = 'amount_invalid' | 'below_minimum' | 'above_maximum'

/**
 * The most that the smallest payment of a method may be worth: 0.10 of the base currency. Rounding then costs a user
 * less than ten cents. All usual currencies of states fit, up to the Kuwaiti dinar, whose 0.01 is worth 3.3 cents.
 */
const COARSE: Money = money(10)

/** Returns the smallest amount that can be stored and paid in a currency: 1 yen, or 0.01 of a coin. */
export function smallestPayment(currency: string): Money {
  return money(10n ** BigInt(MONEY_DECIMALS - storedDecimals(currency)))
}

/** Whether the smallest payment in the currency is worth so much that rounding down would cost users real money. */
export function isCoarse({ currency, rate }: Pick<WithdrawalTerms, 'currency' | 'rate'>): boolean {
  return smallestPayment(currency) * rate > COARSE * 1_000_000n
}

/**
 * Quotes a withdrawal; the quote is stored with the withdrawal and never changes. Charges are deducted from the amount
 * once. The remainder is paid out at the method's rate, rounded down to what the currency can pay, so that a payment is
 * never worth more than the remainder.
 */
export function quoteWithdrawal(
  terms: WithdrawalTerms,
  amount: Money,
): Result<WithdrawalQuote, WithdrawalAmountRefusal> {
  if (amount < terms.minimum) return refuse('below_minimum')
  if (amount > terms.maximum) return refuse('above_maximum')
  const percentCharge = shareHalfEven(amount, terms.percentCharge)
  const charge = money(percentCharge + terms.fixedCharge)
  const exact = ((amount - charge) * 1_000_000n) / terms.rate
  const paidOut = money(exact - (exact % smallestPayment(terms.currency)))
  // The charges exceed the amount, or the payment is too large to store.
  if (paidOut <= 0n || paidOut > MAX_MONEY) return refuse('amount_invalid')
  return ok({ amount, percentCharge, fixedCharge: terms.fixedCharge, charge, rate: terms.rate, paidOut })
}
