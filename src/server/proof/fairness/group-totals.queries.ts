import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Distribution } from '#server/proof/fairness/distribution.ts'
import type { GroupTotals, Line } from '#server/proof/fairness/group-figures.ts'

/**
 * Reads the totals of the orders closed on or after `firstDay` (days since 1970, UTC), separately for users and bots.
 */
export async function readGroupTotals(tx: Tx, firstDay: number): Promise<{ people: GroupTotals; bots: GroupTotals }> {
  const lines = await readLines(tx, firstDay)
  const users = await readUsers(tx, firstDay)
  const times = await readTimes(tx, firstDay)
  const of = (isBot: boolean): GroupTotals => {
    const counts = users.find((one) => one.isBot === isBot)
    const taking = (kind: string): Distribution =>
      new Map(times.filter((one) => one.isBot === isBot && one.kind === kind).map(({ ms, count }) => [ms, count]))
    return {
      lines: lines.filter((one) => one.isBot === isBot),
      users: counts?.users ?? 0,
      losingUsers: counts?.losing ?? 0,
      winningUsers: counts?.winning ?? 0,
      timedUsers: counts?.timed ?? 0,
      lateness: taking('lateness'),
      acceptance: taking('acceptance'),
    }
  }
  return { people: of(false), bots: of(true) }
}

async function readLines(tx: Tx, firstDay: number): Promise<(Line & { readonly isBot: boolean })[]> {
  const { rows } = await sql<Line & { isBot: boolean }>`
    select is_bot as "isBot", symbol_id as "symbolId", seconds, profit_basis_points as "profitBasisPoints", wins, losses,
      draws, voids, users as "someUsers"
    from (
      select is_bot, symbol_id, seconds, profit_basis_points, sum(wins)::float8 as wins, sum(losses)::float8 as losses,
        sum(draws)::float8 as draws, sum(voids)::float8 as voids
      from fairness_line where day >= ${firstDay}::int4 group by 1, 2, 3, 4
    ) as counts join (
      select is_bot, symbol_id, seconds, profit_basis_points, array_agg(distinct id)::text[] as users
      from fairness_line cross join unnest(some_users) as id where day >= ${firstDay}::int4 group by 1, 2, 3, 4
    ) as people using (is_bot, symbol_id, seconds, profit_basis_points)`.execute(tx)
  return rows
}

interface UserCounts {
  readonly isBot: boolean
  readonly users: number
  readonly losing: number
  readonly winning: number
  readonly timed: number
}

async function readUsers(tx: Tx, firstDay: number): Promise<UserCounts[]> {
  const { rows } = await sql<UserCounts>`
    select is_bot as "isBot", count(*)::float8 as users, (count(*) filter (where result < 0))::float8 as losing,
      (count(*) filter (where result > 0))::float8 as winning,
      (count(*) filter (where timed > 0))::float8 as timed
    from (
      select is_bot, user_id, sum(result) as result, sum(timed) as timed
      from fairness_user where day >= ${firstDay}::int4 group by 1, 2
    ) as users group by 1`.execute(tx)
  return rows
}

interface TimeCount {
  readonly isBot: boolean
  readonly kind: string
  readonly ms: number
  readonly count: number
}

async function readTimes(tx: Tx, firstDay: number): Promise<TimeCount[]> {
  const { rows } = await sql<TimeCount>`
    select is_bot as "isBot", kind, ms::float8 as ms, sum(count)::float8 as count
    from fairness_time where day >= ${firstDay}::int4 group by 1, 2, 3`.execute(tx)
  return rows
}
