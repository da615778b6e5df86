import type { Instant } from '#core/time/instant.ts'
import type { FeedSink } from '#server/market-data/feeds/base/feed.ts'

/** Reports the beginning of prices at the first message instead of the start, because connecting takes a while. */
export function fromFirstMessage(sink: FeedSink, startedAt: Instant): FeedSink {
  let hasBegun = false
  const begin = (symbolId: number, time: Instant): void => {
    if (!hasBegun) sink.begins?.(symbolId, time > startedAt ? time : startedAt)
    hasBegun = true
  }
  return {
    ...sink,
    tick(tick) {
      begin(tick.symbolId, tick.time)
      sink.tick(tick)
    },
    heartbeat(symbolId, time) {
      begin(symbolId, time)
      sink.heartbeat(symbolId, time)
    },
  }
}
