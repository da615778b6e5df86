import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** The kinds of streams of a symbol, with the exchanges' names. */
export type StreamKind =
  | { readonly kind: 'kline'; readonly interval: ChartInterval }
  | { readonly kind: 'miniTicker' | 'ticker' | 'trade' }

export interface Stream {
  /** The canonical name, e.g. `btcusdt@kline_1m`. */
  readonly name: string
  readonly symbol: ListedSymbol
  readonly of: StreamKind
}

const STREAM = /^([a-z0-9]{1,20})@([a-z]{1,20})(?:_([0-9a-z]{1,3}))?$/i

/**
 * Parses a stream name such as `btcusdt@kline_1m` or `aapl@ticker`, in upper or lower case. Null for an unknown stream.
 */
export function readStream(text: string, catalogue: Pick<MarketCatalogue, 'findKnown'>): Stream | null {
  const [, product = '', event = '', interval] = STREAM.exec(text) ?? []
  const symbol = catalogue.findKnown(product)
  const of = readKind(event.toLowerCase(), interval)
  if (symbol === null || of === null) return null
  const suffix = of.kind === 'kline' ? `kline_${of.interval}` : of.kind
  return { name: `${symbol.productId.toLowerCase()}@${suffix}`, symbol, of }
}

function readKind(event: string, interval: string | undefined): StreamKind | null {
  if (event === 'kline') return interval !== undefined && isChartInterval(interval) ? { kind: 'kline', interval } : null
  if (interval !== undefined) return null
  if (event === 'miniticker') return { kind: 'miniTicker' }
  return event === 'ticker' || event === 'trade' ? { kind: event } : null
}
