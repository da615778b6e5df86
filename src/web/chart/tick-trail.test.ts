import { expect, it } from 'vitest'
import { keepTrail, trailOf } from '#web/chart/tick-trail.ts'
import { createTickFeed } from '#web/live/tick-feed.ts'

it('P13: leads no line of ticks through the close of a bar of the past', () => {
  const stop = keepTrail('AAPL')
  const feed = createTickFeed(
    () => 9_000,
    (draw) => draw(),
  )
  feed.take([{ s: 'AAPL', c: 249.85, P: 0, t: 1_000, past: true }])
  feed.take([{ s: 'AAPL', c: 250.1, P: 0.1, t: 2_000 }])
  expect(trailOf('AAPL')).toEqual([{ time: 2_000, price: 250.1 }])
  stop()
})
