import type { Cursor } from '#server/platform/database/cursor.ts'
import { afterCursor, matchesSearch } from '#server/back-office/api/page-by-time.ts'
import { readPaymentSearch } from '#server/back-office/api/search-payments.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import {
  type ReviewedWithdrawal,
  selectReviewed,
  toReviewed,
} from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { PAID, PENDING, REJECTED, type WithdrawalStatus } from '#server/payments/withdrawals/withdrawals.queries.ts'

export interface WithdrawalFilters {
  readonly state: 'waiting' | 'second_person' | 'paid' | 'rejected' | null
  /** The start of a reference, an exact username, or an amount. */
  readonly search: string | null
}

const STATUS: Readonly<Record<NonNullable<WithdrawalFilters['state']>, WithdrawalStatus>> = {
  waiting: PENDING,
  second_person: PENDING,
  paid: PAID,
  rejected: REJECTED,
}

/**
 * Lists withdrawals by request time: pending ones oldest first, others newest first.
 * `after` holds the time and id of the last row of the previous page.
 */
export async function listStaffWithdrawals(
  db: Db,
  vault: Vault,
  { state, search }: WithdrawalFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<ReviewedWithdrawal[]> {
  const status = state === null ? null : STATUS[state]
  const order = status === PENDING ? 'asc' : 'desc'
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const rows = await selectReviewed(db)
    .$if(status !== null, (all) => all.where('w.status', '=', Number(status)))
    .$if(state === 'second_person', (all) =>
      all.where('w.trx', 'in', db.selectFrom('first_approval').select('subject').where('kind', '=', 'withdrawal')),
    )
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('w', wanted, 'amount')) : all))
    .$if(after !== null, (all) => (after ? all.where(afterCursor('w', after, order)) : all))
    .orderBy('w.created_ms', order)
    .orderBy('w.id', order)
    .limit(limit)
    .execute()
  return rows.map((row) => toReviewed(row, vault))
}

export function withdrawalCursor({ createdAt, id }: ReviewedWithdrawal): Cursor {
  return [createdAt, id]
}
