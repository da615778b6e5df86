import { sql } from 'kysely'
import type { ProofMeasures } from '#contract/measures.ts'
import { MEASURE_KINDS } from '#core/accounts/measures.ts'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { readFairness } from '#server/proof/fairness/fairness.queries.ts'

const WINDOW_DAYS = 90

/**
 * Counts the users with measures. Whether a user was ahead was stored when the measure began, so orders are not read.
 */
export async function countMeasures(db: Db, now: Instant): Promise<ProofMeasures> {
  const since = now - WINDOW_DAYS * DAY_MS
  const { rows } = await sql<{ kind: string; accounts: number; accounts_90_days: number; ahead: number }>`
    select m.kind, count(distinct m.user_id) filter (where m.ended_ms is null)::int4 as accounts,
      count(distinct m.user_id)::int4 as accounts_90_days,
      count(distinct m.user_id) filter (where m.was_ahead)::int4 as ahead
    from user_measure m join app_user u on u.id = m.user_id
    where not u.is_bot and (m.ended_ms is null or m.ended_ms > ${since}::int8)
    group by m.kind`.execute(db)
  const counts = new Map(rows.map((row) => [row.kind, row]))
  const fairness = await readFairness(db)
  const people = fairness?.windows.find(({ days }) => days === WINDOW_DAYS)?.groups.find(({ who }) => who === 'people')
  const { users = null, ahead_users: ahead = null } = people ?? {}
  return {
    kinds: MEASURE_KINDS.map((kind) => {
      const { accounts = 0, accounts_90_days = 0, ahead: wereAhead = 0 } = counts.get(kind) ?? {}
      return { kind, accounts, accounts_90_days, ahead: wereAhead }
    }),
    all: users === null || ahead === null ? null : { users, ahead },
  }
}
