import { sql } from 'kysely'
import { makeEntry } from '#core/register/entry.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { GatheredEntry } from '#server/register/close-minute.ts'
import { newestDayOfStaff, newestEntry } from '#server/register/register.queries.ts'

/**
 * Publishes each day how many staff members logged in, and how many changes of each kind staff made. The entry has no
 * names.
 */
export async function gatherStaff(tx: Tx, nowMs: number): Promise<readonly GatheredEntry[]> {
  const since = (await newestDayOfStaff(tx)) ?? (await newestEntry(tx, 'genesis'))?.atMs ?? nowMs
  if (nowMs - since < DAY_MS) return []
  const { rows } = await sql<{ what: string; count: number; people: number }>`
    select what, count(*)::int4 as count, count(distinct staff_id)::int4 as people from admin_action
    where at_ms >= ${since}::int8 and at_ms < ${nowMs}::int8 and outcome = 'done'
    group by what order by what collate "C"`.execute(tx)
  const loggedIn = rows.find(({ what }) => what === 'sign-in')?.people ?? 0
  const changes = rows.filter(({ what }) => !what.startsWith('sign-'))
  return [
    makeEntry('act', {
      what: 'staff_day',
      asked_ms: since,
      applies_ms: nowMs,
      signed_in: loggedIn,
      changes: Object.fromEntries(changes.map(({ what, count }) => [what, count])),
    }),
  ]
}
