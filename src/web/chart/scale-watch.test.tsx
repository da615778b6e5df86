import { expect, test } from 'vitest'
import type { BarSeriesApi } from '#web/chart/bar-drawing.ts'
import { type FreeScale, ScaleWatch } from '#web/chart/scale-watch.ts'

/** A pane of 100 px that shows the prices from 100 at the top to 0, as the library reports it. */
function watching(autoScale: boolean) {
  const scale = { autoScale }
  const reads: string[] = []
  const bars = {
    priceScale: () => ({
      options: () => {
        reads.push('options')
        return scale
      },
      applyOptions: (options: typeof scale) => Object.assign(scale, options),
    }),
    priceToCoordinate: (price: number) => 100 - price,
    coordinateToPrice: (y: number) => 100 - y,
  } as unknown as BarSeriesApi
  const seen: (FreeScale | null)[] = []
  const element = document.createElement('div')
  const watch = new ScaleWatch({ element, bars: () => bars, paneHeight: () => 60, onChange: (free) => seen.push(free) })
  return { watch, element, seen, reads }
}

test.each<[number, FreeScale]>([
  [70, { lastPrice: 'in_view', percent: 0 }],
  [110, { lastPrice: 'above', percent: 10 }],
  [30, { lastPrice: 'below', percent: 25 }],
])('a manual scale reports where the price %d is', (price, expected) => {
  const { watch, seen } = watching(false)
  watch.check(price)
  expect(seen[0]?.lastPrice).toBe(expected.lastPrice)
  expect(seen[0]?.percent).toBeCloseTo(expected.percent, 9)
})

test('an automatic scale is not reported as manual, and a manual scale can become automatic again', () => {
  expect(watching(true).seen).toEqual([])
  const { watch, seen } = watching(false)
  watch.check(70)
  watch.toAuto()
  expect(seen.at(-1)).toBeNull()
})

test('a press on a chart that is removed in the same frame reads nothing from the removed chart', async () => {
  const { watch, element, reads } = watching(false)
  element.dispatchEvent(new Event('pointerup'))
  element.dispatchEvent(new Event('touchend'))
  watch.stop()
  element.dispatchEvent(new Event('wheel'))
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect(reads).toEqual([])
})
