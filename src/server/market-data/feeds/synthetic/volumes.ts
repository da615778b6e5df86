import type { CatalogueSymbol } from '#core/markets/catalogue.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type Volume, volume } from '#core/money/price.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import { noiseBell, noiseKey } from '#server/market-data/feeds/synthetic/noise.ts'
import type { Pace } from '#server/market-data/feeds/synthetic/pace.ts'

/** The step of volumes, in millionths: fractions of a coin, whole shares, hundredths of a lot. */
const VOLUME_STEP: Record<MarketType, number> = { crypto: 10, us_stocks: 1_000_000, us_fx: 10_000 }
const TICK_VOLUME_SPREAD = 1.1
const MINUTE_VOLUME_SPREAD = 0.35

/** The simulated volumes of one symbol. */
export interface Volumes {
  /** The volume of the tick in a slot of `tickSpacingMs`. */
  ofTick(slot: number, time: Instant): Volume
  /** The volume of all ticks of a minute. */
  ofMinute(minute: Instant): Volume
}

export function createVolumes(name: string, symbol: CatalogueSymbol, pace: Pick<Pace, 'moment'>): Volumes {
  const tickKey = noiseKey(`${name}/volume`)
  const minuteKey = noiseKey(`${name}/volume of a minute`)
  const step = VOLUME_STEP[symbol.marketType]
  const ticksAMinute = MINUTE_MS / symbol.tickSpacingMs
  // The mean of a log-normal volume divided by its median.
  const minuteVolume = symbol.typicalVolume * ticksAMinute * Math.exp(TICK_VOLUME_SPREAD ** 2 / 2)

  /** A heavy-tailed volume around the median, larger when the market is volatile. */
  function scatteredVolume(key: number, index: number, median: number, spread: number, at: Instant): Volume {
    const units = median * 1e6 * pace.moment(at) * Math.exp(spread * noiseBell(key, index))
    return volume(Math.max(1, Math.round(units / step)) * step)
  }

  return {
    ofTick: (slot, time) => scatteredVolume(tickKey, slot, symbol.typicalVolume, TICK_VOLUME_SPREAD, time),
    ofMinute: (minute) => scatteredVolume(minuteKey, minute / MINUTE_MS, minuteVolume, MINUTE_VOLUME_SPREAD, minute),
  }
}
