import { sql } from 'kysely'
import type { Fairness, FairnessWindow } from '#contract/fairness.ts'
import { DAY_MS, type Instant, instant, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { readCountedUntil, WINDOW_DAYS } from '#server/proof/fairness/count-fairness.ts'
import { FIGURE_SQL, sqlBetween } from '#server/proof/fairness/fairness-sql.ts'
import { groupOf, MIN_GROUP_USERS, percent, toPayoutReply } from '#server/proof/fairness/group-figures.ts'
import { readGroupTotals } from '#server/proof/fairness/group-totals.queries.ts'

/** Computes the fairness figures from the daily totals that `countFairness` stores. All reads share one snapshot. */
export function computeFairness({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<Fairness> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => computeIn(tx, now()))
}

async function computeIn(tx: Tx, now: Instant): Promise<Fairness> {
  const until = await readCountedUntil(tx)
  const today = Math.floor(now / DAY_MS)
  const codes = await symbolCodes(tx)
  const windows: FairnessWindow[] = []
  for (const days of WINDOW_DAYS) {
    const firstDay = today - (days - 1)
    const { people, bots } = await readGroupTotals(tx, firstDay)
    windows.push({
      days,
      since: toIso(instant(firstDay * DAY_MS)),
      groups: [groupOf('people', people, codes), groupOf('bots', bots, codes)],
      sales: await soldOrders(tx, firstDay * DAY_MS, until),
      withdrawals: await withdrawalTimes(tx, firstDay * DAY_MS, until),
    })
  }
  return {
    computed_at: toIso(now),
    until: toIso(instant(until)),
    least_users: MIN_GROUP_USERS,
    expiries: await expiriesOnOffer(tx, until),
    windows,
    pending_withdrawals: await pendingWithdrawals(tx, until),
    queries: Object.entries(FIGURE_SQL).map(([figure, text]) => ({
      figure: figure as keyof typeof FIGURE_SQL,
      sql: text,
    })),
  }
}

async function symbolCodes(tx: Tx): Promise<ReadonlyMap<number, string>> {
  const rows = await tx.selectFrom('market_symbol').select(['id', 'code']).execute()
  return new Map(rows.map(({ id, code }) => [id, code]))
}

async function withdrawalTimes(tx: Tx, since: number, until: number): Promise<FairnessWindow['withdrawals']> {
  const { rows } = await sql
    .raw<{ decided: bigint; users: bigint; median_ms: bigint; p95_ms: bigint }>(sqlBetween('withdrawals', since, until))
    .execute(tx)
  const [row] = rows
  if (row === undefined || row.users < MIN_GROUP_USERS) return null
  return { decided: Number(row.decided), median_ms: Number(row.median_ms), p95_ms: Number(row.p95_ms) }
}

interface SoldOrders {
  readonly symbol: string
  readonly seconds: number
  readonly orders: bigint
  readonly stakes: bigint
  readonly paid: bigint
  readonly fee: bigint
  readonly at_expiry: bigint
}

async function soldOrders(tx: Tx, since: number, until: number): Promise<FairnessWindow['sales']> {
  const { rows } = await sql.raw<SoldOrders>(sqlBetween('sales', since, until)).execute(tx)
  return rows.map(({ symbol, seconds, orders, stakes, paid, fee, at_expiry: atExpiry }) => {
    const share = (amount: bigint) => percent(Number(amount) / Number(stakes))
    return { symbol, seconds, orders: Number(orders), paid: share(paid), fee: share(fee), at_expiry: share(atExpiry) }
  })
}

/**
 * Reads the figures of pending withdrawals. The page shows them for any number of users, because a waiting time does
 * not reveal who waits, and users need this figure.
 */
async function pendingWithdrawals(tx: Tx, until: number): Promise<Fairness['pending_withdrawals']> {
  const text = sqlBetween('pending', 0, until)
  const { rows } = await sql.raw<{ count: bigint; oldest_ms: bigint | null; late: bigint }>(text).execute(tx)
  const [row] = rows
  const oldest = row?.oldest_ms ?? null
  return {
    count: Number(row?.count ?? 0),
    oldest_ms: oldest === null ? null : Number(oldest),
    late: Number(row?.late ?? 0),
  }
}

async function expiriesOnOffer(tx: Tx, until: number): Promise<Fairness['expiries']> {
  const text = sqlBetween('expiries', 0, until)
  const { rows } = await sql.raw<{ seconds: number; profit_basis_points: number }>(text).execute(tx)
  return rows
    .map(({ seconds, profit_basis_points }) => ({ seconds, ...toPayoutReply(profit_basis_points) }))
    .toSorted((a, b) => a.seconds - b.seconds)
}
