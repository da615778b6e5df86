import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { relativeMove } from '#core/orders/sale/movement.ts'
import { chancesAtExpiry, paymentOfSale } from '#core/orders/sale/sale-price.ts'
import { squareRoot, UNIT } from '#core/orders/sale/whole-numbers.ts'

describe('the price of a sale', () => {
  // Computed in Python from the formula, with whole numbers.
  it.each([
    [
      9_400_000,
      9_398_000,
      120_000,
      119_000_000_000n,
      90,
      8_500,
      300,
      589_743_775n,
      43_805n,
      [10_911n, 10_611n],
      [7_589n, 7_289n],
    ],
    [
      9_400_000,
      9_406_500,
      90_000,
      119_000_000_000n,
      90,
      8_500,
      300,
      207_302_877n,
      32_795n,
      [3_835n, 3_535n],
      [14_665n, 14_365n],
    ],
    [
      108_500,
      108_482,
      900_000,
      2_300_000_000n,
      90,
      8_700,
      300,
      672_641_456n,
      8_903_381n,
      [12_667n, 12_367n],
      [6_044n, 5_744n],
    ],
    [
      23_200,
      23_195,
      200_000,
      37_000_000_000n,
      80,
      8_500,
      500,
      626_332_271n,
      26_276_862n,
      [11_850n, 11_350n],
      [6_689n, 6_189n],
    ],
  ] as const)(
    'at %i after an entry at %i, %i ms before the expiry',
    (now, entry, leftMs, movement, scale, payout, fee, above, same, buy, sell) => {
      const chances = chancesAtExpiry({ price: price(now), entryPrice: price(entry), leftMs, movement, scale })
      expect(chances).toEqual({ above, same, below: 1_000_000_000n - above - same })
      const pay = (direction: Direction) => {
        const order = { direction, stake: money(10_000), payout: basisPoints(payout) }
        const { gross, paid } = paymentOfSale(chances, order, basisPoints(fee))
        return [gross, paid]
      }
      expect(pay(BUY)).toEqual(buy)
      expect(pay(SELL)).toEqual(sell)
    },
  )
})

/** The largest rounding error of a chance, in units of 10^-9. */
const ROUNDING = 4n
const seen = fc.record({
  price: fc.integer({ min: 1_000, max: 100_000_000 }).map(price),
  away: fc.integer({ min: -500, max: 500 }),
  leftMs: fc.integer({ min: 30_000, max: 3_600_000 }),
  movement: fc.bigInt({ min: 1_000_000n, max: 10n ** 15n }),
  scale: fc.integer({ min: 70, max: 110 }),
})

describe('for any price, entry, movement and time left', () => {
  it('the chances add up to one, and a higher price lowers the chance of expiring above the entry by no more than rounding', () => {
    fc.assert(
      fc.property(seen, fc.integer({ min: 1, max: 100 }), ({ away, ...facts }, more) => {
        const entryPrice = price(facts.price + away)
        const chances = chancesAtExpiry({ ...facts, entryPrice })
        const { above, same, below } = chances
        expect(above + same + below).toBe(UNIT)
        expect([above, same, below].every((chance) => chance >= 0n)).toBe(true)
        const higher = chancesAtExpiry({ ...facts, price: price(facts.price + more), entryPrice })
        expect(higher.above).toBeGreaterThanOrEqual(above - ROUNDING)
      }),
    )
  })

  it('sales of a buy and a sell together return at most both stakes while the payout is at most 100 %', () => {
    fc.assert(
      fc.property(
        seen,
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.integer({ min: 0, max: 10_000 }),
        ({ away, ...facts }, stake, payout) => {
          const chances = chancesAtExpiry({ ...facts, entryPrice: price(facts.price + away) })
          const grossOf = (direction: Direction) => {
            const order = { direction, stake: money(stake), payout: basisPoints(payout) }
            return paymentOfSale(chances, order, basisPoints(0)).gross
          }
          // Each amount is rounded to a cent separately.
          expect(grossOf(BUY) + grossOf(SELL)).toBeLessThanOrEqual(2n * stake + 1n)
        },
      ),
    )
  })
})

describe('whole numbers', () => {
  it('a root is the largest whole number whose square does not exceed the value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (value) => {
        const root = squareRoot(value)
        expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true)
      }),
    )
  })

  it('moves are cut off towards zero, in both directions', () => {
    expect(relativeMove(price(3), price(4))).toBe(333_333_333n)
    expect(relativeMove(price(3), price(2))).toBe(-333_333_333n)
  })
})
