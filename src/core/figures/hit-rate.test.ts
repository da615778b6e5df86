import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DecidedOrders, hitRate, rateSentences } from '#core/figures/hit-rate.ts'

/** Adds up orders, each with its stake and its payout in basis points. */
function decided(
  orders: readonly { readonly won: boolean; readonly stake: number; readonly payout: number }[],
): DecidedOrders {
  const sum = (values: readonly number[]): bigint => BigInt(values.reduce((total, value) => total + value, 0))
  const won = orders.filter((order) => order.won)
  return {
    wins: won.length,
    losses: orders.length - won.length,
    wonStakes: sum(won.map(({ stake }) => stake)),
    stakes: sum(orders.map(({ stake }) => stake)),
    returns: sum(orders.map(({ stake, payout }) => stake * (10_000 + payout))),
  }
}

it.each([
  // Wins, decided orders, low end and high end of the range. From the table of Wilson ranges.
  [5, 10, 0.2366, 0.7634],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [55, 100, 0.4524, 0.6439],
])('US2.2: %d wins of %d have a range from %f to %f', (wins, count, low, high) => {
  const orders = Array.from({ length: count }, (_, at) => ({ won: at < wins, stake: 100, payout: 8_000 }))
  const rate = hitRate(decided(orders))
  expect(rate?.low).toBeCloseTo(low, 4)
  expect(rate?.high).toBeCloseTo(high, 4)
  expect(rate?.breakEven).toBeCloseTo(1 / 1.8, 10)
})

it('US2.2: rates of any orders equal a naive computation, and the range contains the rate', () => {
  const order = fc.record({
    won: fc.boolean(),
    stake: fc.integer({ min: 1, max: 10_000 }),
    payout: fc.integer({ min: 1_000, max: 20_000 }),
  })
  fc.assert(
    fc.property(fc.array(order, { minLength: 1, maxLength: 60 }), (orders) => {
      const rate = hitRate(decided(orders))
      const stakes = orders.reduce((sum, { stake }) => sum + stake, 0)
      const back = orders.reduce((sum, { stake, payout }) => sum + stake * (1 + payout / 10_000), 0)
      const won = orders.filter((one) => one.won)
      expect(rate?.rate).toBeCloseTo(won.length / orders.length, 10)
      expect(rate?.byStake).toBeCloseTo(won.reduce((sum, { stake }) => sum + stake, 0) / stakes, 10)
      expect(rate?.breakEven).toBeCloseTo(stakes / back, 10)
      expect(rate && rate.low <= rate.rate + 1e-12 && rate.rate <= rate.high + 1e-12).toBe(true)
    }),
  )
})

it('hitRate gives no rate without decided orders', () => expect(hitRate(decided([]))).toBeNull())

const RATE = { rate: 0.5, low: 0.4, high: 0.6, breakEven: 0.55 }
it.each([
  ['too few orders', RATE, { decided: 29, net: -1 }, ['few', 'past']],
  ['a range that spans break-even', RATE, { decided: 30, net: -1 }, ['chance', 'past']],
  [
    'a rate above break-even with a loss',
    { ...RATE, rate: 0.7, low: 0.6, high: 0.8 },
    { decided: 99, net: -1 },
    ['stakes', 'past'],
  ],
  ['both', { ...RATE, rate: 0.58 }, { decided: 99, net: -1 }, ['chance', 'stakes', 'past']],
  [
    'a rate above break-even with a gain',
    { ...RATE, rate: 0.7, low: 0.6, high: 0.8 },
    { decided: 99, net: 1 },
    ['past'],
  ],
  ['a rate below break-even', { ...RATE, rate: 0.3, low: 0.2, high: 0.4 }, { decided: 99, net: -1 }, ['past']],
] as const)('US2.2: chooses the sentences for %s', (_, rate, facts, expected) => {
  expect(rateSentences(rate, facts)).toEqual(expected)
})
