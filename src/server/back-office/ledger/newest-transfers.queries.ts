import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#core/ids/uuid.ts'
import { type Account, isUserAccount } from '#core/ledger/account.ts'
import { ordersByOpening } from '#server/trading/orders/orders-by-opening.queries.ts'
import type { Period } from '#server/platform/database/period.ts'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface TransferFilters {
  readonly userId: string | null
  readonly kind: string | null
  readonly account: Account | null
  /** The order or payment whose transfers are listed, or null for all. */
  readonly subject: { readonly userId: string; readonly id: string } | null
  readonly period: Period
}

export const ALL_TRANSFERS: TransferFilters = {
  userId: null,
  kind: null,
  account: null,
  subject: null,
  period: { from: null, until: null },
}

export interface LedgerRow {
  readonly user_id: string
  readonly username: string
  readonly ref: string
  readonly step: string
  readonly kind: string
  readonly from_account: string
  readonly to_account: string
  readonly currency: string
  readonly amount: bigint
  readonly created_ms: bigint
}

interface Place {
  readonly createdMs: number
  readonly ref: string
  readonly step: string
}

interface Page {
  /** The last transfer of the previous page. */
  readonly after: Place | null
  readonly limit: number
}

/** Columns of a transfer `t` and its user `u`. */
export const LEDGER_COLUMNS = sql`
  t.user_id, coalesce(u.username, '') as username, t.ref, t.step, t.kind, t.from_account, t.to_account, t.currency, t.amount,
  t.created_ms`

/** Some kinds of order transfers, and the accounts that these transfers can involve. */
interface OfOrders {
  readonly kinds: readonly string[]
  readonly accounts: readonly Account[]
}

const STAKES: OfOrders = { kinds: ['order_stake'], accounts: ['cash', 'staked'] }
const ENDS: OfOrders = {
  kinds: ['order_win', 'order_lose', 'order_profit'],
  accounts: ['cash', 'staked', 'house:trading'],
}
/**
 * Nearly all transfers have these kinds. The lists find such transfers through their orders, so that the indexes of the
 * lists need no entry for each order.
 */
const KINDS_OF_ORDERS = [...STAKES.kinds, ...ENDS.kinds]
const NEWEST_FIRST = sql`t.created_ms desc, t.ref desc, t.step desc`

/**
 * Lists transfers, newest first. Those of practice are listed only for their account. Works by merging the newest rows of several sublists. A stake has the time when its order
 * was opened. Every other transfer of an order has the time of the settlement. The conditions repeat the conditions of
 * the partial indexes word by word, or PostgreSQL would not use the indexes.
 */
