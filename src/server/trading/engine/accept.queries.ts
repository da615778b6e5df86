import { sql } from 'kysely'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import { type Money, money } from '#core/money/money.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { limitWindows } from '#server/ledger/limit-use-sql.ts'
import { firstOfClientId, orderRows, acceptedRows } from '#server/trading/engine/order-rows.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

/** A limit that staff set for one user. */
export interface StaffLimit {
  readonly value: Money
  /** The reason, as the user reads it. */
  readonly reason: string
}

/**
 * The statement's decision about one order. `balance`: the balance after the stake when the order is accepted, else the
 * current balance.
 */
export interface AcceptRow {
  readonly outcome:
    | 'accepted'
    | 'repeated'
    | 'not_verified'
    | 'trade_off'
    | 'above_own_maximum'
    | 'above_own_open_stake'
    | 'self_stake_max'
    | 'self_loss_limit'
    | 'self_staked_limit'
    | 'no_mark'
    | 'on_break'
    | 'too_many_open_orders'
    | 'insufficient_balance'
    | 'exposure_full'
  readonly balance: Money
  /** The user's cash after every accepted order of the batch. */
  readonly cashLeft: Money
  readonly tradeReason: string
  /** The largest stake per order that staff set for this user; null without such a limit. */
  readonly ownMaximum: StaffLimit | null
  /** The largest sum of open stakes that staff set for this user; null without such a limit. */
  readonly ownOpenMaximum: StaffLimit | null
  /** How much the user's open stakes may still grow after every accepted order of the batch; null without a limit. */
  readonly openStakeLeft: Money | null
  /** How many more orders the user may have open after every accepted order of the batch. */
  readonly openOrdersLeft: number
  /** How much the user's own limits still allow. Null for users without own limits. */
  readonly own: OwnRoom | null
}

/** How much a user's own limits still allow after every accepted order of the batch. */
export interface OwnRoom {
  readonly stakeMax: Money | null
  readonly loss: WindowRoom | null
  readonly staked: WindowRoom | null
}

/** The window of an own limit that still allows the least, and the amount that it allows. */
interface WindowRoom {
  readonly key: SelfLimitKey
  readonly left: Money
}

/** Locks the balance of each user with orders in `input`, in order of user id. */
const lockedBalances = sql`
  select b.* from (select distinct user_id from input order by user_id) i
  cross join lateral (
    select user_id, currency, cash, staked, open_orders, verified, may_trade, trade_reason, max_stake, max_stake_reason,
      max_open_stake, max_open_stake_reason, self_rules, self_stake_max, net_total, stake_total, loss_day, loss_week, loss_month,
      staked_day, staked_week, staked_month, closed_until_ms
    from balance where user_id = i.user_id for update
  ) b`

/** For each user with own limits, selects the window of losses and the window of stakes that still allow the least. */
const ownRooms = sql`
  select user_id, bool_or(room is null) as lacks_mark,
    (array_agg(key order by room) filter (where is_loss))[1] as loss_key, min(room) filter (where is_loss) as loss_room,
    (array_agg(key order by room) filter (where not is_loss))[1] as staked_key, min(room) filter (where not is_loss) as staked_room
  from (
    select l.user_id, w.key, w.is_loss, w.value - w.used - l.staked as room
    from locked l
    cross join lateral (select min(i.opened_ms) as ms from input i where i.user_id = l.user_id) opened
    cross join lateral (${limitWindows(sql`opened.ms`)}) w
    where l.self_rules
  ) windows
  group by user_id`

/**
 * Selects the orders of `input` with the balance of their user, and with a refusal if one does not depend on other
 * orders.
 */
const checkedOrders = sql`
  select i.*, l.currency, l.cash, l.open_orders, coalesce(l.trade_reason, '') as trade_reason, l.max_stake,
    l.max_stake_reason, l.max_open_stake, l.max_open_stake_reason, l.max_open_stake - l.staked as open_stake_room, l.self_rules, l.self_stake_max,
    o.loss_key, o.loss_room, o.staked_key, o.staked_room,
    case
      when ${firstOfClientId} is not null then 'repeated'
      when l.user_id is null or not l.verified then 'not_verified'
      when i.opened_ms < l.closed_until_ms then 'on_break'
      when not l.may_trade then 'trade_off'
      when i.stake > l.max_stake then 'above_own_maximum'
      when i.stake > l.self_stake_max then 'self_stake_max'
      when o.lacks_mark then 'no_mark'
    end as refusal
  from input i full join locked l on l.user_id = i.user_id full join own o on o.user_id = l.user_id`

