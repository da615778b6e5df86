import { expect, it } from 'vitest'
import { MIN_ZONE_PX, widened } from '#web/chart/order-place.ts'

it('F45: the zones of a short order are widened only while the expiry is in the future', () => {
  // An order of one minute on candles of one minute: 8 px, with the current price at its start.
  expect(widened({ fromX: 500, toX: 508 }, 501)).toBe(500 + MIN_ZONE_PX)
  // Wide zones end at their expiry.
  expect(widened({ fromX: 500, toX: 640 }, 501)).toBe(640)
  // When the newest price is later than the expiry, the zones are not widened: they end at the expiry. The same applies
  // without a price.
  expect(widened({ fromX: 500, toX: 508 }, 520)).toBe(508)
  expect(widened({ fromX: 500, toX: 508 }, null)).toBe(508)
})
