import type { Price } from '#core/money/price.ts'
import type { Ticks } from '#server/ticks/ticks.ts'

/** The price a symbol closed at before our own first tick of it; null when its source knows none. */
export type LastClose = (symbolId: number) => Promise<Price | null>

/**
 * Closing prices from the past of the feed, for symbols whose market has been closed since this installation began: on
 * a first weekend the stocks still show a price. It is only shown; orders need a tick. Asked for once per symbol.
 */
export function createLastClose(ticks: Pick<Ticks, 'candles'>): LastClose {
  const known = new Map<number, Promise<Price | null>>()
  return (symbolId) => {
    const found = known.get(symbolId) ?? read(symbolId)
    known.set(symbolId, found)
    return found
  }

  async function read(symbolId: number): Promise<Price | null> {
    try {
      const candles = await ticks.candles({ symbolId, interval: '1m', limit: 1 })
      return candles.at(-1)?.close ?? null
    } catch (error) {
      known.delete(symbolId)
      throw error
    }
  }
}
