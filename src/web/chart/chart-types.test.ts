import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import { drawingOf } from '#web/chart/chart-types.ts'
import type { Slot } from '#web/chart/with-holes.ts'
import { CHART_TYPES } from '#core/charts/chart-type.ts'

const COLOURS = { up: '#0a0', down: '#a00', text: '#111', brand: '#00a' } as ChartColours
const NONE = 'rgba(0, 0, 0, 0)'

function slotAt(index: number, open: number, close: number): Slot {
  const time = index * 60_000
  const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1]
  return { time, bar: { time, open, high, low, close, volume: 1 } }
}

const hole = (index: number): Slot => ({ time: index * 60_000, bar: null })

it('hollow candles are hollow when the bar rises, and coloured by the previous close', () => {
  const slots = [slotAt(0, 10, 20), slotAt(1, 12, 15), slotAt(2, 18, 16), slotAt(3, 16, 14)]
  const points = drawingOf('hollow').points(slots, COLOURS)
  const look = (color: string, line: string) => ({ color, borderColor: line, wickColor: line })
  expect(points).toMatchObject([look(NONE, '#0a0'), look(NONE, '#a00'), look('#0a0', '#0a0'), look('#a00', '#a00')])
})

it.each(['line', 'area'] as const)('a %s ends before missing bars instead of bridging them', (type) => {
  const points = drawingOf(type).points([slotAt(0, 1, 2), hole(1), slotAt(2, 3, 4)], COLOURS)
  const hidden = type === 'line' ? { color: NONE } : { lineColor: NONE, topColor: NONE, bottomColor: NONE }
  expect(points).toEqual([{ time: 0, value: 2, ...hidden }, { time: 60 }, { time: 120, value: 4 }])
})

it('Heikin-Ashi leaves the real prices unchanged, and provides the averaged bar separately', () => {
  const drawing = drawingOf('heikin_ashi')
  const slots = [slotAt(0, 10, 20), slotAt(1, 20, 30)]
  const before = structuredClone(slots)
  drawing.points(slots, COLOURS)
  expect(slots).toEqual(before)
  expect(drawing.averagedAt(1)).toEqual({ open: 15, high: 31, low: 15, close: 25 })
  expect([drawing.averagedAt(2), drawingOf('candles').averagedAt(1)]).toEqual([null, null])
})

it.each(CHART_TYPES)('%s: drawing bars one by one gives the same result as drawing them together', (type) => {
  const prices = fc.array(fc.tuple(fc.integer({ min: 10, max: 50 }), fc.integer({ min: 10, max: 50 })), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(prices, (all) => {
      const live = drawingOf(type)
      const slots: Slot[] = []
      live.points(slots, COLOURS)
      const points = all.map(([open, close], index) => {
        // The bar is first drawn with another close, as it was before its last price.
        slots.push(slotAt(index, open, open))
        live.newest(slots, COLOURS)
        slots[index] = slotAt(index, open, close)
        return live.newest(slots, COLOURS)
      })
      expect(points).toEqual(drawingOf(type).points(slots, COLOURS))
    }),
  )
})
