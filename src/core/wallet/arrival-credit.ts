import { inputDecimals } from '#core/money/currencies.ts'
import { formatDecimal, parseDecimal } from '#core/money/decimal.ts'
import { MAX_MONEY, type Money, money, MONEY_DECIMALS } from '#core/money/money.ts'

/**
 * An amount of money that arrived, in hundred-millionths of its currency. All currencies have this scale, so amounts of
 * coins stay exact.
 */
export type ArrivedAmount = bigint & { readonly __brand: 'ArrivedAmount' }

export const ARRIVED_DECIMALS = 8
const SCALE = 10n ** BigInt(ARRIVED_DECIMALS)
/** 10^6, the amounts of gateways are in hundredths. */
const OF_STORED = 10n ** BigInt(ARRIVED_DECIMALS - MONEY_DECIMALS)
const MAX_ARRIVED = (MAX_MONEY * OF_STORED) as ArrivedAmount
const MILLION = 1_000_000n
const TEN_THOUSAND = 10_000n
/** One minor unit of the base currency, in the unit of an arrived amount times a rate. */
const PER_CENT = (SCALE * MILLION) / 10n ** BigInt(MONEY_DECIMALS)

/**
 * Parses what arrived in a currency. Returns null for 0, for text that is no plain decimal, and for more decimals than
 * the currency has.
 */
export function parseArrived(text: string, currency: string): ArrivedAmount | null {
  const units = parseDecimal(text.trim(), ARRIVED_DECIMALS)
  if (units === null || units === 0n || units > MAX_ARRIVED) return null
  return units % unitOf(currency) === 0n ? (units as ArrivedAmount) : null
}

/** Formats an amount with two decimals, or with as many as it needs, but never with decimals its currency lacks. */
export function arrivedText(amount: bigint, currency: string): string {
  const text = formatDecimal(amount, ARRIVED_DECIMALS)
  const least = Math.min(MONEY_DECIMALS, inputDecimals(currency))
  const [whole = '', fraction = ''] = text.split('.')
  const needed = fraction.replace(/0+$/, '').padEnd(least, '0')
  return needed === '' ? whole : `${whole}.${needed}`
}

/** Converts an amount of a gateway, which is stored in hundredths. */
export function arrivedOf(stored: Money): ArrivedAmount {
  return (stored * OF_STORED) as ArrivedAmount
}

/** Converts to the hundredths that amounts of gateways are stored in, rounded down. */
export function storedOf(amount: bigint): Money {
  return money(amount / OF_STORED)
}

/** The quoted terms of a deposit. All amounts are in the gateway's currency. */
export interface ChargeTerms {
  readonly currency: string
  /** The requested amount, without charges. */
  readonly amount: Money
  /** The amount to pay: `amount` plus both charges. */
  readonly total: Money
  readonly fixedCharge: Money
  readonly percentBasisPoints: number
}

export interface ArrivalTerms {
  readonly amount: bigint
  /** The price of one unit of the currency in the base currency, in millionths. */
  readonly rate: bigint
}

/** The credit of an arrival. `credited` and `charge` are in the base currency. Together they are its whole worth. */
export interface ArrivalCredit {
  /** The arrival less its charges, in its currency. */
  readonly net: ArrivedAmount
  readonly credited: Money
  readonly charge: Money
}

/**
 * Subtracts the charges from the sum of all arrivals of a deposit. The fixed charge is subtracted once, even when the
 * user pays in parts. When the sum reaches the amount to pay, the result is at least the requested amount.
 */
export function netOf(terms: ChargeTerms, arrived: bigint): ArrivedAmount {
  const [fixed, share] = [arrivedOf(terms.fixedCharge), TEN_THOUSAND + BigInt(terms.percentBasisPoints)]
  const left = arrived > fixed ? ((arrived - fixed) * TEN_THOUSAND) / share : 0n
  const net = left - (left % unitOf(terms.currency))
  const quoted = arrivedOf(terms.amount)
  return (arrived >= arrivedOf(terms.total) && net < quoted ? quoted : net) as ArrivedAmount
}

/** Computes the credit of an arrival after earlier arrivals of the same deposit. Every rounding is down. */
export function creditArrival(terms: ChargeTerms, before: bigint, { amount, rate }: ArrivalTerms): ArrivalCredit {
  const gained = netOf(terms, before + amount) - netOf(terms, before)
  const net = gained < amount ? gained : amount
  const credited = worthOf(net, rate)
  return { net: net as ArrivedAmount, credited, charge: money(worthOf(amount, rate) - credited) }
}

/** Computes the credits of arrivals in this order, after earlier arrivals of the same deposit. */
export function creditArrivals<A extends ArrivalTerms>(
  terms: ChargeTerms,
  before: bigint,
  arrivals: readonly A[],
): readonly (A & ArrivalCredit)[] {
  let sum = before
  return arrivals.map((arrival) => {
    const credit = creditArrival(terms, sum, arrival)
    sum += arrival.amount
    return { ...arrival, ...credit }
  })
}

/** The worth of an amount in the base currency, rounded down to its minor unit. */
export function worthOf(amount: bigint, rate: bigint): Money {
  return money((amount * rate) / PER_CENT)
}

/** The smallest amount of a currency that a user can pay. */
function unitOf(currency: string): bigint {
  return 10n ** BigInt(ARRIVED_DECIMALS - inputDecimals(currency))
}

/** The percentage in hundredths. A rate that differs by more than this from the quoted one needs a second person. */
const SMALL_STEP = 100n

/** Whether two rates differ by more than 1 %. */
export function differsMuch(quoted: bigint, other: bigint): boolean {
  const difference = quoted > other ? quoted - other : other - quoted
  return difference * TEN_THOUSAND > quoted * SMALL_STEP
}
