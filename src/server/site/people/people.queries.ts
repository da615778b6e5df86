import { sql } from 'kysely'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { CURRENT_LOG } from '#server/register/register.queries.ts'

/** Lists the acts in the register whose index is below `before`, newest first. */
export async function listActs(
  db: Db,
  before: number | null,
  limit: number,
): Promise<{ readonly index: number; readonly text: string }[]> {
  const rows = await db
    .selectFrom('register_entry')
    .select(['index', 'text'])
    .where('log', '=', CURRENT_LOG)
    .where('kind', '=', 'act')
    .$if(before !== null, (all) => all.where('index', '<', BigInt(before ?? 0)))
    .orderBy('index', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ index, text }) => ({ index: Number(index), text }))
}

/**
 * Counts the decisions since an instant that carry a mark: two approvers at the same place, two approvers of whom one
 * admitted the other, or one staff member alone after a wait.
 */
export async function countMarks(
  db: Db,
  since: Instant,
): Promise<{ readonly samePlace: number; readonly admitted: number; readonly oneOperator: number }> {
  const { rows } = await sql<{ same_place: bigint; admitted: bigint; one_operator: bigint }>`
    select count(*) filter (where mark like '%same_place')::int8 as same_place,
      count(*) filter (where mark like 'admitted%')::int8 as admitted,
      count(*) filter (where mark = 'one_operator')::int8 as one_operator
    from (
      select mark from approval where at_ms > ${since}::int8 and mark <> ''
      union all
      select mark from pending_change where second_ms > ${since}::int8 and mark <> ''
    ) marked`.execute(db)
  const [row] = rows
  return {
    samePlace: Number(row?.same_place ?? 0),
    admitted: Number(row?.admitted ?? 0),
    oneOperator: Number(row?.one_operator ?? 0),
  }
}
