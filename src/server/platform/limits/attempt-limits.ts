import { sql } from 'kysely'
import { later, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  ATTEMPT_LIMITS,
  type AttemptLimitName,
  counterLifetimeMs,
} from '#server/platform/limits/attempt-limit-table.ts'

/** One counter: a limit, and the key it counts for. */
export interface Attempt {
  readonly limit: AttemptLimitName
  readonly key: string
  /** A configured maximum that replaces the maximum of `ATTEMPT_LIMITS`. */
  readonly max?: number | undefined
}

/**
 * Counts one attempt. Returns 0 when it may proceed, else the seconds until the lock opens. One atomic statement counts
 * and decides, so of twenty concurrent attempts exactly the maximum proceed, on any number of servers. An attempt
 * counts before its result is known. `clearAttempts` or `refundAttempt` undoes the count.
 */
export async function consumeAttempt(ctx: Ctx, attempt: Attempt): Promise<number> {
  const { windowMs, lockMs, max: tableMax } = ATTEMPT_LIMITS[attempt.limit]
  const max = attempt.max ?? tableMax
  const now = ctx.now()
  // An expired lock ends its window too.
  const isOver = sql<boolean>`(a.window_start_ms + ${windowMs}::int8 <= ${now}::int8 or a.locked_until_ms > 0)`
  const count = sql<number>`(case when ${isOver} then 1 else a.count + 1 end)`
  const { rows } = await sql<{ count: number }>`
    insert into attempt as a (key, count, window_start_ms, locked_until_ms)
    values (${keyOf(attempt)}, 1, ${now}, ${max <= 1 ? now + lockMs : 0})
    on conflict (key) do update set
      count = ${count},
      window_start_ms = case when ${isOver} then ${now}::int8 else a.window_start_ms end,
      locked_until_ms = case when ${count} >= ${max}::int4 then ${now + lockMs}::int8 else 0 end
    where a.locked_until_ms <= ${now}::int8
    returning a.count`.execute(ctx.db)
  if (rows.length > 0) return 0
  return Math.max(1, await lockedForSeconds(ctx, attempt))
}

/**
 * Counts the attempts in order until one of them is locked. Returns the seconds of its lock, or 0. Earlier attempts
 * stay counted.
 */
export async function consumeAttempts(ctx: Ctx, attempts: readonly Attempt[]): Promise<number> {
  for (const attempt of attempts) {
    const wait = await consumeAttempt(ctx, attempt)
    if (wait > 0) return wait
  }
  return 0
}

/** How many seconds the counter is still locked. Counts no attempt. */
async function lockedForSeconds(ctx: Ctx, attempt: Attempt): Promise<number> {
  const row = await ctx.db
    .selectFrom('attempt')
    .select('locked_until_ms')
    .where('key', '=', keyOf(attempt))
    .executeTakeFirst()
  return row ? Math.max(0, Math.ceil((Number(row.locked_until_ms) - ctx.now()) / SECOND_MS)) : 0
}

/** Clears a counter after a correct attempt. */
export async function clearAttempts(ctx: Ctx, attempt: Attempt): Promise<void> {
  await ctx.db.deleteFrom('attempt').where('key', '=', keyOf(attempt)).execute()
}

/** Undoes one attempt that was not a failure. The other attempts remain counted. */
export async function refundAttempt(ctx: Ctx, attempt: Attempt): Promise<void> {
  await ctx.db
    .updateTable('attempt')
    .set({ count: sql`greatest(count - 1, 0)`, locked_until_ms: 0 })
    .where('key', '=', keyOf(attempt))
    .execute()
}

/** Runs a check whose attempts were counted. An error decides nothing about them, so it undoes the attempts. */
export async function refundedOnError<T>(ctx: Ctx, attempts: readonly Attempt[], check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    for (const attempt of attempts) await refundAttempt(ctx, attempt)
    throw error
  }
}

/** Applies the table's rule for a correct attempt to each counter. */
export async function attemptsWereRight(ctx: Ctx, attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    const { whenRight } = ATTEMPT_LIMITS[attempt.limit]
    if (whenRight === 'cleared') await clearAttempts(ctx, attempt)
    else if (whenRight === 'given back') await refundAttempt(ctx, attempt)
  }
}

/** Deletes counters whose window and lock are over. For counters of removed limits the longest time applies. */
export async function deleteOldAttempts(ctx: Ctx): Promise<void> {
  const namesByLifetime = new Map<number, string[]>()
  for (const [name, limit] of Object.entries(ATTEMPT_LIMITS)) {
    namesByLifetime.set(counterLifetimeMs(limit), [...(namesByLifetime.get(counterLifetimeMs(limit)) ?? []), name])
  }
  const limitOf = sql<string>`split_part(key, ':', 1)`
  for (const [ms, names] of namesByLifetime) {
    await ctx.db
      .deleteFrom('attempt')
      .where(limitOf, 'in', names)
      .where('window_start_ms', '<=', BigInt(later(ctx.now(), -ms)))
      .execute()
  }
  await ctx.db
    .deleteFrom('attempt')
    .where(limitOf, 'not in', [...namesByLifetime.values()].flat())
    .where('window_start_ms', '<=', BigInt(later(ctx.now(), -Math.max(...namesByLifetime.keys()))))
    .execute()
}

function keyOf({ limit, key }: Attempt): string {
  return `${limit}:${key}`
}
