import type { Db } from '#server/platform/database/tables.ts'
import { batchPages } from '#server/market-data/tick-log/tick-batch.queries.ts'

interface LoggedPrice {
  readonly seq: number
  readonly price: number
  readonly time: number
}

/**
 * The prices that decide, by time. Under rule 1, prices of a symbol count from any source, as they arrived: the key is
 * the symbol id. Under rule 2, only prices of one source count, including late evidence: the key is symbol id and
 * source.
 */
export type LoggedPrices = ReadonlyMap<string, readonly LoggedPrice[]>

/** Reads all prices directly from the text that the hash chain covers. */
export async function readPrices(db: Db): Promise<LoggedPrices> {
  const byKey = new Map<string, LoggedPrice[]>()
  const add = (key: string, price: LoggedPrice) => {
    const prices = byKey.get(key)
    if (prices === undefined) byKey.set(key, [price])
    else prices.push(price)
  }
  for await (const page of batchPages(db, 0)) {
    for (const line of page.flatMap(({ payload }) => (payload ?? '').split('\n'))) {
      const isCurrent = line.startsWith('t ')
      if (!isCurrent && !line.startsWith('e ')) continue
      const [, seq, symbolId = '', price, , time, , source = ''] = line.split(' ')
      const logged = { seq: Number(seq), price: Number(price), time: Number(time) }
      if (isCurrent) add(symbolId, logged)
      add(`${symbolId} ${source}`, logged)
    }
  }
  for (const prices of byKey.values()) prices.sort((a, b) => a.time - b.time || a.seq - b.seq)
  return byKey
}

interface PriceQuery {
  readonly symbolId: number
  /** The source of the prices. Null for rule 1. */
  readonly source: string | null
  readonly expiresMs: number
  readonly decidedHead: number
}

const pricesOf = (prices: LoggedPrices, { symbolId, source }: PriceQuery) =>
  prices.get(source === null ? String(symbolId) : `${symbolId} ${source}`) ?? []

/**
 * Returns the last price at or before the expiry that was in the tick log when the server decided. Null without such a
 * price.
 */
export function lastInTime(all: LoggedPrices, query: PriceQuery): LoggedPrice | null {
  const prices = pricesOf(all, query)
  let [from, to] = [0, prices.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if ((prices[middle]?.time ?? 0) <= query.expiresMs) from = middle + 1
    else to = middle
  }
  while (from > 0 && (prices[from - 1]?.seq ?? 0) > query.decidedHead) from -= 1
  return prices[from - 1] ?? null
}

/** Returns whether the tick log contained a price after the expiry when the server decided. */
export function isPassed(all: LoggedPrices, query: PriceQuery): boolean {
  return pricesOf(all, query).some(({ seq, time }) => time > query.expiresMs && seq <= query.decidedHead)
}
