import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import type { ListedSymbol } from '#server/markets/market-catalogue.ts'
import type { TickService } from '#server/ticks/create-ticks.ts'
import type { DayStats, TickBatch } from '#server/ticks/ticks.ts'
import { BTC } from '#testing/market-fixtures.ts'

const DECIMALS = 4
/** Never ends in a zero, so that every price is as long as any other. */
const LEAST_UNITS = 1_000_001
const PRICES = 90_000

/** Made-up coins with names of one length. */
export function drivenSymbols(count: number): ListedSymbol[] {
  return Array.from({ length: count }, (_, nth) => {
    const code = `B${String(nth + 1).padStart(3, '0')}`
    return { ...BTC, id: nth + 1, code, name: code, productId: `${code}USDT`, decimals: DECIMALS }
  })
}

/** The nth price that is said, now. */
export function drivenTick(symbolId: number, nth: number): Tick {
  const now = instant(Date.now())
  const units = price(LEAST_UNITS + (nth % PRICES) * 10)
  return { symbolId, price: units, volume: volume(1), time: now, receivedAt: now, source: 'bench', seq: nth }
}

/** Accepted prices as the sockets see them, said by a measurement instead of a tick log. */
export class DrivenPrices
  implements Pick<TickService, 'latest' | 'day' | 'dayOpen' | 'openCandle' | 'onBatch' | 'onCandleClosed'>
{
  private readonly newest = new Map<number, Tick>()
  private readonly listeners = new Set<(batch: TickBatch) => void>()
  private said = 0

  /** One new price of each. */
  say(symbolIds: readonly number[]): void {
    const ticks = symbolIds.map((symbolId) => {
      this.said += 1
      return drivenTick(symbolId, this.said)
    })
    for (const tick of ticks) this.newest.set(tick.symbolId, tick)
    for (const listener of this.listeners) listener({ ticks, moved: new Set(symbolIds) })
  }

  latest(symbolId: number): Tick | null {
    return this.newest.get(symbolId) ?? null
  }

  day(symbolId: number): DayStats | null {
    const last = this.newest.get(symbolId)?.price
    if (last === undefined) return null
    return { open: last, openOf: { utc: last, hkt: last }, high: last, low: last, last, volume: volume(1), spark: [] }
  }

  dayOpen(): null {
    return null
  }

  openCandle(): null {
    return null
  }

  onBatch(listener: (batch: TickBatch) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** There are no candles here. */
  onCandleClosed(): () => void {
    return () => {}
  }
}
