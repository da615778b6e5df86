import fc from 'fast-check'
import { expect, it } from 'vitest'
import { basisPoints, money } from '#core/money/money.ts'
import { quoteLeave } from '#core/wallet/leave.ts'

const TERMS = {
  minimum: money(5_000),
  maximum: money(2_500_000),
  fixedCharge: money(500),
  percentCharge: basisPoints(50),
  rate: 1_000_000n,
  currency: 'USDT',
}

it.each([
  ['no deposit', 100_000, 0, [[100_000, 'above']]],
  ['more paid out than deposited', 100_000, -50_000, [[100_000, 'above']]],
  ['less than the principal', 80_000, 100_000, [[80_000, 'principal']]],
  ['exactly the principal', 100_000, 100_000, [[100_000, 'principal']]],
  [
    'more than the principal',
    150_000,
    100_000,
    [
      [100_000, 'principal'],
      [50_000, 'above'],
    ],
  ],
  ['less than the minimum of the method', 900, 900, [[900, 'principal']]],
  ['more than the maximum of the method', 3_000_000, 3_000_000, [[3_000_000, 'principal']]],
  ['a principal that the charge would take', 100_000, 400, [[100_000, 'principal']]],
])('a user who leaves with %s gets the payments', (_, cash, principal, payments) => {
  const quotes = quoteLeave(TERMS, money(cash), money(principal))
  const shown =
    quotes.ok && quotes.value.map((one) => [Number(one.amount), one.isAbovePrincipal ? 'above' : 'principal'])
  expect(shown).toEqual(payments)
})

it('the withdrawal of the whole balance is refused if the cash is not above the charge', () => {
  expect(quoteLeave(TERMS, money(500), money(500))).toEqual({ ok: false, refusal: 'amount_invalid' })
})

it('all cash is paid, less the charge of the method', () => {
  const amounts = fc.record({
    cash: fc.integer({ min: 1, max: 10_000_000 }),
    principal: fc.integer({ min: -1_000_000, max: 10_000_000 }),
    fixed: fc.nat({ max: 5_000 }),
    percent: fc.nat({ max: 1_000 }),
  })
  fc.assert(
    fc.property(amounts, ({ cash, principal, fixed, percent }) => {
      const terms = { ...TERMS, fixedCharge: money(fixed), percentCharge: basisPoints(percent) }
      const quotes = quoteLeave(terms, money(cash), money(principal))
      if (!quotes.ok) return
      const sum = (of: 'amount' | 'charge' | 'paidOut') =>
        quotes.value.reduce((total, quote) => total + Number(quote[of]), 0)
      expect(sum('amount')).toBe(cash)
      expect(sum('paidOut')).toBe(cash - sum('charge'))
      // The percentage charge of each part is rounded separately, so the sum can be one cent off.
      expect(Math.abs(sum('charge') - fixed - (cash * percent) / 10_000)).toBeLessThanOrEqual(1)
    }),
  )
})
