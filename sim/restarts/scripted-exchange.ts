import { type Candle, foldTicks } from '#core/markets/candle.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { price, type Price, volume, type Volume } from '#core/money/price.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant, SECOND_MS } from '#core/time/instant.ts'
import type {
  ProviderCandle,
  ProviderCandleQuery,
  ProviderHistory,
} from '#server/market-data/feeds/providers/provider.ts'
import { hashText } from '../kernel/random.ts'

export interface Trade {
  readonly time: Instant
  readonly price: Price
  readonly volume: Volume
}

/** An exchange whose trades are a pure function of seed, symbol and time. Its bars are computed from these trades. */
export class ScriptedExchange {
  readonly #seed: number
  readonly #first: Instant
  readonly #bars = new Map<string, Candle | null>()

  constructor(seed: number, first: Instant) {
    this.#seed = seed
    this.#first = first
  }

  /** Trades with from <= time < until, in order. */
  trades(symbol: string, from: number, until: number): Trade[] {
    const found: Trade[] = []
    const begin = Math.floor(Math.max(from, this.#first) / SECOND_MS)
    for (let second = begin; second * SECOND_MS < until; second += 1) {
      for (const trade of this.#ofSecond(symbol, second))
        if (trade.time >= from && trade.time < until) found.push(trade)
    }
    return found
  }

  bar(symbol: string, interval: ChartInterval, openTime: number): Candle | null {
    const key = `${symbol} ${interval} ${openTime}`
    let bar = this.#bars.get(key)
    if (bar === undefined) {
      bar = foldTicks(this.trades(symbol, openTime, openTime + intervalMs(interval)), interval)[0] ?? null
      this.#bars.set(key, bar)
    }
    return bar
  }

  /** A provider's history of closed bars. */
  history(now: () => number, decimals: number): ProviderHistory {
    const text = (units: number) => formatDecimal(BigInt(units), decimals)
    const candlesAt = (symbol: string, interval: ChartInterval, open: number): ProviderCandle[] => {
      const bar = open + intervalMs(interval) > now() ? null : this.bar(symbol, interval, open)
      if (bar === null) return []
      const { openTime } = bar
      return [
        {
          openTime,
          open: text(bar.open),
          high: text(bar.high),
          low: text(bar.low),
          close: text(bar.close),
          volume: formatDecimal(BigInt(bar.volume), 6),
        },
      ]
    }
    return {
      intervals: CHART_INTERVALS,
      maxBars: 300,
      candles: ({ symbol, interval, from, before }: ProviderCandleQuery) => {
        const length = intervalMs(interval)
        const bars: ProviderCandle[] = []
        let open = Math.max(Math.ceil(from / length), Math.floor(this.#first / length)) * length
        for (; open < before; open += length) bars.push(...candlesAt(symbol, interval, open))
        return Promise.resolve(bars)
      },
    }
  }

  #ofSecond(symbol: string, second: number): Trade[] {
    const draw = hashText(`${this.#seed} ${symbol} ${second}`)
    // The second symbol trades about twice a minute.
    const count = symbol.startsWith('ETH') ? (draw % 29 === 0 ? 1 : 0) : draw % 4
    const times = Array.from({ length: count }, (_, at) => ((draw >>> (3 + at * 5)) % 40) * 25)
    return times
      .toSorted((a, b) => a - b)
      .map((offset, at) => ({
        time: instant(second * SECOND_MS + offset),
        price: price(6_000_000 + ((second >> 3) % 50) + ((draw >>> (at + 8)) % 7)),
        volume: volume(1_000 * (1 + ((draw >>> (at + 4)) % 900))),
      }))
  }
}
