import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { basisPoints, MAX_MONEY, money } from '#core/money/money.ts'
import { isCoarse, quoteWithdrawal, type WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'

const TERMS: WithdrawalTerms = {
  minimum: money(2_000),
  maximum: money(100_000),
  fixedCharge: money(150),
  percentCharge: basisPoints(250),
  rate: 1_000_000n,
  currency: 'USDT',
}

describe('a withdrawal quote', () => {
  it.each([
    [1_000_000n, 10_000, 400, 9_600],
    [1_080_000n, 10_000, 400, 8_888],
    [500_000n, 10_000, 400, 19_200],
    // Halves are rounded to the even neighbour: 2.5 % of 20.20 is 50.5 cents, of 20.60 51.5.
    [1_000_000n, 2_020, 200, 1_820],
    [1_000_000n, 2_060, 202, 1_858],
  ])('a withdrawal quote at rate %i for %i has charge %i and pays out %i', (rate, amount, charge, paidOut) => {
    expect(quoteWithdrawal({ ...TERMS, rate }, money(amount))).toMatchObject({
      ok: true,
      value: { amount: BigInt(amount), charge: BigInt(charge), paidOut: BigInt(paidOut) },
    })
  })

  it.each([
    [1_999, 'below_minimum'],
    [100_001, 'above_maximum'],
    [0, 'below_minimum'],
  ])('a withdrawal quote for %i is refused with %s', (amount, refusal) => {
    expect(quoteWithdrawal(TERMS, money(amount))).toEqual({ ok: false, refusal })
  })

  it('a withdrawal whose charges exceed the amount is refused', () => {
    expect(quoteWithdrawal({ ...TERMS, fixedCharge: money(1_950) }, money(2_000))).toMatchObject({
      refusal: 'amount_invalid',
    })
  })
})

const FREE = { ...TERMS, fixedCharge: money(0), percentCharge: basisPoints(0), rate: 1_000_000n }

it('quoteWithdrawal accepts the minimum and the maximum', () => {
  for (const amount of [TERMS.minimum, TERMS.maximum]) {
    expect(quoteWithdrawal(FREE, amount)).toMatchObject({ ok: true, value: { paidOut: amount } })
  }
})

it('quoteWithdrawal refuses a payment above the largest amount', () => {
  const vast = { ...FREE, maximum: money(MAX_MONEY + 1n) }
  expect(quoteWithdrawal(vast, MAX_MONEY)).toMatchObject({ ok: true, value: { paidOut: MAX_MONEY } })
  expect(quoteWithdrawal(vast, vast.maximum)).toEqual({ ok: false, refusal: 'amount_invalid' })
})

test('a withdrawal in a coin never pays out more than the amount', () => {
  const coin = { ...FREE, currency: 'BTC', minimum: money(1), maximum: money(1_000_000_000), rate: 60_000_000_000n }
  const quote = quoteWithdrawal(coin, money(90_001))
  expect(quote).toMatchObject({ ok: true, value: { paidOut: 1n } })
  expect(quote.ok && (quote.value.paidOut * coin.rate) / 1_000_000n).toBeLessThanOrEqual(90_001n)
})

test('a withdrawal in a currency without decimals pays out whole units', () => {
  const yen = { ...FREE, currency: 'JPY', rate: 6_700n }
  // 14,925.37 yen, of which 14,925 can be paid.
  expect(quoteWithdrawal(yen, money(10_000))).toMatchObject({ ok: true, value: { paidOut: 1_492_500n } })
})

it.each([
  ['USDT', 1_000_000n, false],
  ['KWD', 3_250_000n, false],
  ['EUR', 10_000_000n, false],
  ['EUR', 10_000_001n, true],
  ['JPY', 6_700n, false],
  ['JPY', 100_001n, true],
  ['LTC', 80_000_000n, true],
  ['BTC', 60_000_000_000n, true],
])('the smallest payment in %s at rate %i is too coarse: %s', (currency, rate, isTooCoarse) => {
  expect(isCoarse({ currency, rate })).toBe(isTooCoarse)
})

const anyTerms = fc
  .record({
    minimum: fc.bigInt(1n, 10_000n),
    spread: fc.bigInt(0n, 1_000_000n),
    fixedCharge: fc.bigInt(0n, 10_000n),
    percentCharge: fc.integer({ min: 0, max: 10_000 }),
    rate: fc.bigInt(1n, 100_000_000_000n),
    currency: fc.constantFrom('USDT', 'BTC', 'JPY', 'KWD'),
  })
  .map(({ minimum, spread, fixedCharge, percentCharge, rate, currency }) => ({
    minimum: money(minimum),
    maximum: money(minimum + spread),
    fixedCharge: money(fixedCharge),
    percentCharge: basisPoints(percentCharge),
    rate,
    currency,
  }))

test('every quote charges once and pays out the remainder at the rate', () => {
  fc.assert(
    fc.property(anyTerms, fc.bigInt(1n, 2_000_000n), (terms, units) => {
      const amount = money(units)
      const quote = quoteWithdrawal(terms, amount)
      if (!quote.ok) {
        if (quote.refusal === 'below_minimum') expect(amount).toBeLessThan(terms.minimum)
        if (quote.refusal === 'above_maximum') expect(amount).toBeGreaterThan(terms.maximum)
        return
      }
      const { percentCharge, fixedCharge, charge, paidOut, rate } = quote.value
      expect(charge).toBe(percentCharge + fixedCharge)
      expect(charge).toBeLessThan(amount)
      expect(paidOut).toBeGreaterThan(0n)
      expect(paidOut).toBeLessThanOrEqual(MAX_MONEY)
      // Never more than what is left, and less than one payable unit below it.
      const unit = terms.currency === 'JPY' ? 100n : 1n
      const exact = (amount - charge) * 1_000_000n
      expect(paidOut * rate).toBeLessThanOrEqual(exact)
      expect((paidOut + unit) * rate).toBeGreaterThan(exact)
      expect(paidOut % unit).toBe(0n)
    }),
  )
})

test('at rate 1 the charges and the payment add up to the amount', () => {
  const found = fc.check(
    fc.property(anyTerms, fc.bigInt(1n, 2_000_000n), (terms, units) => {
      const quote = quoteWithdrawal({ ...terms, rate: 1_000_000n, currency: 'USDT' }, money(units))
      return !quote.ok || quote.value.paidOut + quote.value.charge === units
    }),
  )
  expect(found.counterexample).toBeNull()
})

test('a larger amount never pays out less', () => {
  const found = fc.check(
    fc.property(anyTerms, fc.bigInt(1n, 1_000_000n), fc.bigInt(1n, 1_000_000n), (terms, units, more) => {
      const smaller = quoteWithdrawal(terms, money(units))
      const larger = quoteWithdrawal(terms, money(units + more))
      return !smaller.ok || !larger.ok || larger.value.paidOut >= smaller.value.paidOut
    }),
  )
  expect(found.counterexample).toBeNull()
})
