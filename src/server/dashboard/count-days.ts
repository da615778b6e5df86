import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { assert } from '#core/result.ts'
import type { Ctx } from '#server/context.ts'
import { KINDS_OF, type Source, SOURCE_SQL, SOURCES } from '#server/dashboard/day-total-sources.ts'
import type { Tx } from '#server/db/tables.ts'
import { repeat } from '#server/repeat.ts'

/** Rows of the last minute are not counted yet: one with an earlier time may still be on its way to its commit. */
export const COUNT_AFTER_MS = MINUTE_MS
/** A day is compared with its rows once more when it has been over for so long; then it is closed. */
export const CLOSE_AFTER_MS = HOUR_MS
/** Rows in one transaction, so that a first start with years of orders holds nobody up. */
const PORTION = 20_000
const COUNT_EVERY_MS = 15_000

interface Mark {
  /** Everything before this instant is in the totals, nothing from it on. */
  readonly countedUntil: number
  /** Days before this one are closed. */
  readonly closedUntil: number
}

/**
 * Keeps a total of each day, so that the dashboard never counts what was counted before. Total and mark move in one
 * transaction: wherever it is cut off or started again, each row is counted once. The answer stops it.
 */
export function countDays(ctx: Ctx): () => Promise<void> {
  let isBehind = true
  return repeat(ctx, {
    pauseMs: () => (isBehind ? 50 : COUNT_EVERY_MS),
    run: async () => {
      isBehind = await countOnce(ctx)
    },
    failure: 'the totals of the days could not be counted',
  })
}

/** One portion of each source. Answers whether there is more to be counted already. */
export async function countOnce(ctx: Ctx, portion = PORTION): Promise<boolean> {
  let isBehind = false
  for (const source of SOURCES) {
    const isDone = await ctx.db.transaction().execute((tx) => countPortion(ctx, tx, { source, portion }))
    if (!isDone) isBehind = true
    else await ctx.db.transaction().execute((tx) => closeDay(ctx, tx, source))
  }
  return isBehind
}

async function countPortion(
  ctx: Ctx,
  tx: Tx,
  { source, portion }: { readonly source: Source; readonly portion: number },
): Promise<boolean> {
  const horizon = ctx.now() - COUNT_AFTER_MS
  const { countedUntil: from } = await lockMark(ctx, tx, source)
  if (from >= horizon) return true
  const { rows, time, totals } = SOURCE_SQL[source]
  const ahead = await sql<{ time: bigint }>`
    select ${time} as time ${rows} and ${time} >= ${from}::int8 and ${time} < ${horizon}::int8
    order by ${time} limit 1 offset ${portion}`.execute(tx)
  const next = ahead.rows[0]
  // All rows of one millisecond go together, however many they are.
  const until = next === undefined ? horizon : Math.max(Number(next.time), from + 1)
  await sql`
    insert into day_total (day, kind, is_bot, count, amount, result) ${totals(from, until)}
    on conflict (day, kind, is_bot) do update set count = day_total.count + excluded.count,
      amount = day_total.amount + excluded.amount, result = day_total.result + excluded.result`.execute(tx)
  await tx.updateTable('day_total_mark').set({ counted_until_ms: until }).where('source', '=', source).execute()
  return next === undefined
}

/** Compares the first open day with its rows, once it has been over for long enough, and counts it anew if it differs. */
async function closeDay(ctx: Ctx, tx: Tx, source: Source): Promise<void> {
  const { closedUntil: from, countedUntil } = await lockMark(ctx, tx, source)
  const until = from + DAY_MS
  if (ctx.now() < until + CLOSE_AFTER_MS || countedUntil < until) return
  const day = from / DAY_MS
  const { rows, time, totals } = SOURCE_SQL[source]
  const found = await sql<{ rows: bigint; counted: bigint }>`
    select (select count(*) ${rows} and ${time} >= ${from}::int8 and ${time} < ${until}::int8) as rows,
      coalesce((select sum(count)::int8 from day_total
        where day = ${day}::int4 and kind in (${sql.join(KINDS_OF[source])})), 0) as counted`.execute(tx)
  const [both] = found.rows
  assert(both, 'two counts are one row')
  if (both.rows !== both.counted) {
    ctx.log.warn({ source, day, ...both }, 'a day was counted anew')
    await tx
      .deleteFrom('day_total')
      .where('day', '=', day)
      .where('kind', 'in', [...KINDS_OF[source]])
      .execute()
    await sql`insert into day_total (day, kind, is_bot, count, amount, result) ${totals(from, until)}`.execute(tx)
  }
  await tx.updateTable('day_total_mark').set({ closed_until_ms: until }).where('source', '=', source).execute()
}

/** Made at the first start: what lies before today then is long committed, so its days are closed as they are counted. */
async function lockMark(ctx: Ctx, tx: Tx, source: Source): Promise<Mark> {
  const now = ctx.now()
  await tx
    .insertInto('day_total_mark')
    .values({ source, counted_until_ms: 0, closed_until_ms: now - (now % DAY_MS) - DAY_MS })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const mark = await tx
    .selectFrom('day_total_mark')
    .select(['counted_until_ms', 'closed_until_ms'])
    .where('source', '=', source)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { countedUntil: Number(mark.counted_until_ms), closedUntil: Number(mark.closed_until_ms) }
}
