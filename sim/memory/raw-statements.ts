import type { RawNode } from 'kysely'
import { evaluate } from './memory-expression.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import type { Row } from './specs.ts'

type Twin = (tx: MemoryTransaction, parameters: readonly unknown[]) => Row[] | Promise<Row[]>

/**
 * Statements that are written as SQL text, each with what it does in our own words, known by how they begin. Those of the
 * engine are not here: they have a door of their own.
 */
const TWINS: readonly (readonly [string, Twin])[] = [
  ['select c.* from unnest(', newestCandles],
  ['with seen as materialized (', deleteDelivered],
]

export function runRaw(tx: MemoryTransaction, { sqlFragments, parameters }: RawNode): Row[] | Promise<Row[]> {
  const text = (sqlFragments[0] ?? '').trim()
  const [, twin] = TWINS.find(([beginning]) => text.startsWith(beginning)) ?? []
  if (twin === undefined) throw new Error(`the memory store does not read the SQL ${sqlFragments.join('?')}`)
  return twin(
    tx,
    parameters.map((parameter) => evaluate(parameter, new Map())),
  )
}

/** The newest candles of each symbol and interval. */
function newestCandles(tx: MemoryTransaction, [symbolIds, intervals, count]: readonly unknown[]): Row[] {
  const rows = [...tx.table('candle').rows].map((stored) => tx.see(stored)).filter((row) => row !== null)
  const found: Row[] = []
  for (const symbolId of symbolIds as readonly number[]) {
    for (const interval of intervals as readonly string[]) {
      const own = rows.filter((row) => row['symbol_id'] === symbolId && row['interval'] === interval)
      found.push(...own.toSorted((a, b) => Number(a['open_ms']) - Number(b['open_ms'])).slice(-Number(count)))
    }
  }
  return found
}

/** Results that were seen, by user and order. */
async function deleteDelivered(tx: MemoryTransaction, [userIds, orderIds]: readonly unknown[]): Promise<Row[]> {
  const table = tx.table('result_delivery')
  const keys = (userIds as readonly string[]).map((userId, at) => `${userId}|${(orderIds as readonly string[])[at]}|`)
  for (const key of [...new Set(keys)].toSorted()) {
    const stored = table.having(key).find((one) => tx.see(one) !== null)
    if (stored === undefined) continue
    await tx.lock(table, stored)
    tx.remove(stored)
  }
  return []
}
