import type { Db } from '#server/platform/database/tables.ts'
import { batchPages } from '#server/market-data/tick-log/tick-batch.queries.ts'

interface LoggedPrice {
  readonly seq: number
  readonly price: number
  readonly time: number
}

/** Prices by symbol id, in the order of the log. */
export type PricesBySymbol = ReadonlyMap<number, readonly LoggedPrice[]>

/** Reads all prices directly from the text that the hash chain covers. */
export async function readPrices(db: Db): Promise<PricesBySymbol> {
  const bySymbol = new Map<number, LoggedPrice[]>()
  for await (const page of batchPages(db, 0)) {
    for (const line of page.flatMap(({ payload }) => (payload ?? '').split('\n'))) {
      if (!line.startsWith('t ')) continue
      const [, seq = 0, symbolId = 0, price = 0, , time = 0] = line.split(' ').map(Number)
      const prices = bySymbol.get(symbolId)
      if (prices === undefined) bySymbol.set(symbolId, [{ seq, price, time }])
      else prices.push({ seq, price, time })
    }
  }
  return bySymbol
}

interface PriceQuery {
  readonly symbolId: number
  readonly expiresMs: number
  readonly decidedHead: number
}

/** Returns the last price of a symbol at or before an instant, in the log as of the decision. */
export function lastInTime(
  bySymbol: PricesBySymbol,
  { symbolId, expiresMs, decidedHead }: PriceQuery,
): LoggedPrice | null {
  const prices = bySymbol.get(symbolId) ?? []
  // The log of one symbol is also ordered by price time.
  let [from, to] = [0, prices.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const { seq, time } = prices[middle] ?? { seq: 0, time: 0 }
    if (time <= expiresMs && seq <= decidedHead) from = middle + 1
    else to = middle
  }
  return prices[from - 1] ?? null
}

/** Returns whether the log, as of the decision, contains a price of the symbol after an instant. */
export function isPassed(bySymbol: PricesBySymbol, { symbolId, expiresMs, decidedHead }: PriceQuery): boolean {
  return (bySymbol.get(symbolId) ?? []).some(({ seq, time }) => time > expiresMs && seq <= decidedHead)
}
