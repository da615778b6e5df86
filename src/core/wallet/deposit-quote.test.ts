import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { basisPoints, MAX_MONEY, money } from '#core/money/money.ts'
import { type DepositTerms, quoteDeposit, rateNumber } from '#core/wallet/deposit-quote.ts'

const TERMS: DepositTerms = {
  minimum: money(1_000),
  maximum: money(100_000),
  fixedCharge: money(150),
  percentCharge: basisPoints(250),
  rate: 1_080_000n,
}

describe('a deposit quote', () => {
  it.each([
    [1_000, 25, 1_175, 1_080],
    [10_000, 250, 10_400, 10_800],
    // Charges of half a cent are rounded to the even neighbour: 2.5 % of 10.20 is 25.5 cents, of 10.60 26.5. Credits are
    // rounded down: 10.20 are worth 11.016, 10.60 are worth 11.448.
    [1_020, 26, 1_196, 1_101],
    [1_060, 26, 1_236, 1_144],
  ])('a deposit quote for %i has charge %i, total %i, credit %i', (amount, percentCharge, total, credited) => {
    const quote = quoteDeposit(TERMS, money(amount))
    expect(quote).toMatchObject({
      ok: true,
      value: { percentCharge: BigInt(percentCharge), total: BigInt(total), credited: BigInt(credited) },
    })
  })

  it.each([
    [999, 'below_minimum'],
    [100_001, 'above_maximum'],
  ])('a deposit quote for %i is refused with %s', (amount, refusal) => {
    expect(quoteDeposit(TERMS, money(amount))).toEqual({ ok: false, refusal })
  })

  it('a deposit whose credit would be less than a cent is refused', () => {
    expect(quoteDeposit({ ...TERMS, minimum: money(1), rate: 1n }, money(100))).toMatchObject({
      refusal: 'amount_invalid',
    })
  })
})

const FREE = { ...TERMS, fixedCharge: money(0), percentCharge: basisPoints(0), rate: 1_000_000n }

it('quoteDeposit accepts the minimum and the maximum', () => {
  for (const amount of [TERMS.minimum, TERMS.maximum]) {
    expect(quoteDeposit(FREE, amount)).toMatchObject({ ok: true, value: { credited: amount } })
  }
})

it('quoteDeposit refuses a credit above the largest amount', () => {
  const vast = { ...FREE, maximum: money(MAX_MONEY + 1n) }
  expect(quoteDeposit(vast, MAX_MONEY)).toMatchObject({ ok: true, value: { credited: MAX_MONEY } })
  expect(quoteDeposit(vast, vast.maximum)).toEqual({ ok: false, refusal: 'amount_invalid' })
})

it('rateNumber converts millionths to a decimal rate', () => {
  expect(rateNumber(1_080_000n)).toBe(1.08)
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

test('every quote charges once and credits the amount at the rate', () => {
  fc.assert(
    fc.property(anyTerms, fc.bigInt(1n, 2_000_000n), (terms, units) => {
      const amount = money(units)
      const quote = quoteDeposit(terms, amount)
      if (!quote.ok) {
        if (quote.refusal === 'below_minimum') expect(amount).toBeLessThan(terms.minimum)
        if (quote.refusal === 'above_maximum') expect(amount).toBeGreaterThan(terms.maximum)
        return
      }
      const { percentCharge, fixedCharge, total, credited } = quote.value
      expect(total).toBe(amount + percentCharge + fixedCharge)
      expect(credited).toBeGreaterThan(0n)
      expect(credited).toBeLessThanOrEqual(MAX_MONEY)
      // The exact product, rounded down to a minor unit. The charges do not affect it.
      const missing = amount * terms.rate - credited * 1_000_000n
      expect(missing >= 0n && missing < 1_000_000n).toBe(true)
      const free = quoteDeposit({ ...terms, fixedCharge: money(0), percentCharge: basisPoints(0) }, amount)
      expect(free).toMatchObject({ ok: true, value: { credited, total: amount } })
    }),
  )
})
