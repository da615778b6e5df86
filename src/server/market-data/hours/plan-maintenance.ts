import { sql } from 'kysely'
import { MAINTENANCE_NOTICE_MS, type Maintenance } from '#core/markets/maintenance.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

const MAX_LENGTH_MS = 7 * DAY_MS
const FURTHEST_MS = 31 * DAY_MS
const TARGET = 'maintenance'
/** An arbitrary lock number. The lock makes concurrent announcements run one after another. */
const LOCK = 7_204_119

type PlanRefusal = 'maintenance_too_soon' | 'maintenance_overlaps' | 'closure_ends_first' | 'maintenance_too_long'

/**
 * Plans a pause of trading. From now on, no new order may expire after the pause begins, so all orders are settled when
 * it begins.
 */
export async function planMaintenance(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { from, to, words, actor }: Maintenance & { readonly to: Instant; readonly actor: Actor },
): Promise<Result<{ readonly id: string }, PlanRefusal>> {
  const now = ctx.now()
  if (from < now + MAINTENANCE_NOTICE_MS) return refuse('maintenance_too_soon')
  if (to <= from) return refuse('closure_ends_first')
  if (to - from > MAX_LENGTH_MS || from - now > FURTHEST_MS) return refuse('maintenance_too_long')
  return announce(ctx, catalogue, { from, to, words, actor })
}

/** Stops new orders at once, until staff resume trading. Open orders settle as usual. */
export async function pauseTrading(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { words, actor }: { readonly words: string; readonly actor: Actor },
): Promise<Result<{ readonly id: string }, 'maintenance_overlaps'>> {
  return announce(ctx, catalogue, { from: ctx.now(), to: null, words, actor })
}

async function announce(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { from, to, words, actor }: Maintenance & { readonly actor: Actor },
): Promise<Result<{ readonly id: string }, 'maintenance_overlaps'>> {
  const id = ctx.newId()
  const now = ctx.now()
  const announced = await ctx.db.transaction().execute(async (tx) => {
    // Two concurrent announcements must not overlap. The rows that could overlap may not exist yet, so an advisory lock
    // is taken.
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
    if (await overlaps(tx, { from, to })) return refuse('maintenance_overlaps')
    const row = { id, from_ms: from, to_ms: to, words, who: actor.who, announced_ms: to === null ? from : now }
    await tx.insertInto('maintenance').values(row).execute()
    await recordAction(tx, ctx, actor, { target: TARGET, reason: words, outcome: 'done', after: { id, from, to } })
    return ok({ id })
  })
  if (announced.ok) await publish(ctx, catalogue)
  return announced
}

/** Cancels a planned maintenance. Ends a running maintenance or a pause immediately. */
export async function endMaintenance(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<Result<null, 'not_found' | 'maintenance_over'>> {
  const result = await ctx.db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('maintenance').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) return refuse('not_found')
    const now = ctx.now()
    if (row.ended_ms !== null || (row.to_ms !== null && row.to_ms <= BigInt(now))) return refuse('maintenance_over')
    await tx.updateTable('maintenance').set({ ended_ms: now }).where('id', '=', id).execute()
    const before = { id, from: instant(row.from_ms), to: row.to_ms === null ? null : instant(row.to_ms) }
    await recordAction(tx, ctx, actor, { target: TARGET, outcome: 'done', before, after: { id, ended: now } })
    return ok(null)
  })
  if (result.ok) await publish(ctx, catalogue)
  return result
}

async function overlaps(tx: Tx, { from, to }: Pick<Maintenance, 'from' | 'to'>): Promise<boolean> {
  const rows = await tx
    .selectFrom('maintenance')
    .select('id')
    .where('ended_ms', 'is', null)
    .where((by) => by.or([by('to_ms', 'is', null), by('to_ms', '>', BigInt(from))]))
    .$if(to !== null, (query) => query.where('from_ms', '<', BigInt(to ?? from)))
    // A pause that begins now does not conflict with maintenance that is planned for later.
    .$if(to === null, (query) => query.where('from_ms', '<=', BigInt(from)))
    .limit(1)
    .execute()
  return rows.length > 0
}

async function publish(ctx: Ctx, catalogue: MarketCatalogue): Promise<void> {
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
}
