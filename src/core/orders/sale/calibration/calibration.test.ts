import { describe, expect, it } from 'vitest'
import type { LengthReport } from '#core/orders/sale/calibration/calibrate.ts'
import { clusteredMean } from '#core/orders/sale/calibration/clustered-mean.ts'
import { judgeCalibration } from '#core/orders/sale/calibration/judge-calibration.ts'
import { fitLinear } from '#core/orders/sale/calibration/fit-linear.ts'

describe('a clustered mean', () => {
  it('clusteredMean counts the orders of one half hour as one sample', () => {
    const values = [1, 3, 5, 7].map((value, at) => ({ timeMs: at * 1_800_000, value }))
    const repeated = values.flatMap((one) => [one, one, one])
    expect(clusteredMean(values)).toMatchObject({ count: 4, mean: 4 })
    expect(clusteredMean(repeated)).toMatchObject({ count: 12, mean: 4 })
    expect(clusteredMean(repeated).error).toBeCloseTo(clusteredMean(values).error)
  })

  it('a clustered mean has an infinite error when all orders are in one half hour', () => {
    expect(clusteredMean([{ timeMs: 0, value: 1 }]).error).toBe(Infinity)
  })
})

describe('least squares', () => {
  it('fitLinear finds the weights of a linear rule', () => {
    const rows = [1, 2, 3, 5, 8].map((x) => [1, x, x * x])
    const weights = fitLinear(
      rows,
      rows.map(([one = 0, x = 0, square = 0]) => 4 * one - 3 * x + 2 * square),
    )
    expect(weights?.map((weight) => Math.round(weight * 1e6) / 1e6)).toEqual([4, -3, 2])
  })

  it('fitLinear refuses rows that do not determine the weights', () => {
    expect(
      fitLinear(
        [
          [1, 2],
          [2, 4],
        ],
        [1, 2],
      ),
    ).toBeNull()
    expect(fitLinear([], [])).toBeNull()
  })
})

const estimate = (count: number, mean: number, error: number) => ({ count, mean, error })
const seller = (mean: number, error: number, isOffered = true) => ({
  name: 'S',
  isOffered,
  houseGain: estimate(500, mean, error),
})
const tenth = (count: number, predicted: number, won: number, error: number) => ({
  predicted: estimate(count, predicted, 0),
  won: estimate(count, won, error),
})
const report = (change: Partial<LengthReport>): LengthReport => ({
  lengthMs: 300_000,
  orders: 3_000,
  offered: 0.5,
  tenths: [],
  sellers: [],
  ...change,
})

describe('the verdict on a calibration', () => {
  it.each([
    ['fair', report({ sellers: [seller(-1.2, 0.5)], tenths: [tenth(500, 25, 22, 0.5)] }), 10, undefined, 2, []],
    ['too few days', report({}), 9, undefined, 2, ['days']],
    ['too few orders', report({ orders: 1_999 }), 10, undefined, 2, ['orders']],
    [
      'a chance more than 4 points and 3 errors off',
      report({ tenths: [tenth(200, 25, 20.5, 1.4)] }),
      10,
      undefined,
      2,
      ['chance'],
    ],
    ['a chance off within 3 errors', report({ tenths: [tenth(200, 25, 20.5, 1.6)] }), 10, undefined, 2, []],
    ['a tenth of few orders', report({ tenths: [tenth(199, 25, 5, 0.1)] }), 10, undefined, 2, []],
    ['a seller whom a low fee does not cover', report({ sellers: [seller(-4.2, 0.5)] }), 10, 3, 4.5, ['seller']],
    ['a seller whom the fee covers within an error', report({ sellers: [seller(-4.2, 1.3)] }), 10, 3, 4.5, []],
    ['a way to sell that is not offered', report({ sellers: [seller(-12, 0.1, false)] }), 10, 3, 2, []],
  ] as const)('%s', (_, one, days, fee, minFee, faults) => {
    const calibration = judgeCalibration([one], days, fee)
    expect(calibration.minFee).toBe(minFee)
    expect(calibration.faults.map(({ why }) => why)).toEqual(faults)
  })
})
