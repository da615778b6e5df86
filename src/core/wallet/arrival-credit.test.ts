import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { inputDecimals } from '#core/money/currencies.ts'
import { basisPoints, money, shareHalfEven } from '#core/money/money.ts'
import {
  ARRIVED_DECIMALS,
  arrivedOf,
  arrivedText,
  type ChargeTerms,
  creditArrival,
  creditArrivals,
  differsMuch,
  netOf,
  parseArrived,
  worthOf,
} from '#core/wallet/arrival-credit.ts'

/** Currencies with 0, 2, 3 and 8 decimals. */
const CURRENCIES = ['JPY', 'VND', 'USD', 'KWD', 'BTC'] as const
const unitOf = (currency: string) => 10n ** BigInt(ARRIVED_DECIMALS - inputDecimals(currency))
const anyCurrency = fc.constantFrom(...CURRENCIES)
/** From 1 : 25,380 to 67,000.5 : 1, in millionths. */
const anyRate = fc.bigInt({ min: 39n, max: 67_000_500_000n })

const anyTerms = fc
  .record({
    currency: anyCurrency,
    amount: fc.bigInt({ min: 100n, max: 10_000_000n }),
    fixed: fc.bigInt({ min: 0n, max: 500n }),
    percent: fc.integer({ min: 0, max: 1_000 }),
  })
  .map(({ currency, amount: wanted, fixed, percent }): ChargeTerms => {
    const whole = inputDecimals(currency) === 0
    const amount = money(whole ? wanted * 100n : wanted)
    const fixedCharge = money(whole ? fixed * 100n : fixed)
    const total = money(amount + fixedCharge + shareHalfEven(amount, basisPoints(percent)))
    return { currency, amount, fixedCharge, total, percentBasisPoints: percent }
  })
const anyCase = anyTerms.chain((terms) =>
  fc.record({
    terms: fc.constant(terms),
    rate: anyRate,
    parts: fc.array(fc.bigInt({ min: 1n, max: (2n * arrivedOf(terms.total)) / unitOf(terms.currency) }), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
)

describe('the credit of an arrival', () => {
  test('an amount is parsed and formatted without any change, in every currency', () => {
    fc.assert(
      fc.property(anyCurrency, fc.bigInt({ min: 1n, max: 10n ** 12n }), (currency, count) => {
        const amount = count * unitOf(currency)
        expect(parseArrived(arrivedText(amount, currency), currency)).toBe(amount)
      }),
    )
  })

  it.each([
    ['0.0123', 'BTC', '0.0123'],
    ['1', 'JPY', '1'],
    ['0.125', 'KWD', '0.125'],
    ['1000000', 'VND', '1000000'],
    ['95', 'USD', '95.00'],
    ['0.00000001', 'BTC', '0.00000001'],
  ])('%s %s is read and shown as %s', (typed, currency, shown) => {
    expect(arrivedText(parseArrived(typed, currency) ?? 0n, currency)).toBe(shown)
  })

  it.each([
    ['0.5', 'JPY'],
    ['0.001', 'USD'],
    ['0.1234', 'KWD'],
    ['1e-8', 'BTC'],
    ['0', 'USD'],
    ['-1', 'USD'],
    ['10000000000000', 'USD'],
  ])('%s %s is refused', (typed, currency) => {
    expect(parseArrived(typed, currency)).toBeNull()
  })

  test('credit and charge are together what each arrival is worth, and no credit is above that', () => {
    fc.assert(
      fc.property(anyCase, ({ terms, rate, parts }) => {
        const arrivals = parts.map((part) => ({ amount: part * unitOf(terms.currency), rate }))
        for (const { amount, net, credited, charge } of creditArrivals(terms, 0n, arrivals)) {
          expect(credited + charge).toBe(worthOf(amount, rate))
          expect(credited >= 0n && charge >= 0n && net >= 0n && net <= amount).toBe(true)
        }
      }),
    )
  })

  test('a payment in up to 6 parts, in any order, credits at most one cent less for each part, and never more', () => {
    fc.assert(
      fc.property(anyCase, ({ terms, rate, parts }) => {
        const amounts = parts.map((part) => part * unitOf(terms.currency))
        const all = amounts.reduce((sum, amount) => sum + amount, 0n)
        const whole = creditArrival(terms, 0n, { amount: all, rate }).credited
        for (const order of [amounts, amounts.toReversed(), amounts.toSorted((a, b) => (a < b ? -1 : 1))]) {
          const credits = creditArrivals(
            terms,
            0n,
            order.map((amount) => ({ amount, rate })),
          )
          const sum = credits.reduce((total, { credited }) => total + credited, 0n)
          expect(sum <= whole).toBe(true)
          // A part cannot bring more than itself. Only the part that reaches the amount to pay can lose by this, and
          // only what rounding of the charges adds there.
          const capped =
            credits.filter(({ net, amount }) => net === amount).length === 0
              ? 0n
              : worthOf(unitOf(terms.currency), rate)
          expect(whole - sum <= BigInt(order.length) + capped).toBe(true)
        }
      }),
    )
  })

  test('a payment of the whole amount to pay credits the requested amount at the quoted rate', () => {
    fc.assert(
      fc.property(anyTerms, anyRate, (terms, rate) => {
        const { net, credited } = creditArrival(terms, 0n, { amount: arrivedOf(terms.total), rate })
        expect(net >= arrivedOf(terms.amount)).toBe(true)
        expect(credited >= worthOf(arrivedOf(terms.amount), rate)).toBe(true)
      }),
    )
  })

  it('takes the fixed charge once, and credits what is too much', () => {
    const terms: ChargeTerms = {
      currency: 'USD',
      amount: money(10_000),
      total: money(10_400),
      fixedCharge: money(200),
      percentBasisPoints: 200,
    }
    const usd = (units: bigint) => ({ amount: units * 1_000_000n, rate: 1_000_000n })
    const [first, second] = creditArrivals(terms, 0n, [usd(5_300n), usd(5_100n)])
    expect([first?.credited, first?.charge]).toEqual([5_000n, 300n])
    expect([second?.credited, second?.charge]).toEqual([5_000n, 100n])
    expect(creditArrival(terms, 0n, usd(200n))).toMatchObject({ net: 0n, credited: 0n, charge: 200n })
    expect(netOf(terms, usd(20_600n).amount)).toBe(usd(20_000n).amount)
  })

  it('tells rates apart that differ by more than one percent', () => {
    expect([differsMuch(1_000_000n, 1_010_000n), differsMuch(1_000_000n, 1_010_001n)]).toEqual([false, true])
    expect([differsMuch(1_000_000n, 990_000n), differsMuch(1_000_000n, 989_999n)]).toEqual([false, true])
  })
})
