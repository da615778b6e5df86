import { VOID } from '#core/orders/order.ts'
import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, HOUR_MS, instant, type Instant, MINUTE_MS } from '#core/time/instant.ts'
import { DECIDE_WITHIN_MS } from '#core/wallet/withdrawal-deadline.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface WaitingQueue {
  readonly waiting: number
  readonly overdue: number
  readonly amount: Money
  readonly oldestAt: Instant | null
}

/** 2 h: a pending payment that waits longer counts as overdue. */
const OVERDUE_MS = 2 * HOUR_MS

/** Reads the number, sum and age of the pending payments in a queue. */
export async function readQueue(db: Db, queue: 'deposit' | 'withdrawal', now: Instant): Promise<WaitingQueue> {
  const amount = sql.ref(queue === 'deposit' ? 'credited' : 'amount')
  const { rows } = await sql<{ waiting: bigint; overdue: bigint; amount: bigint; oldest: bigint | null }>`
    select count(*) as waiting, count(*) filter (where created_ms < ${now - OVERDUE_MS}::int8) as overdue,
      coalesce(sum(${amount}), 0)::int8 as amount, min(created_ms) as oldest
    from ${sql.table(queue)} where status = 2`.execute(db)
  const [row] = rows
  assert(row, 'figures over all rows are one row')
  return {
    waiting: Number(row.waiting),
    overdue: Number(row.overdue),
    amount: money(row.amount),
    oldestAt: row.oldest === null ? null : instant(row.oldest),
  }
}

export interface OpenStakes {
  readonly isBot: boolean
  readonly orders: number
  readonly stakes: Money
}

/** Sums the stakes of open orders, separately for users and bots. */
export async function readOpenStakes(db: Db): Promise<OpenStakes[]> {
  const rows = await db
    .selectFrom('open_order as o')
    .innerJoin('app_user as u', 'u.id', 'o.user_id')
    .where('u.practice_of', 'is', null)
    .groupBy('u.is_bot')
    .select((of) => ['u.is_bot', of.fn.countAll<bigint>().as('orders'), sql<bigint>`sum(o.stake)::int8`.as('stakes')])
    .execute()
  return rows.map((row) => ({ isBot: row.is_bot, orders: Number(row.orders), stakes: money(row.stakes) }))
}

interface VoidOrders {
  readonly code: string
  readonly orders: number
  readonly stakes: Money
}

/**
 * Lists void orders since an instant, by symbol. An order lasts at most a day, so the index by opening time limits the
 * search.
 */
export async function listVoidOrders(db: Db, since: Instant): Promise<VoidOrders[]> {
  const { rows } = await sql<{ code: string; orders: bigint; stakes: bigint }>`
    select s.code, count(*) as orders, sum(h.stake)::int8 as stakes
    from order_history h join market_symbol s on s.id = h.symbol_id
    where not is_practice(h.user_id) and h.result = ${sql.lit(VOID)} and h.opened_ms >= ${since - DAY_MS}::int8 and h.settled_ms >= ${since}::int8
    group by s.code order by stakes desc, s.code`.execute(db)
  return rows.map(({ code, orders, stakes }) => ({ code, orders: Number(orders), stakes: money(stakes) }))
}

/** 1 min: a result that comes later counts as late. */
const LATE_RESULT_MS = MINUTE_MS

/** Counts orders that were settled late since an instant, with the longest wait. */
export async function readLateResults(db: Db, since: Instant): Promise<{ orders: number; longestMs: number }> {
  const { rows } = await sql<{ orders: bigint; longest: bigint | null }>`
    select count(*) as orders, max(settled_ms - expires_ms)::int8 as longest from order_history
    where not is_practice(user_id) and opened_ms >= ${since - DAY_MS}::int8 and settled_ms >= ${since}::int8
      and settled_ms > expires_ms + ${LATE_RESULT_MS}`.execute(db)
  return { orders: Number(rows[0]?.orders ?? 0n), longestMs: Number(rows[0]?.longest ?? 0n) }
}

/** Sums the pending withdrawals whose deadline for a decision has passed. */
export async function readLateWithdrawals(db: Db, now: Instant): Promise<{ count: number; amount: Money }> {
  const { rows } = await sql<{ count: bigint; amount: bigint }>`
    select count(*) as count, coalesce(sum(amount), 0)::int8 as amount from withdrawal
    where status = 2 and clock_ms < ${now - DECIDE_WITHIN_MS}::int8`.execute(db)
  return { count: Number(rows[0]?.count ?? 0n), amount: money(rows[0]?.amount ?? 0n) }
}

export interface AccountCounts {
  readonly people: number
  readonly bots: number
}

/** Counts accounts with an order that is open or was settled in the last 24 hours. */
export async function countActive(db: Db, now: Instant): Promise<AccountCounts> {
  const { rows } = await sql<{ is_bot: boolean; accounts: bigint }>`
    select u.is_bot, count(*) as accounts from (
      select distinct user_id from order_history where settled_ms >= ${now - DAY_MS}::int8
      union select user_id from open_order) traded
    join app_user u on u.id = traded.user_id where u.practice_of is null group by u.is_bot`.execute(db)
  return toCounts(rows)
}

/** Counts accounts that were opened since an instant. */
export async function countNewSince(db: Db, since: Instant): Promise<AccountCounts> {
  const rows = await db
    .selectFrom('app_user')
    .select((of) => ['is_bot', of.fn.countAll<bigint>().as('accounts')])
    .where('created_ms', '>=', BigInt(since))
    .where('practice_of', 'is', null)
    .groupBy('is_bot')
    .execute()
  return toCounts(rows)
}

function toCounts(rows: readonly { readonly is_bot: boolean; readonly accounts: bigint }[]): AccountCounts {
  const of = (isBot: boolean) => Number(rows.find((row) => row.is_bot === isBot)?.accounts ?? 0n)
  return { people: of(false), bots: of(true) }
}
