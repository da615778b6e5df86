import { sql } from 'kysely'
import type { Fairness, FairnessWindow } from '#contract/fairness.ts'
import { DAY_MS, instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { closedOrders } from '#server/fairness/closed-orders.queries.ts'
import { FIGURE_SQL, sqlBetween } from '#server/fairness/fairness-sql.ts'
import { addOrder, emptyTally, groupOf, LEAST_USERS, payoutOut } from '#server/fairness/order-tally.ts'

export const WINDOW_DAYS = [30, 90] as const
/** What was closed a moment ago may still be on its way to its commit. */
const SETTLED_FOR_MS = MINUTE_MS

interface Reading {
  /** Orders that are read at once. */
  readonly portion?: number
  /** Has its turn after each portion; what it throws ends the computation. */
  readonly between?: () => Promise<void>
}

/** Reads everything anew, in portions: what is shown never depends on what was shown before. */
export async function computeFairness(ctx: Ctx, { portion, between }: Reading = {}): Promise<Fairness> {
  const now = ctx.now()
  const until = now - SETTLED_FOR_MS
  const today = now - (now % DAY_MS)
  const tallies = WINDOW_DAYS.map((days) => ({
    days,
    since: today - (days - 1) * DAY_MS,
    people: emptyTally(),
    bots: emptyTally(),
  }))
  const bots = await findBots(ctx.db)
  const since = Math.min(...tallies.map((tally) => tally.since))
  for await (const orders of closedOrders(ctx.db, { since, until, ...(portion !== undefined && { portion }) })) {
    for (const order of orders) {
      for (const tally of tallies) {
        if (order.settledMs >= tally.since) addOrder(bots.has(order.userId) ? tally.bots : tally.people, order)
      }
    }
    await between?.()
  }
  const codes = await symbolCodes(ctx.db)
  const windows: FairnessWindow[] = []
  for (const tally of tallies) {
    windows.push({
      days: tally.days,
      since: toIso(instant(tally.since)),
      groups: [groupOf('people', tally.people, codes), groupOf('bots', tally.bots, codes)],
      withdrawals: await withdrawalTimes(ctx.db, tally.since, until),
    })
  }
  return {
    computed_at: toIso(now),
    until: toIso(instant(until)),
    least_users: LEAST_USERS,
    expiries: await expiriesOnOffer(ctx.db, until),
    windows,
    pending_withdrawals: await pendingWithdrawals(ctx.db, until),
    queries: Object.entries(FIGURE_SQL).map(([figure, text]) => ({
      figure: figure as keyof typeof FIGURE_SQL,
      sql: text,
    })),
  }
}

async function findBots(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('app_user').select('id').where('is_bot', '=', true).execute()
  return new Set(rows.map(({ id }) => id))
}

async function symbolCodes(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('market_symbol').select(['id', 'code']).execute()
  return new Map(rows.map(({ id, code }) => [id, code]))
}

async function withdrawalTimes(db: Db, since: number, until: number): Promise<FairnessWindow['withdrawals']> {
  const { rows } = await sql
    .raw<{ decided: bigint; users: bigint; median_ms: bigint; p95_ms: bigint }>(sqlBetween('withdrawals', since, until))
    .execute(db)
  const [row] = rows
  if (row === undefined || row.users < LEAST_USERS) return null
  return { decided: Number(row.decided), median_ms: Number(row.median_ms), p95_ms: Number(row.p95_ms) }
}

/** However few they are: that somebody waits tells nothing of who it is, and this is the figure they need. */
async function pendingWithdrawals(db: Db, until: number): Promise<Fairness['pending_withdrawals']> {
  const text = sqlBetween('pending', 0, until)
  const { rows } = await sql.raw<{ count: bigint; oldest_ms: bigint | null }>(text).execute(db)
  const [row] = rows
  const oldest = row?.oldest_ms ?? null
  return { count: Number(row?.count ?? 0), oldest_ms: oldest === null ? null : Number(oldest) }
}

async function expiriesOnOffer(db: Db, until: number): Promise<Fairness['expiries']> {
  const text = sqlBetween('expiries', 0, until)
  const { rows } = await sql.raw<{ seconds: number; profit_basis_points: number }>(text).execute(db)
  return rows
    .map(({ seconds, profit_basis_points }) => ({ seconds, ...payoutOut(profit_basis_points) }))
    .toSorted((a, b) => a.seconds - b.seconds)
}
