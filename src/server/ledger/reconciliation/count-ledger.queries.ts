import { sql } from 'kysely'
import type { Instant } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { storeFlowSums, storeOrderSums } from '#server/ledger/reconciliation/checkpoints.queries.ts'

/** One set of stored sums, which is called a run and has the number `run`. */
export interface SumsUntil {
  readonly run: bigint
  /** The sums contain exactly the transfers made and orders settled before this time. */
  readonly until: Instant
}

/**
 * Which rows a check reads and which sums it stores. With neither `from` nor `into`, it reads everything and writes
 * nothing.
 */
export interface CountRange {
  /** If given, the check reads only rows newer than these sums, and adds the sums. Null reads everything. */
  readonly from: SumsUntil | null
  /**
   * If given, rows that were read and are older than `until` are added to the sums of this run. Null stores nothing.
   */
  readonly into: SumsUntil | null
}

/** The beginning of the names of accounts of practice money, because the books balance for each currency. */
export const PRACTICE_PREFIX = 'practice:'

export interface AccountTotal {
  /** With `PRACTICE_PREFIX` for the accounts of practice money. */
  readonly account: string
  readonly total: bigint
  /** The number of transfers to this account. */
  readonly transfers: bigint
}

/**
 * One difference that a check found for a user. Either a cached figure differs from the transfers, open orders or
 * pending withdrawals. Or the user's orders differ from their transfers in the total staked, won, lost or charged as a
 * fee. Amounts are in minor units.
 */
export interface LedgerMismatch {
  readonly userId: string
  readonly what:
    | 'cash'
    | 'staked'
    | 'withdrawing'
    | 'credits'
    | 'open_orders'
    | 'stakes'
    | 'withdrawals'
    | 'orders_staked'
    | 'orders_won'
    | 'orders_lost'
    | 'sale_fees'
  readonly cached: bigint
  readonly counted: bigint
}

/** More than 100 mismatches tell an operator nothing new. */
const MAX_MISMATCHES = 100

/** One row of the result: a total of all users when `user_id` is null, otherwise a mismatch of one user. */
interface Line {
  readonly user_id: string | null
  readonly what: string
  readonly cached: bigint
  readonly counted: bigint
}

/** Compares the cached amounts of each user with the counted ones. */
const MISMATCHES = sql`mismatches as (
          select user_id, what, cached, counted from (
            select coalesce(b.user_id, c.user_id, r.user_id, h.user_id, o.user_id) as user_id, v.what, v.cached, v.counted
            from balance b
            full join counted c on c.user_id = b.user_id and c.currency = b.currency
            full join running r on r.user_id = b.user_id
            full join held h on h.user_id = b.user_id
            full join ordered o on o.user_id = b.user_id
            left join charged f on f.user_id = coalesce(b.user_id, c.user_id, r.user_id, h.user_id, o.user_id)
            left join traded t on t.user_id = coalesce(b.user_id, c.user_id, r.user_id, h.user_id, o.user_id)
            cross join lateral (values
              ('cash', coalesce(b.cash, 0), coalesce(c.cash, 0)),
              ('staked', coalesce(b.staked, 0), coalesce(c.staked, 0)),
              ('withdrawing', coalesce(b.withdrawing, 0), coalesce(c.withdrawing, 0)),
              ('credits', coalesce(b.credits, 0), coalesce(c.credits, 0)),
              ('open_orders', coalesce(b.open_orders, 0)::int8, coalesce(r.orders, 0)),
              ('stakes', coalesce(b.staked, 0), coalesce(r.stakes, 0)),
              ('withdrawals', coalesce(b.withdrawing, 0), coalesce(h.amount, 0)),
              ('orders_staked', coalesce(o.staked, 0), coalesce(t.staked, 0)),
              ('orders_won', coalesce(o.won, 0), coalesce(t.won, 0)),
              ('orders_lost', coalesce(o.lost, 0), coalesce(t.lost, 0)),
              ('sale_fees', coalesce(f.fees, 0), coalesce(t.fees, 0))
            ) as v(what, cached, counted)
          ) compared where cached <> counted order by user_id, what limit ${MAX_MISMATCHES}::int4)`

/**
 * Reads the transfers once, which is nearly the whole cost of a check. The result, summed by user and pair of accounts,
 * is small. The totals, the comparison with the balances and the stored sums come from it.
 */
