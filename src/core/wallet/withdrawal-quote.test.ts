import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { basisPoints, MAX_MONEY, money } from '#core/money/money.ts'
import { quoteWithdrawal, type WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'

const TERMS: WithdrawalTerms = {
  minimum: money(2_000),
  maximum: money(100_000),
  fixedCharge: money(150),
  percentCharge: basisPoints(250),
  rate: 1_000_000n,
}

describe('a withdrawal quote', () => {
  it.each([
    [1_000_000n, 10_000, 400, 9_600],
    [1_080_000n, 10_000, 400, 8_889],
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

const anyTerms = fc
  .record({
    minimum: fc.bigInt(1n, 10_000n),
    spread: fc.bigInt(0n, 1_000_000n),
    fixedCharge: fc.bigInt(0n, 10_000n),
    percentCharge: fc.integer({ min: 0, max: 10_000 }),
    rate: fc.bigInt(1n, 100_000_000_000n),
  })
  .map(({ minimum, spread, fixedCharge, percentCharge, rate }) => ({
    minimum: money(minimum),
    maximum: money(minimum + spread),
    fixedCharge: money(fixedCharge),
    percentCharge: basisPoints(percentCharge),
    rate,
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
      // Within half a minor unit of the exact quotient.
      const off = paidOut * rate - (amount - charge) * 1_000_000n
      expect(2n * off <= rate && 2n * off >= -rate).toBe(true)
    }),
  )
})

test('at rate 1 the charges and the payment add up to the amount', () => {
  const found = fc.check(
    fc.property(anyTerms, fc.bigInt(1n, 2_000_000n), (terms, units) => {
      const quote = quoteWithdrawal({ ...terms, rate: 1_000_000n }, money(units))
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
