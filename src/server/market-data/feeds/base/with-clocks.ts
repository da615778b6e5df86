import type { Instant } from '#core/time/instant.ts'
import type { RemoteClock } from '#server/market-data/feeds/base/feed-clocks.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'

/** Creates a feed that measures the delay of its ticks. `remotes` are the clocks of its providers. */
export function withClocks(feed: Feed, now: () => Instant, remotes: readonly RemoteClock[]): Feed {
  let delays = new Map<string, number>()
  return {
    ...feed,
    clocks: {
      remotes,
      takeShortestDelays() {
        const result = delays
        delays = new Map()
        return result
      },
    },
    async start(sink) {
      await feed.start({
        ...sink,
        tick(tick) {
          const delay = now() - tick.time
          if (delay < (delays.get(tick.source) ?? Number.POSITIVE_INFINITY)) delays.set(tick.source, delay)
          sink.tick(tick)
        },
      })
    },
  }
}
