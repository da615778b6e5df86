import { expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { FeedLatency } from '#server/market-data/ticks/feed-latency.ts'

const AT = 1_700_000_000_000

/** Returns the feed delay in ms after these ticks, each given as [receipt time, delay]. */
function after(ticks: readonly (readonly [number, number])[]): number {
  const feedLatency = new FeedLatency()
  for (const [receivedMs, lateMs] of ticks) {
    feedLatency.note({ receivedAt: instant(AT + receivedMs), time: instant(AT + receivedMs - lateMs) })
  }
  return feedLatency.ms
}

it.each<[string, readonly (readonly [number, number])[], number]>([
  ['no tick at all', [], 0],
  ['one tick that is quick', [[0, 40]], 40],
  [
    'the first late tick counts at once',
    [
      [0, 40],
      [100, 900],
    ],
    900,
  ],
  [
    'one late tick is over with the next',
    [
      [0, 40],
      [100, 900],
      [200, 40],
      [1_200, 50],
    ],
    50,
  ],
  [
    'an old price that is told anew after a silence',
    [
      [0, 40],
      [8_000, 4_000],
      [8_100, 60],
    ],
    60,
  ],
  [
    'what comes in a burst was late, but has caught up',
    [
      [0, 40],
      [1_000, 950],
      [1_000, 500],
      [1_000, 20],
    ],
    40,
  ],
  [
    'a source that comes in bursts is late between them',
    [
      [0, 900],
      [0, 20],
      [1_000, 950],
      [1_000, 20],
    ],
    900,
  ],
  [
    'late twice within ten seconds',
    [
      [0, 700],
      [3_000, 40],
      [8_000, 800],
      [8_100, 40],
      [9_900, 40],
    ],
    700,
  ],
  [
    'late twice, the first of them longer ago',
    [
      [0, 700],
      [8_000, 800],
      [8_100, 40],
      [10_000, 40],
    ],
    40,
  ],
  [
    'late all the time',
    [
      [0, 1_000],
      [1_000, 1_010],
      [2_000, 990],
    ],
    1_000,
  ],
  [
    'quiet since it was late',
    [
      [0, 1_000],
      [1_000, 1_000],
    ],
    1_000,
  ],
  [
    'well again, once that is ten seconds ago',
    [
      [0, 1_000],
      [1_000, 1_000],
      [2_000, 30],
      [10_900, 30],
    ],
    30,
  ],
  [
    'a clock of the source that is ahead',
    [
      [0, -400],
      [1_000, -400],
    ],
    0,
  ],
  [
    'a clock that was set back',
    [
      [60_000, 800],
      [61_000, 800],
      [0, 30],
      [1_000, 30],
    ],
    30,
  ],
])('measures the feed delay: %s', (_what, ticks, expected) => {
  expect(after(ticks)).toBe(expected)
})
