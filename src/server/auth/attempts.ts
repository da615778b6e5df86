import { sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'

export interface AttemptRule {
  /** Tries in one window; the last one allowed locks the key. */
  readonly limit: number
  readonly windowMs: number
  readonly lockMs: number
}

/**
 * Takes one try of `key`; answers 0 when it may go on, else the seconds until the lock opens. One atomic statement
 * counts and decides, so of twenty tries at the same moment exactly `limit` go on, on any number of nodes. A try counts before
 * it is known to be right; `forgiveAttempts` or `giveBackAttempt` takes that back.
 */
export async function takeAttempt(ctx: Ctx, key: string, rule: AttemptRule): Promise<number> {
  const now = ctx.now()
  // A lock that has run out ends its window too.
  const isOver = sql<boolean>`(a.window_start_ms + ${rule.windowMs}::int8 <= ${now}::int8 or a.locked_until_ms > 0)`
  const count = sql<number>`(case when ${isOver} then 1 else a.count + 1 end)`
  const { rows } = await sql<{ count: number }>`
    insert into attempt as a (key, count, window_start_ms, locked_until_ms)
    values (${key}, 1, ${now}, ${rule.limit <= 1 ? now + rule.lockMs : 0})
    on conflict (key) do update set
      count = ${count},
      window_start_ms = case when ${isOver} then ${now}::int8 else a.window_start_ms end,
      locked_until_ms = case when ${count} >= ${rule.limit}::int4 then ${now + rule.lockMs}::int8 else 0 end
    where a.locked_until_ms <= ${now}::int8
    returning a.count`.execute(ctx.db)
  if (rows.length > 0) return 0
  return Math.max(1, await secondsLocked(ctx, key))
}

/** How many seconds `key` is still locked; takes no try. */
export async function secondsLocked(ctx: Ctx, key: string): Promise<number> {
  const row = await ctx.db.selectFrom('attempt').select('locked_until_ms').where('key', '=', key).executeTakeFirst()
  return row ? Math.max(0, Math.ceil((Number(row.locked_until_ms) - ctx.now()) / SECOND_MS)) : 0
}

/** The right answer was given: the count starts anew. */
export async function forgiveAttempts(ctx: Ctx, key: string): Promise<void> {
  await ctx.db.deleteFrom('attempt').where('key', '=', key).execute()
}

/** One try was no failure: it does not count, the others still do. */
export async function giveBackAttempt(ctx: Ctx, key: string): Promise<void> {
  await ctx.db
    .updateTable('attempt')
    .set({ count: sql`greatest(count - 1, 0)`, locked_until_ms: 0 })
    .where('key', '=', key)
    .execute()
}
