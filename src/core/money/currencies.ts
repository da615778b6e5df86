import { MONEY_DECIMALS, type Money } from '#core/money/money.ts'

export interface Currency {
  /** Decimals of the currency's smallest unit: ISO 4217 for fiat, the chain or contract for coins. */
  readonly decimals: number
  /** The number of decimals that users may type in an amount, and that quotes and limits are shown with. */
  readonly inputDecimals: number
}

const MAX_INPUT_DECIMALS = 8
const UNKNOWN_DECIMALS = 2

/**
 * Currency codes by decimals (ISO 4217). Unlisted codes have two. `Intl` is not used: it follows common practice and
 * returns 0 for IDR, HUF and IQD.
 */
const FIAT: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP ' +
    'COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD ' +
    'PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD ' +
    'TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Decimals of coins. USDT and USDC have six, as on most of their networks. */
const COINS: Readonly<Record<string, number>> = { BTC: 8, LTC: 8, ETH: 18, TRX: 6, USDT: 6, USDC: 6 }

const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  [
    ...Object.entries(FIAT).flatMap(([decimals, codes]) =>
      codes.split(' ').map((code) => [code, Number(decimals)] as const),
    ),
    ...Object.entries(COINS),
  ].map(([code, decimals]) => [code, { decimals, inputDecimals: Math.min(decimals, MAX_INPUT_DECIMALS) }]),
)

/** Finds a currency by its code; null when it is not in the table. */
export function findCurrency(code: string): Currency | null {
  return CURRENCIES.get(code.toUpperCase()) ?? null
}

/** Returns the decimals that users may type in a currency. Unknown currencies have two. */
export function inputDecimals(code: string): number {
  return findCurrency(code)?.inputDecimals ?? UNKNOWN_DECIMALS
}

/**
 * Returns the decimals stored for a currency, at most two. Amounts of gateways are stored in hundredths, so finer
 * amounts are refused, not rounded.
 */
export function storedDecimals(code: string): number {
  return Math.min(inputDecimals(code), MONEY_DECIMALS)
}

/** Whether a stored amount fits the given decimals. For example, half a yen does not fit zero decimals. */
export function hasDecimals(amount: Money, decimals: number): boolean {
  return amount % 10n ** BigInt(MONEY_DECIMALS - decimals) === 0n
}