export async function countLedger(
  tx: Tx,
  { from, into }: CountRange,
): Promise<{ totals: AccountTotal[]; mismatches: LedgerMismatch[] }> {
  const going = from && goOnFrom(from)
  const keeping = into && keepIn(into, { isBegun: from !== null })
  const { rows } = await sql<Line>`
        with new_flows as materialized (
          select user_id, currency, from_account, to_account, sum(amount)::int8 as amount, count(*) as transfers
            ${keeping?.lateFlows ?? sql``}
          from transfer ${going?.newTransfers ?? sql``} group by user_id, currency, from_account, to_account),
        new_orders as materialized (
          select user_id, sum(stake)::int8 as staked, sum(greatest(result_amount, 0))::int8 as won,
            sum(greatest(-result_amount, 0))::int8 as lost ${keeping?.lateOrders ?? sql``}
          from order_history ${going?.newlySettled ?? sql``} group by user_id),${keeping?.writes ?? sql``}
        flows as materialized (${going?.allFlows ?? sql`select user_id, currency, from_account, to_account, amount, transfers from new_flows`}),
        moves as (
          select user_id, currency, to_account as account, amount, transfers from flows
          union all select user_id, currency, from_account, -amount, 0 from flows),
        totals as (
          select case currency when 'PRACTICE' then ${PRACTICE_PREFIX} else '' end || account as account,
            sum(amount)::int8 as total, sum(transfers)::int8 as transfers
          from moves group by 1),
        counted as (
          select user_id, currency,
            coalesce(sum(amount) filter (where account = 'cash'), 0)::int8 as cash,
            coalesce(sum(amount) filter (where account = 'staked'), 0)::int8 as staked,
            coalesce(sum(amount) filter (where account = 'withdrawing'), 0)::int8 as withdrawing,
            coalesce(sum(amount) filter (where account = 'credits'), 0)::int8 as credits
          from moves group by user_id, currency),
        running as (
          select user_id, sum(stake)::int8 as stakes, count(*) as orders from open_order group by user_id),
        held as (
          select user_id, sum(amount)::int8 as amount from withdrawal where status = 2 group by user_id),
        ordered as (
          select user_id, sum(staked)::int8 as staked, sum(won)::int8 as won, sum(lost)::int8 as lost
          from (
            select user_id, staked, won, lost from new_orders ${going?.storedOrders ?? sql``}
            union all select user_id, stakes, 0, 0 from running
            union all select user_id, 0, amount, 0 from made_good where paid_ms is not null
            -- The history has only the difference between what a sale paid and the stake.
            union all select user_id, 0, gross - greatest(paid - stake, 0), least(paid, stake) from sale_end where reason is null
          ) o group by user_id),
        charged as (
          select user_id, sum(fee)::int8 as fees from sale_end where reason is null group by user_id),
        traded as (
          select user_id,
            coalesce(sum(amount) filter (where from_account = 'cash' and to_account = 'staked'), 0)::int8 as staked,
            coalesce(sum(amount) filter (where from_account = 'house:trading' and to_account = 'cash'), 0)::int8 as won,
            coalesce(sum(amount) filter (where from_account = 'staked' and to_account = 'house:trading'), 0)::int8 as lost,
            coalesce(sum(amount) filter (where from_account = 'cash' and to_account = 'house:fees'), 0)::int8 as fees
          from flows group by user_id),
        ${MISMATCHES}
        select null::uuid as user_id, account as what, total as cached, transfers as counted from totals
        union all select user_id, what, cached, counted from mismatches order by user_id nulls first, what`.execute(tx)
  const totals: AccountTotal[] = []
  const mismatches: LedgerMismatch[] = []
  for (const { user_id: userId, what, cached, counted } of rows) {
    if (userId === null) totals.push({ account: what, total: cached, transfers: counted })
    else mismatches.push({ userId, what: what as LedgerMismatch['what'], cached, counted })
  }
  return { totals, mismatches }
}

/** Returns the parts of the statement that make the check start from stored sums. */
function goOnFrom({ run, until }: SumsUntil) {
  return {
    newTransfers: sql`where created_ms >= ${until}::int8`,
    newlySettled: sql`where settled_ms >= ${until}::int8`,
    allFlows: sql`
          select user_id, currency, from_account, to_account, sum(amount)::int8 as amount,
            sum(transfers)::int8 as transfers
          from (
            select user_id, currency, from_account, to_account, amount, transfers from new_flows
            union all select user_id, currency, from_account, to_account, amount, transfers
            from ledger_sum where run = ${run}::int8
          ) f group by user_id, currency, from_account, to_account`,
    storedOrders: sql`union all select user_id, staked, won, lost from ledger_order_sum where run = ${run}::int8`,
  }
}

/**
 * Returns the parts of the statement that add rows older than `until` to the sums. They add up all rows that were read
 * and subtract the few rows that are too recent, because this is cheapest. A new run has no sums to add to.
 */
function keepIn({ run, until }: SumsUntil, { isBegun }: { isBegun: boolean }) {
  const isLate = sql`filter (where settled_ms >= ${until}::int8)`
  const flows = sql`
          select ${run}::int8, user_id, currency, from_account, to_account, amount - late_amount, transfers - late_transfers
          from new_flows where transfers > late_transfers`
  const orders = sql`
          select ${run}::int8, user_id, staked - late_staked, won - late_won, lost - late_lost
          from new_orders where staked > late_staked`
  return {
    lateFlows: sql`, coalesce(sum(amount) filter (where created_ms >= ${until}::int8), 0)::int8 as late_amount,
            count(*) filter (where created_ms >= ${until}::int8) as late_transfers`,
    lateOrders: sql`, coalesce(sum(stake) ${isLate}, 0)::int8 as late_staked,
            coalesce(sum(greatest(result_amount, 0)) ${isLate}, 0)::int8 as late_won,
            coalesce(sum(greatest(-result_amount, 0)) ${isLate}, 0)::int8 as late_lost`,
    writes: sql`
        kept_flows as (${storeFlowSums(flows, { isBegun })}),
        kept_orders as (${storeOrderSums(orders, { isBegun })}),`,
  }
}
