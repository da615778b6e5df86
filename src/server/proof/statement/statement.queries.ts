import { type RawBuilder, sql } from 'kysely'
import type { Account } from '#core/ledger/account.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { basisPoints, type Money, money } from '#core/money/money.ts'
import { readDirection, readResult } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { ORDER_KINDS, type StatementKind } from '#core/statement/statement-row.ts'
import type { PeriodInstants } from '#core/statement/statement-period.ts'
import type { Flow, StatementFlows } from '#core/statement/statement-sums.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { NOT_OF_ORDERS } from '#server/ledger/not-of-orders.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * Identifies the rows of a statement. An order belongs to a period by the number of its result, not by its time. The
 * clocks of two servers may differ, so around midnight the times of a user's orders may not be in the order of their
 * results. By number, no result is missing between two periods.
 */
export interface RowRange {
  readonly userId: string
  readonly from: Instant
  readonly to: Instant
  /** The number of the last result before the period, and of the last result in the period. */
  readonly fromNumber: bigint
  readonly toNumber: bigint
}

/**
 * The allowance for differing clocks. 60 s is ample, because servers whose clocks differ by more than 5 s settle no
 * orders.
 */
const MAX_SKEW_MS = 60_000

/** Reads the user's balance, and which rows belong to the period. */
export async function findRange(
  tx: Tx,
  userId: string,
  period: PeriodInstants,
  now: Instant,
): Promise<{ readonly range: RowRange; readonly balance: Money; readonly credits: Money }> {
  const { rows } = await sql<{
    total: bigint
    credits: bigint
    results: bigint
    from_number: bigint
    to_number: bigint
    newest: bigint
  }>`
    select b.cash + b.staked + b.withdrawing as total, b.credits, b.results,
      ${lastNumber(userId, period.from)} as from_number, ${lastNumber(userId, period.to ?? now)} as to_number,
      greatest(
        (select coalesce(max(settled_ms), 0) from order_history where user_id = ${userId}::uuid),
        (select coalesce(max(created_ms), 0) from transfer t where t.user_id = ${userId}::uuid and ${NOT_OF_ORDERS})
      ) as newest
    from balance b where b.user_id = ${userId}::uuid and b.currency = ${BASE_CURRENCY}`.execute(tx)
  const [row] = rows
  assert(row, 'every user has a balance')
  // A statement without an end date contains every committed row, even the rows of a server whose clock is ahead.
  const to = period.to ?? instant(Math.max(now, Number(row.newest) + 1))
  const toNumber = period.to === null ? row.results : row.to_number
  const range = { userId, from: period.from, to, fromNumber: row.from_number, toNumber }
  return { range, balance: money(row.total), credits: money(row.credits) }
}

/** Selects the highest number of the user's results that were settled before a time. */
function lastNumber(userId: string, before: Instant): RawBuilder<bigint> {
  const earlier = sql`from order_history where user_id = ${userId}::uuid and settled_ms < ${before}::int8`
  return sql`coalesce((select max(result_number) ${earlier}
    and settled_ms >= (select max(settled_ms) ${earlier}) - ${MAX_SKEW_MS}::int8), 0)`
}

const isBeforeEnd = ({ to, toNumber }: RowRange) =>
  sql`coalesce(o.result_number <= ${toNumber}::int8, o.settled_ms < ${to}::int8)`
const isBeforeStart = ({ from, fromNumber }: RowRange) =>
  sql`coalesce(o.result_number <= ${fromNumber}::int8, o.settled_ms < ${from}::int8)`

/**
 * Sums up every transfer of a user by its accounts, before the period, within it and after it. The transfers of orders
 * are found through the orders, because no index has them by user.
 */
