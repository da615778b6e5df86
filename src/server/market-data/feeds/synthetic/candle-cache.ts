import type { Candle } from '#core/markets/candle.ts'

/** Keeps the most recently used lists of finished candles, up to `capacity` candles in total. */
export interface CandleCache {
  get(key: string): readonly Candle[] | undefined
  put(key: string, candles: readonly Candle[]): void
}

export function createCandleCache(capacity: number): CandleCache {
  // A Map iterates in insertion order, so re-inserting a list makes it the most recently used.
  const lists = new Map<string, readonly Candle[]>()
  let weight = 0
  function remove(key: string): void {
    const found = lists.get(key)
    if (found === undefined) return
    lists.delete(key)
    weight -= weigh(found)
  }

  return {
    get(key) {
      const found = lists.get(key)
      if (found === undefined) return undefined
      lists.delete(key)
      lists.set(key, found)
      return found
    },
    put(key, candles) {
      remove(key)
      lists.set(key, candles)
      weight += weigh(candles)
      for (const oldest of lists.keys()) {
        if (weight <= capacity || oldest === key) break
        remove(oldest)
      }
    },
  }
}

/** An empty list also takes memory. */
function weigh(candles: readonly Candle[]): number {
  return candles.length + 1
}
