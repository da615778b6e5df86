import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import { priceNumber, volumeNumber } from '#core/money/price.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { ShownCandle } from '#server/market-data/ticks.ts'

/** Candles in their wire format, with the metadata sent next to them. */
export interface Klines {
  readonly rows: KlineRow[]
  readonly meta: CandleMeta
}

interface KlineFacts {
  readonly interval: ChartInterval
  readonly decimals: number
  /** Whether a source did not reply, so that candles may be missing. */
  readonly isIncomplete: boolean
}

export function toKlines(shown: readonly ShownCandle[], { interval, decimals, isIncomplete }: KlineFacts): Klines {
  const meta = metaOf(shown, interval)
  return {
    rows: shown.map((one) => toRow(one, decimals)),
    meta: isIncomplete ? { ...meta, incomplete: true } : meta,
  }
}

function toRow({ candle }: ShownCandle, decimals: number): KlineRow {
  const { openTime, open, high, low, close, volume } = candle
  const number = (price: typeof open): number => priceNumber(price, decimals)
  return [openTime, number(open), number(high), number(low), number(close), volumeNumber(volume)]
}

/** Groups consecutive candles of one source into one range. */
function metaOf(shown: readonly ShownCandle[], interval: ChartInterval): CandleMeta {
  const provider: CandleMeta['provider'] = []
  let current: CandleMeta['provider'][number] | null = null
  for (const { candle, source } of shown) {
    const until = candle.openTime + intervalMs(interval)
    if (current !== null && current[2] === source) current[1] = until
    else {
      current = source === null ? null : [candle.openTime, until, source]
      if (current !== null) provider.push(current)
    }
  }
  return { provider, partial: shown.filter(({ isPartial }) => isPartial).map(({ candle }) => candle.openTime) }
}