export async function newestTransfers(
  db: Db,
  filters: TransferFilters,
  { after: cursor, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<LedgerRow[]> {
  const after = cursor && readPlace(cursor)
  // A forged cursor gets an empty page.
  if (cursor !== null && after === null) return []
  const lists = await listsOf(db, filters, { after, limit })
  if (lists.length === 0) return []
  const { rows } = await sql<LedgerRow>`
    select ${LEDGER_COLUMNS}
    from (${sql.join(lists, sql` union all `)}) t left join app_user u on u.id = t.user_id
    order by ${NEWEST_FIRST} limit ${limit}`.execute(db)
  return rows
}

/** Returns the cursor of a row. */
export function placeOf(row: LedgerRow): Cursor {
  return [Number(row.created_ms), row.ref, row.step]
}

function readPlace([createdMs, ref, step]: Cursor): Place | null {
  const isTime = typeof createdMs === 'number' && Number.isSafeInteger(createdMs)
  return isTime && typeof ref === 'string' && isUuid(ref) && typeof step === 'string' ? { createdMs, ref, step } : null
}

async function listsOf(db: Db, filters: TransferFilters, page: Page): Promise<RawBuilder<unknown>[]> {
  const { kind, subject } = filters
  const conditions = all(conditionsOf(filters, page.after))
  if (subject !== null) return [sql`select * from transfer t where ${conditions}`]
  const lists: RawBuilder<unknown>[] = []
  if (kind === null || !KINDS_OF_ORDERS.includes(kind)) lists.push(others(conditions, page))
  if (mayHave(STAKES, filters)) lists.push(...(await stakes(db, filters, page)))
  if (mayHave(ENDS, filters)) lists.push(ends(conditions, filters, page))
  return lists
}

function mayHave({ kinds, accounts }: OfOrders, { kind, account }: TransferFilters): boolean {
  return (kind === null || kinds.includes(kind)) && (account === null || accounts.includes(account))
}

function others(conditions: RawBuilder<unknown>, { limit }: Page): RawBuilder<unknown> {
  return sql`(
    select * from transfer t
    where t.kind not in (${literals(KINDS_OF_ORDERS)}) and ${conditions}
    order by ${NEWEST_FIRST} limit ${limit})`
}

/**
 * Selects the stakes of open and of settled orders.
 * Each order has one stake, so `limit` orders suffice, plus one because the cursor may be the first order's stake.
 */
async function stakes(db: Db, filters: TransferFilters, page: Page): Promise<RawBuilder<unknown>[]> {
  const { after } = page
  const { userId, period } = filters
  const limit = page.limit + 1
  const wanted = ordersWithin(sql.ref('o.opened_ms'), filters, after)
  const settled =
    userId === null
      ? sql`(select * from order_history o where ${wanted})`
      : await ordersByOpening(db, { wanted, limit, period, after: after?.createdMs ?? null })
  return [sql`(select * from open_order o where ${wanted})`, settled].map(
    (orders) => sql`(
      select t.* from (
        select o.user_id, o.id from ${orders} o order by o.opened_ms desc, o.id desc limit ${limit}
      ) o
      join transfer t on t.ref = o.id and t.step = 'stake' and t.user_id = o.user_id
      where ${all(olderThan(after))})`,
  )
}

/**
 * Selects the settlement transfers of orders. An order has at most two matching transfers. `offset 0` makes PostgreSQL
 * loop over the orders. Without `offset 0`, PostgreSQL would read and sort both whole tables, because its estimates are
 * wrong.
 */
function ends(conditions: RawBuilder<unknown>, filters: TransferFilters, { after, limit }: Page): RawBuilder<unknown> {
  return sql`(
    select t.* from order_history o
    cross join lateral (
      select * from transfer t
      where t.ref = o.id and t.user_id = o.user_id and t.kind in (${literals(ENDS.kinds)})
        and ${conditions} offset 0
    ) t
    where ${ordersWithin(sql.ref('o.settled_ms'), filters, after)}
    order by o.settled_ms desc, t.ref desc, t.step desc limit ${limit})`
}

/** SQL condition for orders that were opened, or settled, within the page's time range. */
function ordersWithin(
  at: RawBuilder<unknown>,
  { userId, period }: TransferFilters,
  after: Place | null,
): RawBuilder<unknown> {
  return all([
    userId === null ? sql`not is_practice(o.user_id)` : sql`o.user_id = ${userId}::uuid`,
    ...within(at, period),
    ...(after === null ? [] : [sql`(${at}, o.id) <= (${after.createdMs}::int8, ${after.ref}::uuid)`]),
  ])
}

function* conditionsOf(
  { userId, kind, account, subject, period }: TransferFilters,
  after: Place | null,
): Generator<RawBuilder<unknown>> {
  if (userId !== null) yield sql`t.user_id = ${userId}::uuid`
  else if (subject === null) yield sql`t.currency <> 'PRACTICE'`
  if (kind !== null) yield sql`t.kind = ${kind}`
  if (account !== null) yield touching(account)
  if (subject !== null) yield sql`t.user_id = ${subject.userId}::uuid and t.ref = ${subject.id}::uuid`
  yield* within(sql.ref('t.created_ms'), period)
  yield* olderThan(after)
}

function* within(at: RawBuilder<unknown>, { from, until }: Period): Generator<RawBuilder<unknown>> {
  if (from !== null) yield sql`${at} >= ${from}::int8`
  if (until !== null) yield sql`${at} < ${until}::int8`
}

function* olderThan(after: Place | null): Generator<RawBuilder<unknown>> {
  if (after === null) return
  yield sql`(t.created_ms, t.ref, t.step) < (${after.createdMs}::int8, ${after.ref}::uuid, ${after.step})`
}

function literals(texts: readonly string[]): RawBuilder<unknown> {
  return sql.join(texts.map((text) => sql.lit(text)))
}

function all(conditions: Iterable<RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql.join([...conditions, sql`true`], sql` and `)
}

/**
 * SQL condition for transfers from or to an account. The accounts `withdrawing`, `credits` and those of the house have
 * their own indexes.
 */
function touching(account: Account): RawBuilder<unknown> {
  const isEither = sql`(t.from_account = ${account} or t.to_account = ${account})`
  if (account === 'withdrawing' || account === 'credits')
    return sql`${isEither} and (t.from_account in ('withdrawing', 'credits') or t.to_account in ('withdrawing', 'credits'))`
  if (isUserAccount(account)) return isEither
  return sql`(case when t.from_account like 'house:%' then t.from_account else t.to_account end) = ${account}
    and (t.from_account like 'house:%' or t.to_account like 'house:%')`
}
