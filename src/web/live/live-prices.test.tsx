import { expect, it } from 'vitest'
import { latestTick, setConnection } from '#web/live/live-store.ts'
import { createServerClock } from '#web/live/server-clock.ts'
import { createTickFeed } from '#web/live/tick-feed.ts'

it('SO6: a price that waited for a frame while the connection was lost is not live before the connection is back', () => {
  let frame = () => {}
  const feed = createTickFeed(
    () => 1_000,
    (draw) => (frame = draw),
  )
  setConnection('connected', 1_000)
  feed.take([{ s: 'BTCUSDT', c: 5, P: 0, E: 1_000 }])
  setConnection('offline', 1_000)
  frame()
  expect(latestTick('BTC')?.stale).toBe(true)
  setConnection('connected', 1_000)
  feed.revive()
  expect(latestTick('BTC')?.stale).toBe(false)
})

it('SO3: after a step of the clock of the device, the first pong gives the time of the server', () => {
  const clock = createServerClock()
  const pong = (offset: number, sentAt: number, roundTrip = 40) =>
    clock.measure({ sentAt, receivedAt: sentAt + roundTrip, serverTime: sentAt + roundTrip / 2 + offset })
  for (const at of [0, 1, 2, 3, 4]) pong(-8_000, at * 10_000)
  expect(clock.offsetMs()).toBe(-8_000)
  pong(0, 50_000)
  expect(clock.offsetMs()).toBe(0)
})

it('SO3: one slow pong does not change the time of the server', () => {
  const clock = createServerClock()
  for (const at of [0, 1]) clock.measure({ sentAt: at, receivedAt: at + 40, serverTime: at + 20 })
  // The whole delay was on the way back.
  clock.measure({ sentAt: 10, receivedAt: 2_010, serverTime: 10 })
  expect(clock.offsetMs()).toBe(0)
})
