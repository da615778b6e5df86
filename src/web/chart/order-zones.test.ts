import { expect, it } from 'vitest'
import { MIN_ZONE_PX, widened } from '#web/chart/order-place.ts'

it('F45: widens the zones of a short order only while its expiry is in the future', () => {
  // An order of one minute on candles of one minute: 8 px, with the current price at its start.
  expect(widened({ fromX: 500, toX: 508 }, 501)).toBe(500 + MIN_ZONE_PX)
  // Wide zones end at their expiry.
  expect(widened({ fromX: 500, toX: 640 }, 501)).toBe(640)
  // After prices have passed the expiry, the zones use the scale of the axis.
  expect(widened({ fromX: 500, toX: 508 }, 520)).toBe(508)
  expect(widened({ fromX: 500, toX: 508 }, null)).toBe(508)
})
