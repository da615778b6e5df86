import { sql } from 'kysely'
import type { SettledFacts } from '#core/orders/order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { toSettledFacts } from '#server/trading/engine/settled-facts.ts'

/** An expiry whose orders were void and whose source keeps no public record. */
export interface VoidExpiry {
  readonly symbolId: number
  readonly source: string
  readonly expiresAt: Instant
}

/**
 * How the orders of a void expiry would have ended by the first later price, and how much users missed and saved. Such
 * a row is called a stand.
 */
export interface VoidStand extends VoidExpiry {
  readonly wouldWin: number
  readonly wouldLose: number
  readonly wouldDraw: number
  readonly missedByUsers: bigint
  readonly savedByUsers: bigint
  readonly firstAfterQ: number
}

/** Lists void expiries without a stand, oldest first. Leaves out an expiry that still has open orders. */
export async function listVoidExpiries(db: Db, limit: number): Promise<VoidExpiry[]> {
  const { rows } = await sql<{ symbol_id: number; source: string; expires_ms: bigint }>`
    select distinct d.expires_ms, d.symbol_id, d.source from decided_price d
    where d.void_reason is not null and d.evidence = 'none'
      and not exists (select from void_stand v
        where v.symbol_id = d.symbol_id and v.expires_ms = d.expires_ms and v.source = d.source)
      and not exists (select from open_order o
        where o.symbol_id = d.symbol_id and o.expires_ms = d.expires_ms and o.entry_source = d.source)
    order by d.expires_ms, d.symbol_id, d.source limit ${limit}`.execute(db)
  return rows.map((row) => ({ symbolId: row.symbol_id, source: row.source, expiresAt: instant(row.expires_ms) }))
}

/** Lists the void orders of an expiry, without practice orders. */
export async function listVoidOrders(db: Db, { symbolId, source, expiresAt }: VoidExpiry): Promise<SettledFacts[]> {
  const rows = await db
    .selectFrom('order_history')
    .select(['rule_version', 'direction', 'stake', 'profit_basis_points', 'entry_price', 'expires_ms'])
    .where('symbol_id', '=', symbolId)
    .where('expires_ms', '=', BigInt(expiresAt))
    .where('void_reason', 'is not', null)
    .where('entry_source', '=', source)
    .where('evidence', '=', 'none')
    .where(sql<boolean>`not is_practice(user_id)`)
    .execute()
  return rows.map(toSettledFacts)
}

/** Stores a stand. If the expiry already has one, that stand stays unchanged. */
export async function insertVoidStand(db: Db, stand: VoidStand): Promise<void> {
  await db
    .insertInto('void_stand')
    .values({
      symbol_id: stand.symbolId,
      source: stand.source,
      expires_ms: stand.expiresAt,
      would_win: stand.wouldWin,
      would_lose: stand.wouldLose,
      would_draw: stand.wouldDraw,
      missed_by_users: stand.missedByUsers,
      kept_by_users: stand.savedByUsers,
      first_after_q: stand.firstAfterQ,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The sums over all stands whose expiry was at or after an instant. */
export interface StandTotals {
  readonly wouldWin: number
  readonly wouldLose: number
  readonly wouldDraw: number
  readonly missedByUsers: bigint
  readonly savedByUsers: bigint
  /** The number of expiries whose void cost users more than it saved them. `againstSite` counts the opposite case. */
  readonly againstUsers: number
  readonly againstSite: number
}

/** Sums up the stands of all symbols, or of one. */
export async function sumVoidStands(db: Db, since: Instant, symbolId: number | null = null): Promise<StandTotals> {
  const { rows } = await sql<{
    would_win: bigint
    would_lose: bigint
    would_draw: bigint
    missed: bigint
    kept: bigint
    against_users: bigint
    against_site: bigint
  }>`
    select coalesce(sum(would_win), 0)::int8 as would_win, coalesce(sum(would_lose), 0)::int8 as would_lose,
      coalesce(sum(would_draw), 0)::int8 as would_draw,
      coalesce(sum(missed_by_users), 0)::int8 as missed, coalesce(sum(kept_by_users), 0)::int8 as kept,
      count(*) filter (where missed_by_users > kept_by_users) as against_users,
      count(*) filter (where missed_by_users < kept_by_users) as against_site
    from void_stand
    where expires_ms >= ${since}::int8 and (${symbolId}::int4 is null or symbol_id = ${symbolId}::int4)`.execute(db)
  const [row] = rows
  return {
    wouldWin: Number(row?.would_win ?? 0),
    wouldLose: Number(row?.would_lose ?? 0),
    wouldDraw: Number(row?.would_draw ?? 0),
    missedByUsers: row?.missed ?? 0n,
    savedByUsers: row?.kept ?? 0n,
    againstUsers: Number(row?.against_users ?? 0),
    againstSite: Number(row?.against_site ?? 0),
  }
}
