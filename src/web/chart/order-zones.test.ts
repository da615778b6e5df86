import { expect, it } from 'vitest'
import { MIN_ZONE_PX, widened } from '#web/chart/order-zones.ts'

it('F45: zones of a short order get room in the time to come, and only there', () => {
  // A minute among candles of a minute: eight pixels, with the price of now at their start.
  expect(widened({ fromX: 500, toX: 508 }, 501)).toBe(500 + MIN_ZONE_PX)
  // What is wide enough ends where its expiry is.
  expect(widened({ fromX: 500, toX: 640 }, 501)).toBe(640)
  // Once the prices have passed the expiry, the time of the axis is the zones' time.
  expect(widened({ fromX: 500, toX: 508 }, 520)).toBe(508)
  expect(widened({ fromX: 500, toX: 508 }, null)).toBe(508)
})
