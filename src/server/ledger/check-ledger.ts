import { sql } from 'kysely'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/db/tables.ts'

/**
 * One user whose cached figures differ from what the transfers, open orders and pending withdrawals say, or whose orders say
 * something else than the transfers for them: what was staked, won and lost in all. Amounts in minor units.
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
  readonly cached: bigint
  readonly counted: bigint
}

export interface LedgerReport {
  readonly clean: boolean
  readonly users: number
  readonly transfers: number
  readonly openOrders: number
  /** Sum of all accounts, users' and house's; zero in a sound ledger. */
  readonly sumOfAll: bigint
  /** What each house account holds (negative: the house paid out more than it took in), from the transfers alone. */
  readonly house: ReadonlyMap<string, bigint>
  /** The same of every account there is, those of all users added up. */
  readonly accounts: ReadonlyMap<string, bigint>
  readonly unknownAccounts: readonly string[]
  readonly mismatches: readonly LedgerMismatch[]
}

/** More of them say no more. */
const MOST_MISMATCHES = 100
const MOST_MS = HOUR_MS
const ACCOUNTS: readonly string[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS]

/**
 * Checks the ledger's invariants: cached balance = sum of transfers for every user account, all accounts together = 0,
 * stakes at risk = sum of open orders, what is held for withdrawals = sum of the pending ones, and what each user's orders
 * took and brought = the transfers for it, so that there is none without an order. Everything is read in one snapshot, so it
 * is exact while orders run.
 */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return db.transaction().setIsolationLevel('repeatable read').execute(checkLedgerIn)
}

/** The same in a transaction of the caller's, which has to see one snapshot. What the caller asks in it afterwards may take as long, too. */
export async function checkLedgerIn(tx: Tx): Promise<LedgerReport> {
  // All transfers take longer than any other statement may, and are in no hurry: one core is enough for them.
  await sql`set local statement_timeout = ${sql.lit(MOST_MS)}`.execute(tx)
  await sql`set local max_parallel_workers_per_gather = 0`.execute(tx)
  const { totals, mismatches } = await readTransfers(tx)
  const users = await sql<{ users: bigint; cached: bigint }>`
        select count(*) as users, coalesce(sum(cash + staked + withdrawing + credits), 0)::int8 as cached
        from balance`.execute(tx)
  const open = await sql<{ orders: bigint }>`select count(*) as orders from open_order`.execute(tx)

  const accounts = new Map(totals.map(({ account, total }) => [account, total]))
  const house = new Map([...accounts].filter(([account]) => account.startsWith('house:')))
  const houseTotal = [...house.values()].reduce((sum, total) => sum + total, 0n)
  const sumOfAll = (users.rows[0]?.cached ?? 0n) + houseTotal
  const unknownAccounts = [...accounts.keys()].filter((account) => !ACCOUNTS.includes(account))
  return {
    clean: mismatches.length === 0 && sumOfAll === 0n && unknownAccounts.length === 0,
    users: Number(users.rows[0]?.users ?? 0n),
    transfers: Number(totals.reduce((sum, { transfers }) => sum + transfers, 0n)),
    openOrders: Number(open.rows[0]?.orders ?? 0n),
    sumOfAll,
    house,
    accounts,
    unknownAccounts,
    mismatches,
  }
}

interface AccountTotal {
  readonly account: string
  readonly total: bigint
  /** Those into it. */
  readonly transfers: bigint
}

/** One line of what the transfers come to: a total of all users where there is no user, else a mismatch of one. */
interface Line {
  readonly user_id: string | null
  readonly what: string
  readonly cached: bigint
  readonly counted: bigint
}

/**
 * Goes through all transfers once, which is nearly all that a check costs: what went from one account to another, added
 * up by user, is little, and both the totals and the comparison with the balances come from it.
 */
async function readTransfers(tx: Tx): Promise<{ totals: AccountTotal[]; mismatches: LedgerMismatch[] }> {
  const { rows } = await sql<Line>`
        with flows as materialized (
          select user_id, currency, from_account, to_account, sum(amount)::int8 as amount, count(*) as transfers
          from transfer group by user_id, currency, from_account, to_account),
        moves as (
          select user_id, currency, to_account as account, amount, transfers from flows
          union all select user_id, currency, from_account, -amount, 0 from flows),
        totals as (
          select account, sum(amount)::int8 as total, sum(transfers)::int8 as transfers from moves group by account),
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
          select user_id, sum(stake)::int8 as staked, sum(greatest(result, 0))::int8 as won,
            sum(greatest(-result, 0))::int8 as lost
          from (
            select user_id, stake, result_amount as result from order_history
            union all select user_id, stake, 0 from open_order
          ) o group by user_id),
        traded as (
          select user_id,
            coalesce(sum(amount) filter (where from_account = 'cash' and to_account = 'staked'), 0)::int8 as staked,
            coalesce(sum(amount) filter (where from_account = 'house:trading' and to_account = 'cash'), 0)::int8 as won,
            coalesce(sum(amount) filter (where from_account = 'staked' and to_account = 'house:trading'), 0)::int8 as lost
          from flows where currency = ${BASE_CURRENCY} group by user_id),
        mismatches as (
          select user_id, what, cached, counted from (
            select coalesce(b.user_id, c.user_id, r.user_id, h.user_id, o.user_id) as user_id, v.what, v.cached, v.counted
            from balance b
            full join counted c on c.user_id = b.user_id and c.currency = b.currency
            full join running r on r.user_id = b.user_id
            full join held h on h.user_id = b.user_id
            full join ordered o on o.user_id = b.user_id
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
              ('orders_lost', coalesce(o.lost, 0), coalesce(t.lost, 0))
            ) as v(what, cached, counted)
          ) compared where cached <> counted order by user_id, what limit ${MOST_MISMATCHES}::int4)
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
