import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { type OrderResult, SOLD, type SettledFacts } from '#core/orders/order.ts'
import type { NumberedEntry } from '#core/orders/rules/made-good.ts'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { type DecisionKey, decisionValues } from '#server/proof/records/decisions.queries.ts'
import { toSettledFacts } from '#server/trading/engine/settled-facts.ts'

interface SettledOrder {
  readonly userId: string
  readonly orderId: string
  readonly facts: SettledFacts
  /** The provider's trade that gave the entry price. Null when the source does not number its trades. */
  readonly entry: NumberedEntry | null
}

/**
 * The settlement time of an order may be up to 60 s before the decision. That is ample, because servers whose clocks
 * differ by more than 5 s settle no orders.
 */
const MAX_SKEW_MS = 60_000

/** Practice orders are made good too, but no sum of money contains them. */
const OF_MONEY = sql<boolean>`not is_practice(user_id)`

/** Lists the orders that a decided price settled. */
export async function listOrdersOf(db: Db, key: DecisionKey, decidedAt: Instant): Promise<SettledOrder[]> {
  const rows = await db
    .selectFrom('order_history')
    .select(['user_id', 'id', 'rule_version', 'direction', 'stake', 'profit_basis_points', 'expires_ms'])
    .select(['entry_price', 'entry_time_ms', 'entry_ref'])
    .where('symbol_id', '=', key.symbolId)
    .where('expires_ms', '=', BigInt(key.expiresAt))
    .where('entry_source', '=', key.source)
    .where('max_tick_age_ms', '=', key.maxTickAgeMs)
    .where('rule_version', '=', key.rule)
    .where('evidence', '=', key.evidence)
    .where('settled_ms', '>=', BigInt(decidedAt - MAX_SKEW_MS))
    .where('result', '<>', SOLD)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    orderId: row.id,
    facts: toSettledFacts(row),
    entry:
      row.entry_ref === null
        ? null
        : { ref: Number(row.entry_ref), price: price(row.entry_price), time: instant(row.entry_time_ms) },
  }))
}

/** The payment that a user is owed for one order. */
export interface OwedOrder {
  readonly userId: string
  readonly orderId: string
  readonly result: OrderResult
  readonly amount: Money
}

const ROWS_AT_ONCE = 1_000

/** Records the amounts that are owed for the orders of a decision. */
export async function insertOwed(
  tx: Tx,
  key: DecisionKey,
  owed: readonly OwedOrder[],
  { now, dueAt }: { readonly now: Instant; readonly dueAt: Instant },
): Promise<void> {
  for (const some of chunk(owed, ROWS_AT_ONCE)) {
    const rows = some.map(({ userId, orderId, result, amount }) => ({
      ...decisionValues(key),
      order_id: orderId,
      user_id: userId,
      result,
      amount,
      noted_ms: now,
      due_ms: dueAt,
    }))
    await tx.insertInto('made_good').values(rows).execute()
  }
}

/** Returns the sum owed for one incident. An incident is all expiries of one source on one UTC day. */
export async function sumOfIncident(db: Db, { source, expiresAt }: DecisionKey): Promise<bigint> {
  const from = Math.floor(expiresAt / DAY_MS) * DAY_MS
  const row = await db
    .selectFrom('made_good')
    .select(sql<bigint>`coalesce(sum(amount), 0)::int8`.as('sum'))
    .where('source', '=', source)
    .where('expires_ms', '>=', BigInt(from))
    .where('expires_ms', '<', BigInt(from + DAY_MS))
    .where(OF_MONEY)
    .executeTakeFirstOrThrow()
  return row.sum
}

/** Lists the orders whose payments are due, oldest first. */
export async function listDue(db: Db, now: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('made_good')
    .select('order_id')
    .where('paid_ms', 'is', null)
    .where('due_ms', '<=', BigInt(now))
    .orderBy('due_ms')
    .orderBy('order_id')
    .execute()
  return rows.map((row) => row.order_id)
}

/** Marks due payments as paid and returns them. Skips rows that another server is paying. */
export async function takeDue(
  tx: Tx,
  now: Instant,
  orderIds: readonly string[],
): Promise<{ readonly userId: string; readonly orderId: string; readonly amount: Money }[]> {
  const { rows } = await sql<{ user_id: string; order_id: string; amount: bigint }>`
    update made_good set paid_ms = ${now}::int8 where order_id in (
      select order_id from made_good where paid_ms is null and order_id = any(${orderIds}::uuid[])
      order by order_id for update skip locked)
    returning user_id, order_id, amount`.execute(tx)
  return rows.map((row) => ({ userId: row.user_id, orderId: row.order_id, amount: money(row.amount) }))
}

/** The payments of one source that wait until they are due at the same time. */
export interface WaitingPayments {
  readonly source: string
  readonly orders: number
  readonly amount: Money
  readonly paysAt: Instant
}

/**
 * Sums up the payments that are not due yet, by source and due time. The public page of void orders shows them before
 * they are paid.
 */
export async function listWaiting(db: Db, now: Instant): Promise<WaitingPayments[]> {
  const { rows } = await sql<{ source: string; due_ms: bigint; orders: bigint; amount: bigint }>`
    select source, due_ms, count(*) as orders, sum(amount)::int8 as amount from made_good
    where paid_ms is null and due_ms > ${now}::int8 and ${OF_MONEY} group by source, due_ms order by due_ms, source`.execute(
    db,
  )
  return rows.map((row) => ({
    source: row.source,
    orders: Number(row.orders),
    amount: money(row.amount),
    paysAt: instant(row.due_ms),
  }))
}

/** Sums up the payments since an instant. */
export async function sumPaid(db: Db, since: Instant): Promise<{ readonly orders: number; readonly amount: Money }> {
  const row = await db
    .selectFrom('made_good')
    .select(({ fn }) => [fn.countAll<bigint>().as('orders'), sql<bigint>`coalesce(sum(amount), 0)::int8`.as('amount')])
    .where('paid_ms', '>=', BigInt(since))
    .where(OF_MONEY)
    .executeTakeFirstOrThrow()
  return { orders: Number(row.orders), amount: money(row.amount) }
}
