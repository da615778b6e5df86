import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { firstOfClientId, orderRows, acceptedRows } from '#server/trading/engine/order-rows.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

/** A limit that staff set for one user. */
export interface StaffLimit {
  readonly value: Money
  /** The reason, as the user reads it. */
  readonly reason: string
}

/** The statement's decision about one order. `balance` is after the stake when the order is accepted, else the current one. */
export interface AcceptRow {
  readonly outcome:
    | 'accepted'
    | 'repeated'
    | 'not_verified'
    | 'trade_off'
    | 'above_own_maximum'
    | 'above_own_open_stake'
    | 'too_many_open_orders'
    | 'insufficient_balance'
  readonly balance: Money
  /** The user's cash after every accepted order of the batch. */
  readonly cashLeft: Money
  readonly tradeReason: string
  /** The largest stake per order that staff set for this user; null without such a limit. */
  readonly ownMaximum: StaffLimit | null
  /** The same for all open stakes together. */
  readonly ownOpenMaximum: StaffLimit | null
  /** How much the user's open stakes may still grow after every accepted order of the batch; null without a limit. */
  readonly openStakeLeft: Money | null
}

/** The balance of each user with orders in `input`, locked in order of user id (lock order). */
const lockedBalances = sql`
  select b.* from (select distinct user_id from input order by user_id) i
  cross join lateral (
    select user_id, cash, staked, open_orders, verified, may_trade, trade_reason, max_stake, max_stake_reason,
      max_open_stake, max_open_stake_reason from balance
    where user_id = i.user_id and currency = ${BASE_CURRENCY} for update
  ) b`

/** The orders of `input` with the balance of their user, and with a refusal that does not depend on other orders. */
const checkedOrders = sql`
  select i.*, l.cash, l.open_orders, coalesce(l.trade_reason, '') as trade_reason, l.max_stake,
    l.max_stake_reason, l.max_open_stake, l.max_open_stake_reason, l.max_open_stake - l.staked as open_stake_room,
    case
      when ${firstOfClientId} is not null then 'repeated'
      when l.user_id is null or not l.verified then 'not_verified'
      when not l.may_trade then 'trade_off'
      when i.stake > l.max_stake then 'above_own_maximum'
    end as refusal
  from input i full join locked l on l.user_id = i.user_id`

/** Each order that is not refused yet, with the stakes and the number of the user's orders up to it. */
const runningTotals = sql`
  select *, sum(stake) over mine as total, row_number() over mine as nth
  from checked where refusal is null
  window mine as (partition by user_id order by place)`

/** The accepted orders: those whose running totals fit the user's cash and limits. */
const affordableOrders = (maxOpenOrders: number) => sql`
  select *, sum(stake) over (partition by user_id order by place) as taken
  from running
  where total <= cash and open_orders + nth <= ${maxOpenOrders}
    and (open_stake_room is null or total <= open_stake_room)`

/** The sum and the number of the accepted orders of each user. */
const stakesPerUser = sql`
  select user_id, sum(stake)::int8 as stakes, count(*)::int4 as orders from good group by user_id`

/** Moves the accepted stakes of each user from cash to staked. */
const debitedBalances = sql`
  update balance b
  set cash = b.cash - s.stakes, staked = b.staked + s.stakes, open_orders = b.open_orders + s.orders
  from spent s where b.user_id = s.user_id and b.currency = ${BASE_CURRENCY}`

/** The reply to each order of `input`. */
const decisions = (maxOpenOrders: number) => sql`
  select
    case
      when c.refusal is not null then c.refusal
      when g.id is not null then 'accepted'
      when r.open_orders + r.nth > ${maxOpenOrders} and r.total <= r.cash then 'too_many_open_orders'
      when r.total <= r.cash then 'above_own_open_stake'
      else 'insufficient_balance'
    end as outcome,
    coalesce(c.cash - g.taken, c.cash - s.stakes, c.cash, 0)::int8 as balance,
    coalesce(c.cash - s.stakes, c.cash, 0)::int8 as cash_left,
    c.trade_reason,
    c.max_stake,
    c.max_stake_reason,
    c.max_open_stake,
    c.max_open_stake_reason,
    (c.open_stake_room - coalesce(s.stakes, 0))::int8 as open_stake_left
  from checked c
  full join running r on r.place = c.place
  full join good g on g.place = c.place
  full join spent s on s.user_id = c.user_id`

/**
 * Decides each order of a batch in one statement. It locks balance rows in id order (two batches would deadlock otherwise) and keeps a
 * running total per user. It inserts orders and transfers and debits each balance once. Returns one row per order, in the order given.
 *
 * The user's permissions are read from the locked balance too: PostgreSQL re-reads only a row that it waited for.
 *
 * The running total counts refused orders too, so a later order can look unaffordable although it is not. The caller retries such orders
 * with the next batch.
 *
 * The planner techniques are described in `docs/reference/hot-path-sql.md`.
 */
export async function acceptBatch(
  db: Db,
  orders: readonly PlannedOrder[],
  maxOpenOrders: number,
): Promise<AcceptRow[]> {
  const rows = await sql<{
    outcome: AcceptRow['outcome']
    balance: bigint
    cash_left: bigint
    trade_reason: string
    max_stake: bigint | null
    max_stake_reason: string | null
    max_open_stake: bigint | null
    max_open_stake_reason: string | null
    open_stake_left: bigint | null
  }>`
    with input as (${orderRows(orders)}),
    locked as materialized (${lockedBalances}),
    checked as (${checkedOrders}),
    running as (${runningTotals}),
    good as (${affordableOrders(maxOpenOrders)}),
    spent as (${stakesPerUser}),
    ${acceptedRows},
    debited as (${debitedBalances})
    ${decisions(maxOpenOrders)}
    order by c.place`.execute(db)
  return rows.rows.map((row) => ({
    outcome: row.outcome,
    balance: money(row.balance),
    cashLeft: money(row.cash_left),
    tradeReason: row.trade_reason,
    ownMaximum: limitOf(row.max_stake, row.max_stake_reason),
    ownOpenMaximum: limitOf(row.max_open_stake, row.max_open_stake_reason),
    openStakeLeft: row.open_stake_left === null ? null : money(row.open_stake_left),
  }))
}

function limitOf(value: bigint | null, reason: string | null): StaffLimit | null {
  return value === null ? null : { value: money(value), reason: reason ?? '' }
}
