import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { RecordQuery } from '#server/market-data/feeds/base/feed.ts'
import type { TickSource } from '#server/market-data/feeds/base/emitter.ts'

/**
 * Computes the prices of a source again: from the last price before `from` to the first price after `through`. Leaves
 * out prices in the future.
 */
export function computedRecord(source: TickSource, { from, through }: RecordQuery, now: Instant): JudgedRecord {
  const ticks = [...source.ticksBetween(later(from.time, -MINUTE_MS), through < now ? through : now)]
  const before = ticks.findLastIndex(({ time }) => time < from.time)
  const stretch = ticks.slice(Math.max(0, before))
  for (
    let since = through;
    since < now && stretch.every(({ time }) => time <= through);
    since = later(since, MINUTE_MS)
  ) {
    const until = later(since, MINUTE_MS)
    stretch.push(...source.ticksBetween(since, until < now ? until : now).slice(0, 1))
  }
  const prices = stretch.map(({ price, volume, time }) => ({ ref: null, price, volume, time }))
  const isNewest = prices.every(({ time }) => time <= through)
  return { prices, leftOut: [], isNewest, isSettled: true }
}
