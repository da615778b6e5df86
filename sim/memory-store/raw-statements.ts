import { RawNode } from 'kysely'
import { lockBalances } from './memory-balances.ts'
import { evaluate } from './memory-expression.ts'
import { newestSaleReport, SALE_STATEMENTS, undecidedRequests } from './memory-sales.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import type { Row } from './specs.ts'

type Twin = (tx: MemoryTransaction, parameters: readonly unknown[]) => Row[] | Promise<Row[]>

/**
 * Statements that the product writes as SQL text, recognised by their beginning, each with an equivalent
 * implementation. The statements of the engine are missing, because they use the engine store.
 */
const TWINS: readonly (readonly [string, Twin])[] = [
  ['select c.* from unnest(', newestCandles],
  ['insert into result_seen', noteSeen],
  ['insert into history_question', noteAsked],
  ['select h.* from unnest(', unseenResults],
  ['select s.user_id, h.result_number', findResultNumbers],
  // Row locks are enough here, because no check of the simulation concerns limits of parallel approvals.
  ['select pg_advisory_xact_lock(', () => []],
  ['select lock_self_rules(', lockSelfRules],
  // The simulated staff give a reason for every possible duplicate, so no duplicates are searched.
  ['select w.trx,', () => []],
  // No user of the simulation takes a break.
  ['select b.*, b.until_ms', () => []],
  ['select cash =', () => [{ is_whole: false }]],
  ['select r.made_ms >', newestSaleReport],
  ['select , r.n, r.client_sale_id', undecidedRequests],
  ['with taken as ( delete from open_order', (tx, parameters) => SALE_STATEMENTS.sell(tx, parameters)],
  ['with kept as ( update open_order set selling = null', (tx, parameters) => SALE_STATEMENTS.lapse(tx, parameters)],
]

/** The implementations that were already found. A template in the code has the same fragments at each call. */
const known = new WeakMap<RawNode['sqlFragments'], Twin>()

export function runRaw(tx: MemoryTransaction, { sqlFragments, parameters }: RawNode): Row[] | Promise<Row[]> {
  const twin = known.get(sqlFragments) ?? findTwin(sqlFragments)
  known.set(sqlFragments, twin)
  return twin(
    tx,
    // A list of columns is a parameter too.
    parameters.map((parameter) => (RawNode.is(parameter) ? null : evaluate(parameter, new Map()))),
  )
}

function findTwin(sqlFragments: RawNode['sqlFragments']): Twin {
  const text = sqlFragments.join('').trim().replaceAll(/\s+/g, ' ')
  const [, twin] = TWINS.find(([beginning]) => text.startsWith(beginning)) ?? []
  if (twin === undefined) throw new Error(`the memory store does not read the SQL ${sqlFragments.join('?')}`)
  return twin
}

/** Locks the balance of a user. */
async function lockSelfRules(tx: MemoryTransaction, [userId]: readonly unknown[]): Promise<Row[]> {
  await lockBalances(tx, [{ userId: String(userId) }])
  return []
}

/** Notes what a source's record replied about expiries. A later reply replaces an earlier one. */
async function noteAsked(tx: MemoryTransaction, [now, , ...columns]: readonly unknown[]): Promise<Row[]> {
  const [symbolIds = [], sources, expiries, differs, outcomes, newestRefs, coveredUntil] = columns as (readonly (
    | string
    | number
    | null
  )[])[]
  const table = tx.table('history_question')
  for (const [at, symbolId] of symbolIds.entries()) {
    const answer = {
      last_requested_ms: now,
      differs_since_ms: differs?.[at],
      outcome: outcomes?.[at],
      newest_ref: newestRefs?.[at],
      covered_until_ms: coveredUntil?.[at],
    }
    const key = { symbol_id: symbolId, source: sources?.[at], expires_ms: expiries?.[at] }
    if (await tx.tryInsert(table, { ...key, first_requested_ms: now, ...answer })) continue
    const stored = table.having(`${key.symbol_id}|${key.source}|${key.expires_ms}|`).find((one) => tx.see(one) !== null)
    if (stored === undefined) continue
    await tx.lock(table, stored)
    tx.update(table, stored, answer)
  }
  return []
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

/** The unseen results among each user's newest results since an instant. */
function unseenResults(tx: MemoryTransaction, parameters: readonly unknown[]): Row[] {
  const [userIds, since, perUser, limit] = parameters as readonly [readonly string[], unknown, number, number]
  const rows = [...tx.table('order_history').rows].map((stored) => tx.see(stored)).filter((row) => row !== null)
  const unseen = userIds.flatMap((userId) => {
    const seen = tx.find(tx.table('result_seen'), `${userId}|`)
    const isSeen = (number: unknown) =>
      number === null ||
      (seen !== null &&
        ((number as bigint) <= (seen['until_number'] as bigint) || laterNumbersOf(seen).includes(number as bigint)))
    return rows
      .filter((row) => row['user_id'] === userId && Number(row['settled_ms']) > Number(since))
      .toSorted(newestFirst)
      .slice(0, perUser)
      .filter((row) => !isSeen(row['result_number']))
  })
  return unseen.toSorted(newestFirst).slice(0, limit)
}

function newestFirst(a: Row, b: Row): number {
  return Number(b['settled_ms']) - Number(a['settled_ms']) || Number(b['result_number']) - Number(a['result_number'])
}

function laterNumbersOf(seen: Row): readonly bigint[] {
  return seen['beyond'] as readonly bigint[]
}

/** The numbers of results, by user and order. */
function findResultNumbers(tx: MemoryTransaction, parameters: readonly unknown[]): Row[] {
  const [userIds, orderIds] = parameters as readonly [readonly string[], readonly string[]]
  return userIds.flatMap((userId, at) => {
    const number = tx.find(tx.table('order_history'), `${userId}|${orderIds[at]}|`)?.['result_number']
    return typeof number === 'bigint' ? [{ user_id: userId, result_number: number }] : []
  })
}

/** Marks results as seen: users in order, with each user's numbers as a database array. */
async function noteSeen(tx: MemoryTransaction, parameters: readonly unknown[]): Promise<Row[]> {
  const [userIds, arrays, maxSpan] = parameters as readonly [readonly string[], readonly string[], number]
  const table = tx.table('result_seen')
  for (const [at, userId] of userIds.entries()) {
    const seen = (arrays[at] ?? '{}').slice(1, -1).split(',').map(BigInt)
    if (await tx.tryInsert(table, { user_id: userId, until_number: 0n, beyond: seen })) continue
    const stored = table.having(`${userId}|`).find((one) => tx.see(one) !== null)
    if (stored === undefined) continue
    await tx.lock(table, stored)
    const row = tx.see(stored)
    if (row !== null) tx.update(table, stored, withSeen(row, seen, maxSpan))
  }
  return []
}

function withSeen(row: Row, seen: readonly bigint[], maxSpan: number): Row {
  const until = row['until_number'] as bigint
  const all = [...new Set([...laterNumbersOf(row), ...seen])].filter((number) => number > until)
  const sorted = all.toSorted((a, b) => (a < b ? -1 : 1))
  const next = sorted.filter((number, at) => number - BigInt(at + 1) === until).at(-1) ?? until
  const tooOld = (sorted.at(-1) ?? 0n) - BigInt(maxSpan)
  return { until_number: next > tooOld ? next : tooOld, beyond: sorted.filter((one) => one > next && one > tooOld) }
}
