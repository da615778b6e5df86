import { sql } from 'kysely'
import type { Period } from '#server/platform/database/period.ts'
import { auditEntries } from '#server/audit/audit.queries.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface AuditFilters {
  readonly who: string | null
  readonly area: string | null
  readonly target: string | null
  readonly outcome: string | null
  readonly period: Period
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['a.at_ms', 'int8'],
    ['a.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists audit entries, newest first. */
export async function listAudit(db: Db, { who, area, target, outcome, period }: AuditFilters, page: Page) {
  const entries = auditEntries(db)
    .$if(who !== null, (all) => all.where(sql`lower(who)`, '=', who?.toLowerCase() ?? ''))
    .$if(area !== null, (all) => all.where(AREA, 'in', areaNames(area?.toLowerCase() ?? '')))
    .$if(target !== null, (all) => all.where('a.target', '=', target ?? ''))
    .$if(outcome !== null, (all) => all.where('a.outcome', '=', outcome ?? ''))
    .$if(period.from !== null, (all) => all.where('a.at_ms', '>=', BigInt(period.from ?? 0)))
    .$if(period.until !== null, (all) => all.where('a.at_ms', '<', BigInt(period.until ?? 0)))
  return await pageAfter(entries, NEWEST_FIRST, page).execute()
}

/**
 * The first part of the action's name: `deposits` for `deposits/:trx/approve` and for `deposits approve`. PostgreSQL
 * uses the index only for exactly this expression.
 */
const AREA = sql`split_part(translate(what, ' ', '/'), '/', 1)`

/** Names of actions by earlier releases, which do not begin with their area. */
const EARLIER_NAMES: ReadonlyMap<string, string> = new Map([
  ['countries', 'countries.save'],
  ['exposure', 'cap.save'],
])

function areaNames(area: string): string[] {
  const earlier = EARLIER_NAMES.get(area)
  return earlier === undefined ? [area] : [area, earlier]
}

export async function findAuditLine(db: Db, id: string) {
  return auditEntries(db).select(['a.staff_id', 'a.previous_hash', 'a.hash']).where('a.id', '=', id).executeTakeFirst()
}
