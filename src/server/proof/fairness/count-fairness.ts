import { sql } from 'kysely'
import { DAY_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closeDay, countByDay, type DayCount } from '#server/platform/jobs/daily-rollup.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { addOrderEnds } from '#server/proof/voids/order-ends.queries.ts'
import { MIN_GROUP_USERS } from '#server/proof/fairness/group-figures.ts'

/** The figures cover this many days, including today. */
export const WINDOW_DAYS = [30, 90] as const
const RETENTION_DAYS = Math.max(...WINDOW_DAYS)

const TOTALS = ['fairness_line', 'fairness_user', 'fairness_time', 'order_end_day'] as const
/** Orders per transaction. A transaction of this size does not delay other work on the database noticeably. */
const PORTION = 50_000

/** Adds the next `portion` orders to the totals of their days. Returns whether more orders are ready. */
export function countFairness(ctx: Ctx, portion = PORTION): Promise<boolean> {
  return countByDay(ctx, CLOSED_ORDERS, portion)
}

/** Recounts one finished day from its orders. Each call recounts the next finished day that was not recounted yet. */
export function closeFairnessDay(ctx: Ctx): Promise<void> {
  return closeDay(ctx, CLOSED_ORDERS)
}

/** Returns the instant up to which orders are counted: every order closed before it, and none after. */
export async function readCountedUntil(tx: Tx): Promise<number> {
  const mark = await tx
    .selectFrom('day_total_mark')
    .select('counted_until_ms')
    .where('source', '=', CLOSED_ORDERS.name)
    .executeTakeFirstOrThrow()
  return Number(mark.counted_until_ms)
}

/** Deletes totals of days that no figure covers any longer. */
export async function forgetOldDays(db: Db, now: number): Promise<void> {
  await forgetDays(db, '<', firstDay(now))
}

const firstDay = (now: number) => Math.floor(now / DAY_MS) - (RETENTION_DAYS - 1)

const DAY = sql.raw(String(DAY_MS))
/** Removes duplicates from an array of users and cuts it to the size that the privacy rule needs. */
const enough = (users: string) => sql`array(
  select distinct id from unnest(${sql.raw(users)}) as id limit ${sql.lit(MIN_GROUP_USERS)})`

const CLOSED_ORDERS: DayCount = {
  name: 'fairness',
  rows: sql`from order_history where result <> 5 and not is_practice(user_id)`,
  time: sql.ref('settled_ms'),
  firstMs: (now) => firstDay(now) * DAY_MS,
  add: async (tx, from, until) => {
    await addLines(tx, from, until)
    await addUsers(tx, from, until)
    await addTimes(tx, from, until)
    await addOrderEnds(tx, from, until)
  },
  counted: (day) => sql`select sum(wins + losses + draws + voids)::int8 from fairness_line where day = ${day}::int4`,
  forget: (tx, day) => forgetDays(tx, '=', day),
}

async function forgetDays(db: Db, which: '<' | '=', day: number): Promise<void> {
  for (const table of TOTALS) await db.deleteFrom(table).where('day', which, day).execute()
}

/**
 * Selects the orders of money that closed in a period. There are few bots, so testing each user against the list of bots costs
 * half as much as joining all users.
 */
const closedBetween = (from: number, until: number) => sql`(
  select (settled_ms / ${DAY})::int4 as day, user_id in (select id from app_user where is_bot) as is_bot, user_id, symbol_id,
    seconds, profit_basis_points, result, result_amount, received_ms, opened_ms - received_ms as accepted_in,
    settled_ms - expires_ms as late
  from order_history where settled_ms >= ${from}::int8 and settled_ms < ${until}::int8 and not is_practice(user_id)
) as closed`

async function addLines(tx: Tx, from: number, until: number): Promise<void> {
  await sql`
    insert into fairness_line as l
      (day, is_bot, symbol_id, seconds, profit_basis_points, wins, losses, draws, voids, some_users)
    select day, is_bot, symbol_id, seconds, profit_basis_points, wins, losses, draws, voids, ${enough('users')}
    from (
      select day, is_bot, symbol_id, seconds, profit_basis_points,
        count(*) filter (where result = 1) as wins,
        count(*) filter (where result = 2) as losses,
        count(*) filter (where result = 3) as draws,
        count(*) filter (where result = 4) as voids,
        array_agg(user_id) as users
      from ${closedBetween(from, until)} where result <> 5 group by 1, 2, 3, 4, 5
    ) as counted
    on conflict (day, is_bot, symbol_id, seconds, profit_basis_points) do update set wins = l.wins + excluded.wins,
      losses = l.losses + excluded.losses, draws = l.draws + excluded.draws, voids = l.voids + excluded.voids,
      some_users = ${enough('l.some_users || excluded.some_users')}`.execute(tx)
}

async function addUsers(tx: Tx, from: number, until: number): Promise<void> {
  await sql`
    insert into fairness_user as f (day, user_id, is_bot, result, timed)
    select day, user_id, is_bot, sum(result_amount)::int8, count(received_ms) filter (where result <> 5)
    from ${closedBetween(from, until)} group by 1, 2, 3
    on conflict (day, user_id) do update set result = f.result + excluded.result,
      timed = f.timed + excluded.timed`.execute(tx)
}

async function addTimes(tx: Tx, from: number, until: number): Promise<void> {
  for (const [kind, time] of [
    ['acceptance', 'accepted_in'],
    ['lateness', 'late'],
  ] as const) {
    await sql`
      insert into fairness_time as f (day, is_bot, kind, ms, count)
      select day, is_bot, ${kind}, ${sql.ref(time)}, count(*)
      from ${closedBetween(from, until)} where ${sql.ref(time)} is not null and result <> 5 group by day, is_bot, ${sql.ref(time)}
      on conflict (day, is_bot, kind, ms) do update set count = f.count + excluded.count`.execute(tx)
  }
}