export async function countFlows(tx: Tx, range: RowRange): Promise<StatementFlows> {
  const { userId, from, to } = range
  const { rows } = await sql<{ part: number; from_account: string; to_account: string; amount: bigint }>`
    select part, from_account, to_account, sum(amount)::int8 as amount from (
      select case when ${isBeforeStart(range)} then 0 when ${isBeforeEnd(range)} then 1 else 2 end as part,
        t.from_account, t.to_account, t.amount
      from order_history o
      cross join lateral (
        select * from transfer t where t.ref = o.id and t.user_id = o.user_id and t.step in ('close', 'profit', 'sale', 'sale_fee') offset 0) t
      where o.user_id = ${userId}::uuid
      union all
      select case when t.created_ms < ${from}::int8 then 0 when t.created_ms < ${to}::int8 then 1 else 2 end,
        t.from_account, t.to_account, t.amount
      from transfer t
      where t.user_id = ${userId}::uuid and ${NOT_OF_ORDERS} and t.kind not in ('order_draw', 'order_void', 'order_sold', 'order_sale', 'order_sale_fee')
    ) m group by part, from_account, to_account`.execute(tx)
  const flowsOf = (part: number): Flow[] =>
    rows
      .filter((row) => row.part === part)
      .map((row) => ({
        // The row may name an account that is not an `Account`. The ledger check reports such accounts, and they are no
        // accounts of the user.
        from: row.from_account as Account,
        to: row.to_account as Account,
        amount: money(row.amount),
      }))
  return { before: flowsOf(0), within: flowsOf(1), after: flowsOf(2) }
}

/** Counts and sums up the rows. Their amounts come from the orders, not from the transfers of orders. */
export async function countRows(
  tx: Tx,
  range: RowRange,
): Promise<{
  readonly count: number
  readonly sum: Money
  readonly firstResult: number | null
  readonly lastResult: number | null
}> {
  const { rows } = await sql<{ count: bigint; sum: bigint; first: bigint | null; last: bigint | null }>`
    select count(*) as count, coalesce(sum(amount), 0)::int8 as sum, min(result_number) as first,
      max(result_number) as last
    from (${orderRows(range)} union all ${otherRows(range)}) r`.execute(tx)
  const [row] = rows
  assert(row, 'a count is one row')
  return {
    count: Number(row.count),
    sum: money(row.sum),
    firstResult: numberOf(row.first),
    lastResult: numberOf(row.last),
  }
}

function numberOf(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}

/** A row as stored, without its number and balance. */
export interface StoredRow {
  readonly at: Instant
  readonly kind: StatementKind
  readonly reference: string
  readonly words: string
  readonly amount: Money
  readonly order: ReturnType<typeof toStoredOrder>
}

/** Reads a page of rows by time and reference, with the sum of all rows before it. */
export async function rowsAt(
  tx: Tx,
  range: RowRange,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly StoredRow[]; readonly before: Money }> {
  const { rows } = await sql<RowColumns & { before: bigint }>`
    select * from (
      select r.*, (sum(amount) over (order by at, reference rows unbounded preceding) - amount)::int8 as before
      from (${orderRows(range)} union all ${otherRows(range)}) r) s
    order by at, reference limit ${limit} offset ${offset}`.execute(tx)
  return { rows: rows.map(toStored), before: money(rows[0]?.before ?? 0n) }
}

/** The position of a row in a statement, which is sorted by time and reference. */
export type RowPlace = Pick<StoredRow, 'at' | 'reference'>

/** Reads the rows after the given row. */
export async function rowsAfter(
  db: Db,
  range: RowRange,
  { after, limit }: { readonly after: RowPlace | null; readonly limit: number },
): Promise<readonly StoredRow[]> {
  const { rows } = await sql<RowColumns>`
    select * from (
      (${orderRows(range, after)} order by at, reference limit ${limit}) union all
      (${otherRows(range, after)} order by at, reference limit ${limit})) r
    order by at, reference limit ${limit}`.execute(db)
  return rows.map(toStored)
}

interface RowColumns {
  readonly at: bigint
  readonly reference: string
  readonly kind: string
  readonly words: string
  readonly amount: bigint
  readonly result: number | null
  readonly result_number: bigint | null
  readonly symbol_id: number
  readonly direction: number
  readonly stake: bigint
  readonly payout: number
  readonly entry_price: bigint
  readonly exit_price: bigint | null
  readonly void_reason: string | null
}

function orderRows(range: RowRange, after: RowPlace | null = null): RawBuilder<unknown> {
  const { userId, from, to } = range
  const begin = Math.max(from, after?.at ?? from)
  const isAfter =
    after === null ? sql`` : sql`and (o.settled_ms, o.trx collate "C") > (${after.at}::int8, ${after.reference})`
  return sql`
    select o.settled_ms as at, o.trx collate "C" as reference, '' as kind, '' as words, o.result_amount as amount,
      o.result, o.result_number, o.symbol_id, o.direction, o.stake, o.profit_basis_points as payout, o.entry_price,
      o.exit_price, o.void_reason
    from order_history o
    where o.user_id = ${userId}::uuid and o.settled_ms >= ${begin}::int8 and o.settled_ms < ${to + MAX_SKEW_MS}::int8
      and not ${isBeforeStart(range)} and ${isBeforeEnd(range)} ${isAfter}`
}

