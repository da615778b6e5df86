import type { Candle } from '#core/markets/candle.ts'
import type { CatalogueSymbol } from '#core/markets/catalogue.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import { price, volume, type Price } from '#core/money/price.ts'
import { instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { TickSource } from '#server/market-data/feeds/base/emitter.ts'
import type { Stretch } from '#server/market-data/feeds/base/session-candles.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'
import { noiseBits, noiseKey } from '#server/market-data/feeds/synthetic/noise.ts'
import { createPace } from '#server/market-data/feeds/synthetic/pace.ts'
import { createPricePath } from '#server/market-data/feeds/synthetic/price-path.ts'
import { createVolumes } from '#server/market-data/feeds/synthetic/volumes.ts'

export const SYNTHETIC = 'synthetic'

/** The simulated market of one symbol. Seed, symbol code and time determine all of it. */
export interface SyntheticMarket extends TickSource {
  readonly symbol: CatalogueSymbol
  /** Returns one candle of whole minutes inside a session. It equals the fold of the candles of these minutes. */
  candleOf(openTime: Instant, minutes: Stretch): Candle
}

export function createSyntheticMarket(seed: string, symbol: CatalogueSymbol): SyntheticMarket {
  const name = `${seed}/${symbol.code}`
  const { tickSpacingMs } = symbol
  const ticksAMinute = MINUTE_MS / tickSpacingMs
  const pace = createPace(name, symbol.marketType)
  const path = createPricePath(name, symbol.annualVolatility, pace)
  const sessionFor = createSessionLookup(symbol.marketType)
  const centre = symbol.startPrice * 10 ** symbol.decimals
  const timeKey = noiseKey(`${name}/time`)
  const volumes = createVolumes(name, symbol, pace)
  const toPrice = (logarithm: number): Price => price(Math.max(1, Math.round(centre * Math.exp(logarithm))))

  /** One tick in every slot of `tickSpacingMs`, at a random place inside it, so two ticks are never two spacings apart. */
  const tickTime = (slot: number): Instant => instant(slot * tickSpacingMs + (noiseBits(timeKey, slot) % tickSpacingMs))

  function tickAt(slot: number): SourceTick {
    const time = tickTime(slot)
    return {
      symbolId: symbol.id,
      price: toPrice(path.at(time)),
      volume: volumes.ofTick(slot, time),
      time,
      source: SYNTHETIC,
    }
  }

  return {
    symbol,
    symbolId: symbol.id,
    catchUpMs: 3 * SECOND_MS,

    ticksBetween(after, until) {
      const ticks: SourceTick[] = []
      const last = Math.floor(until / tickSpacingMs)
      for (let slot = Math.floor(after / tickSpacingMs); slot <= last; slot += 1) {
        const time = tickTime(slot)
        if (time > after && time <= until && sessionFor(time).open <= time) ticks.push(tickAt(slot))
      }
      return ticks
    },

    // A minute opens and closes with its first and last tick. Its extremes are sampled every 7.5 s on the path of the ticks: checking every
    // tick would make a page of daily candles take minutes. Rounding is monotonic, so the extremes are found among the logarithms and
    // rounded once.
    candleOf(openTime, { from, until }) {
      const open = path.at(tickTime(from / tickSpacingMs))
      let high = open
      let low = open
      let close = open
      let traded = 0
      const look = (value: number): void => {
        if (value > high) high = value
        if (value < low) low = value
      }
      for (let minute = from; minute < until; minute = later(minute, MINUTE_MS)) {
        const firstSlot = minute / tickSpacingMs
        look(path.at(tickTime(firstSlot)))
        path.sampleMinute(minute, look)
        close = path.at(tickTime(firstSlot + ticksAMinute - 1))
        look(close)
        traded += volumes.ofMinute(minute)
      }
      return {
        openTime,
        open: toPrice(open),
        high: toPrice(high),
        low: toPrice(low),
        close: toPrice(close),
        volume: volume(traded),
      }
    },
  }
}
