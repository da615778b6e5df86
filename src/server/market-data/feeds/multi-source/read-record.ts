import { type JudgedRecord, judgeRecord } from '#core/markets/sources/judge-record.ts'
import { later } from '#core/time/instant.ts'
import type { RecordQuery } from '#server/market-data/feeds/base/feed.ts'
import type { MarketFeedOptions } from '#server/market-data/feeds/multi-source/market-feed-options.ts'

/**
 * A single price far from the previous one has to be confirmed by the next trade. So the record is requested again for
 * a longer range. After 5 extensions, the record is judged without the confirmation.
 */
const MAX_EXTENSIONS = 5

/** Asks a provider for its record of a symbol, and judges the trades by the symbol's limits. Null when the provider keeps no record. */
export async function readRecord(
  { clock, providers, symbols, sourcesOf }: Pick<MarketFeedOptions, 'clock' | 'providers' | 'symbols' | 'sourcesOf'>,
  { symbolId, source, from, through }: RecordQuery,
): Promise<JudgedRecord | null> {
  const symbol = symbols.find(({ id }) => id === symbolId)
  const configured = symbol === undefined ? null : sourcesOf(symbol)
  const at = configured?.sources.find(({ provider, channel }) => provider === source && channel === 'trade')
  const { trades } = providers.get(source) ?? {}
  if (symbol === undefined || configured === null || at === undefined || trades === undefined) return null
  const { spikeBp, spikeTicks } = configured.limits
  const limits = {
    decimals: symbol.decimals,
    spike: { bp: spikeBp, ticks: spikeTicks },
    maxTickAgeMs: symbol.maxTickAgeMs,
  }
  for (let extensions = 0; ; extensions += 1) {
    const until = later(through, extensions * symbol.maxTickAgeMs)
    const stretch = await trades.around({ symbol: at.symbol, from, through: until })
    const judged = judgeRecord(stretch, limits, clock.now())
    const isAnswered = judged.isNewest || (judged.prices.at(-1)?.time ?? 0) > through
    if (isAnswered || stretch.isNewest || extensions === MAX_EXTENSIONS) return judged
  }
}
