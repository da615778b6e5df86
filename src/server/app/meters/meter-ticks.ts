import { addUnused } from '#core/markets/sources/unused-trade.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { TickService } from '#server/market-data/ticks.ts'

/** Registers metrics for the age of prices and for the time from arrival to commit. */
export function meterTicks(
  { now }: Pick<Ctx, 'now'>,
  { ticks, catalogue }: { readonly ticks: TickService; readonly catalogue: Pick<MarketCatalogue, 'symbols'> },
  metrics: Metrics,
): void {
  ticks.onBatch((batch) => {
    metrics.ticks.inc(batch.ticks.length)
    const oldest = batch.ticks[0]
    if (oldest !== undefined) metrics.tickSeconds.observe(Math.max(0, now() - oldest.receivedAt) / 1000)
  })
  metrics.figure('ticks_waiting', 'Ticks that wait to be written to the log', () => ticks.waiting())
  metrics.figure('ticks_leads', 'Whether this server writes the tick log', () => Number(ticks.isLeader()))
  metrics.figure('tick_log_head', 'The place of the newest tick in the log', () => ticks.head().lastSeq)
  metrics.figure('tick_log_silent_seconds', 'Seconds since the last tick or heartbeat of the log', () => {
    const lastReportAt = ticks.lastMessageAt()
    return lastReportAt === null ? Number.NaN : (now() - lastReportAt) / 1000
  })
  // Only the server that runs the feeds reports these trades. Other nodes know the counts from its messages and would
  // count the trades twice.
  metrics.totals('trades_unused_total', 'Reported trades that made no price', ['provider', 'reason'], () => {
    if (!ticks.isLeader()) return []
    const { sources, unplaced } = ticks.sources()
    const providers = new Set([...sources, ...unplaced].map(({ provider }) => provider))
    return [...providers].flatMap((provider) => {
      const of = [...sources, ...unplaced].filter((one) => one.provider === provider)
      return Object.entries(addUnused(of.map(({ unused }) => unused))).map(
        ([reason, count]) => [{ provider, reason }, count] as const,
      )
    })
  })
  metrics.totals('ticks_kept_out_total', 'Prices of sources that the log did not take', ['reason'], () =>
    ticks.isLeader()
      ? Object.entries(ticks.sources().keptOut).map(([reason, count]) => [{ reason }, count] as const)
      : [],
  )
  metrics.figure(
    'price_age_seconds',
    'Age of the newest message of the source of a symbol',
    () =>
      catalogue.symbols.flatMap(({ id, code }) => {
        const watermark = ticks.watermark(id)
        return watermark === null ? [] : [[code, (now() - watermark) / 1000] as const]
      }),
    'symbol',
  )
  metrics.figure(
    'price_late_seconds',
    'The feed delay of a symbol, for which orders wait',
    () => catalogue.symbols.map(({ id, code }) => [code, ticks.feedDelayMs(id) / 1000] as const),
    'symbol',
  )
  metrics.figure(
    'price_in_doubt',
    'Symbols whose price is suspect, so that no orders are accepted',
    () => catalogue.symbols.filter(({ id }) => ticks.doubt(id) !== null).length,
  )
}