/**
 * Selects each order that is not refused yet, with two running totals of the user: the stakes and the number of orders
 * up to this order. Orders above a cap count in no other order's totals.
 */
const runningTotals = sql`
  select *, coalesce(sum(stake) filter (where not is_above_cap) over mine, 0) + case when is_above_cap then stake else 0 end as total,
    count(*) filter (where not is_above_cap) over mine + case when is_above_cap then 1 else 0 end as nth
  from checked where refusal is null
  window mine as (partition by user_id order by place)`

/** Whether the running totals of an order fit the user's cash and limits. */
const fitsTotals = (maxOpenOrders: number) => sql`r.total <= r.cash and r.open_orders + r.nth <= ${maxOpenOrders}
    and (r.open_stake_room is null or r.total <= r.open_stake_room)
    and (r.loss_room is null or r.total <= r.loss_room) and (r.staked_room is null or r.total <= r.staked_room)`

/** Selects the accepted orders. Their running totals fit the user's cash and limits, and no cap refuses them. */
const affordableOrders = (maxOpenOrders: number) => sql`
  select *, sum(stake) over (partition by user_id order by place) as taken
  from running r
  where not is_above_cap and ${fitsTotals(maxOpenOrders)}`

/** Selects the sum of the stakes and the number of the accepted orders of each user. */
const stakesPerUser = sql`
  select user_id, sum(stake)::int8 as stakes, count(*)::int4 as orders from good group by user_id`

/** Moves the accepted stakes of each user from cash to staked. */
const debitedBalances = sql`
  update balance b
  set cash = b.cash - s.stakes, staked = b.staked + s.stakes, open_orders = b.open_orders + s.orders
  from spent s where b.user_id = s.user_id`

/** Selects the decision about each order of `input`. */
const decisions = (maxOpenOrders: number) => sql`
  select
    case
      when c.refusal is not null then c.refusal
      when g.id is not null then 'accepted'
      when r.is_above_cap and ${fitsTotals(maxOpenOrders)} then 'exposure_full'
      when r.total > r.loss_room then 'self_loss_limit'
      when r.total > r.staked_room then 'self_staked_limit'
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
    (c.open_stake_room - coalesce(s.stakes, 0))::int8 as open_stake_left,
    ${maxOpenOrders}::int4 - coalesce(c.open_orders, 0) - coalesce(s.orders, 0) as open_orders_left,
    c.self_rules, c.self_stake_max, c.loss_key, c.staked_key,
    (c.loss_room - coalesce(s.stakes, 0))::int8 as loss_left,
    (c.staked_room - coalesce(s.stakes, 0))::int8 as staked_left
  from checked c
  full join running r on r.place = c.place
  full join good g on g.place = c.place
  full join spent s on s.user_id = c.user_id`

/**
 * Decides each order of a batch in one statement. It locks balance rows in id order (two batches would deadlock
 * otherwise) and keeps a running total per user. It inserts orders and transfers and debits each balance once. Returns
 * one row per order, in the order given.
 *
 * The user's permissions are columns of the locked balance too, because after waiting for another transaction,
 * PostgreSQL reads only the locked row again.
 *
 * The running totals count refused orders too, so a later order can look unaffordable, or one order too many, although
 * it is not. The caller retries such orders with the next batch.
 *
 * The user's own limits are also read from the locked balance. Their windows begin at marks. An outdated list of marks
 * only makes a window longer.
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
    open_orders_left: number
    self_rules: boolean | null
    self_stake_max: bigint | null
    loss_key: SelfLimitKey | null
    loss_left: bigint | null
    staked_key: SelfLimitKey | null
    staked_left: bigint | null
  }>`
    with input as (${orderRows(orders)}),
    locked as materialized (${lockedBalances}),
    own as (${ownRooms}),
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
    openStakeLeft: moneyOrNull(row.open_stake_left),
    openOrdersLeft: row.open_orders_left,
    own:
      row.self_rules === true
        ? {
            stakeMax: moneyOrNull(row.self_stake_max),
            loss: windowRoom(row.loss_key, row.loss_left),
            staked: windowRoom(row.staked_key, row.staked_left),
          }
        : null,
  }))
}

function limitOf(value: bigint | null, reason: string | null): StaffLimit | null {
  return value === null ? null : { value: money(value), reason: reason ?? '' }
}

function moneyOrNull(amount: bigint | null): Money | null {
  return amount === null ? null : money(amount)
}

function windowRoom(key: SelfLimitKey | null, left: bigint | null): WindowRoom | null {
  return key === null || left === null ? null : { key, left: money(left) }
}