/**
 * Selects the rows of deposits, withdrawals, adjustments and results made good. A paid withdrawal contains its charge.
 */
function otherRows({ userId, from, to }: RowRange, after: RowPlace | null = null): RawBuilder<unknown> {
  const begin = Math.max(from, after?.at ?? from)
  const reference = sql`coalesce(d.trx, w.trx, c.trx, o.trx, t.ref::text) collate "C"`
  const isAfter =
    after === null ? sql`` : sql`and (t.created_ms, ${reference}) > (${after.at}::int8, ${after.reference})`
  return sql`
    select t.created_ms as at, ${reference} as reference, t.kind,
      case when t.kind = 'withdrawal_returned' then coalesce(e.words, '') else coalesce(d.feedback, w.feedback, c.message, '') end as words,
      case when t.kind in ('deposit', 'demo_funds', 'correction_in', 'make_good') then t.amount
        when t.kind = 'correction_out' then -t.amount
        when t.kind = 'withdrawal_paid' then -t.amount - coalesce(f.amount, 0)
        when t.kind = 'withdrawal_returned' then t.amount + coalesce(f.amount, 0) else 0 end as amount,
      null::int2 as result, null::int8 as result_number, 0 as symbol_id, 0::int2 as direction, 0::int8 as stake,
      0 as payout, 0::int8 as entry_price, null::int8 as exit_price, null::text as void_reason
    from transfer t
    left join arrival a on t.kind = 'deposit' and a.id = t.ref and a.user_id = t.user_id
    left join deposit d on d.user_id = t.user_id and d.id = coalesce(a.deposit_id, t.ref)
    left join withdrawal w on w.user_id = t.user_id and w.id = t.ref
    left join transfer f on f.ref = t.ref and f.user_id = t.user_id
      and f.step = case t.kind when 'withdrawal_returned' then 'return_fee' else 'fee' end
    left join payment_event e on t.kind = 'withdrawal_returned' and e.user_id = t.user_id and e.subject = t.ref
      and e.step = 'returned'
    left join order_history o on t.kind = 'make_good' and o.user_id = t.user_id and o.id = t.ref
    left join correction c on c.user_id = t.user_id and c.id = t.ref
    where t.user_id = ${userId}::uuid and ${NOT_OF_ORDERS}
      and t.kind in ('make_good', 'deposit', 'demo_funds', 'correction_in', 'correction_out', 'withdrawal_paid', 'withdrawal_returned', 'withdrawal_failed', 'withdrawal_rejected', 'withdrawal_cancelled')
      and t.created_ms >= ${begin}::int8 and t.created_ms < ${to}::int8 ${isAfter}`
}

const OTHER_KINDS: Readonly<Record<string, StatementKind>> = {
  make_good: 'make_good',
  deposit: 'deposit',
  demo_funds: 'deposit',
  correction_in: 'correction',
  correction_out: 'correction',
  withdrawal_paid: 'withdrawal',
  withdrawal_returned: 'withdrawal_returned',
  withdrawal_failed: 'withdrawal_failed',
  withdrawal_rejected: 'withdrawal_rejected',
  withdrawal_cancelled: 'withdrawal_cancelled',
}

function toStored(row: RowColumns): StoredRow {
  const kind = row.result === null ? OTHER_KINDS[row.kind] : ORDER_KINDS[readResult(row.result)]
  assert(kind, 'the statement selects kinds that it knows')
  const { reference, words } = row
  return { at: instant(row.at), kind, reference, words, amount: money(row.amount), order: toStoredOrder(row) }
}

function toStoredOrder(row: RowColumns) {
  if (row.result === null) return null
  return {
    resultNumber: row.result_number === null ? null : Number(row.result_number),
    symbolId: row.symbol_id,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    payout: basisPoints(row.payout),
    entryPrice: row.entry_price,
    exitPrice: row.exit_price,
    voidReason: row.void_reason,
  }
}
