import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { type Direction, type SettledFacts, readDirection } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import { instant } from '#core/time/instant.ts'

const order = (facts: Partial<SettledFacts> & { direction: Direction }): SettledFacts => ({
  ruleVersion: 1,
  stake: money(10_000),
  payout: basisPoints(8_500),
  entryPrice: price(50),
  expiresAt: instant(60_000),
  ...facts,
})

describe('the result of an order', () => {
  it.each([
    ['buy', 51, 1],
    ['buy', 49, 2],
    ['buy', 50, 3],
    ['sell', 51, 2],
    ['sell', 49, 1],
    ['sell', 50, 3],
  ] as const)('of %s at 50 with an exit at %s is %s', (direction, exit, expected) => {
    const settled = settleOrder(order({ direction: direction === 'buy' ? 1 : 2 }), {
      kind: 'price',
      exitPrice: price(exit),
    })
    expect(settled.result).toBe(expected)
  })

  it.each([
    // stake, payout, profit: a half is rounded to the even neighbour
    [10_000n, 8_500, 8_500n],
    [1n, 5_000, 0n],
    [3n, 5_000, 2n],
    [5n, 5_000, 2n],
    [7n, 5_000, 4n],
    [1_001n, 8_750, 876n],
    [33n, 8_800, 29n],
  ])('a win of stake %s at %s basis points adds %s', (stake, payout, profit) => {
    const won = settleOrder(order({ direction: 1, stake: money(stake), payout: basisPoints(payout) }), {
      kind: 'price',
      exitPrice: price(51),
    })
    expect(won).toEqual({ result: 1, credit: stake + profit, profit, netChange: profit })
  })

  it('the house keeps the whole stake of a lost order', () => {
    const lost = settleOrder(order({ direction: 2 }), { kind: 'price', exitPrice: price(51) })
    expect(lost).toEqual({ result: 2, credit: 0n, profit: 0n, netChange: -10_000n })
  })

  it('the user gets the whole stake back when exit equals entry', () => {
    const drawn = settleOrder(order({ direction: 1 }), { kind: 'price', exitPrice: price(50) })
    expect(drawn).toEqual({ result: 3, credit: 10_000n, profit: 0n, netChange: 0n })
  })

  it('the user gets the whole stake back when the order is void', () => {
    const settled = settleOrder(order({ direction: 2 }), { kind: 'void', reason: 'no_tick_before_expiry' })
    expect(settled).toEqual({ result: 4, credit: 10_000n, profit: 0n, netChange: 0n })
  })
})

it.each([0, 3, Number.NaN])('settleOrder throws for the unknown rule version %s', (ruleVersion) => {
  const facts = order({ direction: 1, ruleVersion })
  expect(() => settleOrder(facts, { kind: 'price', exitPrice: price(51) })).toThrow('the rules have a version')
})

const anyOrder = fc.record({
  ruleVersion: fc.constant(1),
  direction: fc.constantFrom(1, 2).map(readDirection),
  stake: fc.bigInt({ min: 1n, max: 10n ** 14n }).map(money),
  payout: fc.integer({ min: 1, max: 20_000 }).map(basisPoints),
  entryPrice: fc.integer({ min: 1, max: 10 ** 12 }).map(price),
  expiresAt: fc.constant(instant(0)),
})
const anyPrice = fc.integer({ min: 1, max: 10 ** 12 }).map(price)

describe('settling any order', () => {
  it('settling an order credits stake plus net change, never a negative amount, and profit only on a win', () => {
    fc.assert(
      fc.property(anyOrder, anyPrice, (facts, exitPrice) => {
        const settled = settleOrder(facts, { kind: 'price', exitPrice })
        expect(settled.credit).toBe(facts.stake + settled.netChange)
        expect(settled.credit >= 0n).toBe(true)
        expect(settled.profit === 0n || settled.result === 1).toBe(true)
      }),
    )
  })

  it('settling lets exactly one of buy and sell win, except in a draw', () => {
    fc.assert(
      fc.property(anyOrder, anyPrice, (facts, exitPrice) => {
        const buy = settleOrder({ ...facts, direction: 1 }, { kind: 'price', exitPrice }).result
        const sell = settleOrder({ ...facts, direction: 2 }, { kind: 'price', exitPrice }).result
        expect(new Set([buy, sell])).toEqual(new Set(exitPrice === facts.entryPrice ? [3] : [1, 2]))
      }),
    )
  })

  it('a win pays within half a minor unit of the exact profit', () => {
    fc.assert(
      fc.property(anyOrder, (facts) => {
        const won = settleOrder(
          { ...facts, direction: 1, entryPrice: price(1) },
          { kind: 'price', exitPrice: price(2) },
        )
        const twiceError = 2n * (won.profit * 10_000n - facts.stake * BigInt(facts.payout))
        expect(twiceError <= 10_000n && twiceError >= -10_000n).toBe(true)
      }),
    )
  })
})
