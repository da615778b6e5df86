import { matchesSearch, readPaymentSearch } from '#server/back-office/api/search-payments.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { firstApproved } from '#server/audit/dual-approval.ts'
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

const BY_REQUEST: Keyset['columns'] = [
  ['w.created_ms', 'int8'],
  ['w.id', 'uuid'],
]

/** Lists withdrawals by request time: pending ones oldest first, others newest first. */
export async function listStaffWithdrawals(
  db: Db,
  vault: Vault,
  { state, search }: WithdrawalFilters,
  page: Page,
): Promise<ReviewedWithdrawal[]> {
  const status = state === null ? null : STATUS[state]
  const order = status === PENDING ? 'asc' : 'desc'
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const withdrawals = selectReviewed(db)
    .$if(status !== null, (all) => all.where('w.status', '=', Number(status)))
    .$if(state === 'second_person', (all) => all.where('w.trx', 'in', firstApproved(db, 'withdrawal')))
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('w', wanted, 'amount')) : all))
  const rows = await pageAfter(withdrawals, { columns: BY_REQUEST, order }, page).execute()
  return rows.map((row) => toReviewed(row, vault))
}

export function withdrawalCursor({ createdAt, id }: ReviewedWithdrawal): Cursor {
  return [createdAt, id]
}
