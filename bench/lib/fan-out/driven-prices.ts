import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import { quoteOf } from '#server/market-data/wire/tick-messages.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import type { SocketTicks } from '#server/sockets/create-sockets.ts'
import type { DayStats, Quote, TickBatch } from '#server/market-data/ticks.ts'
import { BTC } from '#test/support/market-fixtures.ts'

const DECIMALS = 4
/** No price ends in a zero, so that all prices have the same length. */
const MIN_UNITS = 1_000_001
const PRICES = 90_000

/** Returns fictitious coins with names of equal length. */
export function drivenSymbols(count: number): ListedSymbol[] {
  return Array.from({ length: count }, (_, nth) => {
    const code = `B${String(nth + 1).padStart(3, '0')}`
    return { ...BTC, id: nth + 1, code, name: code, productId: `${code}USDT`, decimals: DECIMALS }
  })
}

/** Returns the nth price, with the present time. */
export function drivenTick(symbolId: number, nth: number): Tick {
  const now = instant(Date.now())
  const units = price(MIN_UNITS + (nth % PRICES) * 10)
  return { symbolId, price: units, volume: volume(1), time: now, receivedAt: now, source: 'bench', seq: nth }
}

/** A source of accepted prices for the sockets, driven by a measurement instead of a tick log. */
export class DrivenPrices implements SocketTicks {
  private readonly newest = new Map<number, Tick>()
  private readonly listeners = new Set<(batch: TickBatch) => void>()
  private said = 0

  /** Publishes one new price of each symbol. */
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

  quote(symbolId: number): Quote | null {
    const tick = this.newest.get(symbolId)
    return tick === undefined ? null : quoteOf(tick, { open: tick.price })
  }

  day(symbolId: number): DayStats | null {
    const quote = this.quote(symbolId)
    if (quote === null) return null
    const { last } = quote
    return { ...quote, openOf: { utc: last, hkt: last }, high: last, low: last, volume: volume(1), spark: [] }
  }

  openCandle(): null {
    return null
  }

  onBatch(listener: (batch: TickBatch) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** No candles are needed here. */
  candles(): Promise<[]> {
    return Promise.resolve([])
  }

  onCandleClosed(): () => void {
    return () => {}
  }

  onDayKnown(): () => void {
    return () => {}
  }
}
