import { type Cursor } from '#server/platform/database/cursor.ts'
import { afterCursor, matchesSearch } from '#server/back-office/api/page-by-time.ts'
import { readPaymentSearch } from '#server/back-office/api/search-payments.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { CREDITED, type DepositStatus, PENDING, REJECTED } from '#server/payments/deposits/deposits.queries.ts'
import { type ReviewedDeposit, reviewed, toReviewed } from '#server/payments/deposits/review.queries.ts'

export interface DepositFilters {
  readonly state: 'waiting' | 'second_person' | 'credited' | 'rejected' | null
  /** The start of a reference, an exact username, or a credited amount. */
  readonly search: string | null
}

const STATUS: Readonly<Record<NonNullable<DepositFilters['state']>, DepositStatus>> = {
  waiting: PENDING,
  second_person: PENDING,
  credited: CREDITED,
  rejected: REJECTED,
}

/**
 * Lists deposits by request time: pending ones oldest first, others newest first.
 * `after` holds the time and id of the last row of the previous page.
 */
export async function listStaffDeposits(
  db: Db,
  { state, search }: DepositFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<ReviewedDeposit[]> {
  const status = state === null ? null : STATUS[state]
  const order = status === PENDING ? 'asc' : 'desc'
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const rows = await reviewed(db)
    .$if(status !== null, (all) => all.where('d.status', '=', Number(status)))
    .$if(state === 'second_person', (all) =>
      all.where('d.trx', 'in', db.selectFrom('first_approval').select('subject').where('kind', '=', 'deposit')),
    )
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('d', wanted, 'credited')) : all))
    .$if(after !== null, (all) => (after ? all.where(afterCursor('d', after, order)) : all))
    .orderBy('d.created_ms', order)
    .orderBy('d.id', order)
    .limit(limit)
    .execute()
  return rows.map(toReviewed)
}

export function depositCursor({ createdAt, id }: ReviewedDeposit): Cursor {
  return [createdAt, id]
}
