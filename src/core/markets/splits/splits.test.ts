import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candleOnBasis, hasSplitBetween, priceOnBasis, type Split } from '#core/markets/splits/splits.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, later } from '#core/time/instant.ts'

const AT = instant(Date.UTC(2022, 7, 25, 13, 30))
const BEFORE = later(AT, -1)
const split = (newShares: number, oldShares: number, effectiveAt = AT): Split => ({ newShares, oldShares, effectiveAt })

describe('a price on the basis of a later instant', () => {
  it.each([
    ['three for one', 89_129, 3, 1, 29_710],
    ['three for two', 10_000, 3, 2, 6_667],
    ['a reverse split of one for ten', 123, 1, 10, 1_230],
    ['a half that goes down to the even unit', 5, 2, 1, 2],
    ['a half that goes up to the even unit', 7, 2, 1, 4],
    ['less than one unit', 1, 20, 1, 1],
    ['more than a price can be', Number.MAX_SAFE_INTEGER, 1, 10, Number.MAX_SAFE_INTEGER],
  ])('P7: priceOnBasis is exact and rounds once: %s', (_, units, newShares, oldShares, expected) => {
    expect(priceOnBasis(price(units), BEFORE, AT, [split(newShares, oldShares)])).toBe(expected)
  })

  it('P7: priceOnBasis changes a price at the first instant of the split and not before', () => {
    const splits = [split(3, 1)]
    expect(priceOnBasis(price(900), BEFORE, BEFORE, splits)).toBe(900)
    expect(priceOnBasis(price(900), BEFORE, AT, splits)).toBe(300)
    expect(priceOnBasis(price(300), AT, later(AT, 1), splits)).toBe(300)
    expect([hasSplitBetween(splits, BEFORE, AT), hasSplitBetween(splits, AT, later(AT, 1))]).toEqual([true, false])
  })

  it('P7: priceOnBasis combines several splits into one ratio, so that the price is rounded once', () => {
    const splits = [split(3, 1, BEFORE), split(1, 3)]
    expect(priceOnBasis(price(100), later(BEFORE, -1), AT, splits)).toBe(100)
  })

  it('P7: the result of priceOnBasis is within half a unit of the exact ratio for any price and ratio', () => {
    const shares = fc.integer({ min: 1, max: 1_000 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), shares, shares, (units, newShares, oldShares) => {
        const got = priceOnBasis(price(units), BEFORE, AT, [split(newShares, oldShares)])
        const isNearest = Math.abs(got * newShares - units * oldShares) * 2 <= newShares
        expect(isNearest || got === 1).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

it('P7: candleOnBasis divides prices and multiplies the volume by the ratio', () => {
  const candle = {
    openTime: later(AT, -300_000),
    open: price(900),
    high: price(930),
    low: price(891),
    close: price(912),
    volume: volume(50),
  }
  const splits = [split(3, 1)]
  expect(candleOnBasis(candle, AT, splits)).toEqual({
    ...candle,
    open: 300,
    high: 310,
    low: 297,
    close: 304,
    volume: 150,
  })
  expect(candleOnBasis(candle, BEFORE, splits)).toBe(candle)
})
