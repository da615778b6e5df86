import { sql } from 'kysely'
import type { Cursor } from '#server/back-office/cursor.ts'
import type { Db } from '#server/db/tables.ts'
import { PENDING, type DepositStatus } from '#server/deposits/deposits.queries.ts'
import { type ReviewedDeposit, reviewed, toReviewed } from '#server/deposits/operator.queries.ts'

export interface DepositFilters {
  readonly status: DepositStatus | null
  /** The start of a reference, or a username as it is. */
  readonly search: string | null
}

/**
 * Deposits by the time they were asked for: those that wait, the longest first; all others newest first. `after` holds
 * time and id of the last one read.
 */
export async function listStaffDeposits(
  db: Db,
  { status, search }: DepositFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<ReviewedDeposit[]> {
  const isQueue = status === PENDING
  const rows = await reviewed(db)
    .$if(status !== null, (all) => all.where('d.status', '=', Number(status)))
    .$if(search !== null, (all) => all.where(matching(search ?? '')))
    .$if(after !== null, (all) => {
      const [time, id] = after ?? []
      const place = sql`(${Number(time)}::int8, ${String(id)}::uuid)`
      return all.where(sql<boolean>`(d.created_ms, d.id) ${isQueue ? sql`>` : sql`<`} ${place}`)
    })
    .orderBy('d.created_ms', isQueue ? 'asc' : 'desc')
    .orderBy('d.id', isQueue ? 'asc' : 'desc')
    .limit(limit)
    .execute()
  return rows.map(toReviewed)
}

export function depositCursor({ createdAt, id }: ReviewedDeposit): Cursor {
  return [createdAt, id]
}

function matching(search: string) {
  const reference = search.toUpperCase()
  return reference.startsWith('FW-')
    ? sql<boolean>`d.trx like ${`${reference.replace(/[^0-9A-Z-]/g, '')}%`}`
    : sql<boolean>`d.user_id = (select id from app_user where lower(username) = ${search.toLowerCase()})`
}
