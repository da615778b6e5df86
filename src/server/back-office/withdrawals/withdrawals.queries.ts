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
/** A request after a rejection keeps the clock of the rejected one. */
const BY_CLOCK: Keyset['columns'] = [
  ['w.clock_ms', 'int8'],
  ['w.id', 'uuid'],
]

/** Lists withdrawals: pending ones by the clock of their deadline, oldest first, others by request time, newest first. */
export async function listStaffWithdrawals(
  db: Db,
  vault: Vault,
  { state, search }: WithdrawalFilters,
  page: Page,
): Promise<ReviewedWithdrawal[]> {
  const status = state === null ? null : STATUS[state]
  const keyset: Keyset =
    status === PENDING ? { columns: BY_CLOCK, order: 'asc' } : { columns: BY_REQUEST, order: 'desc' }
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const withdrawals = selectReviewed(db)
    .$if(status !== null, (all) => all.where('w.status', '=', Number(status)))
    .$if(state === 'second_person', (all) => all.where('w.trx', 'in', firstApproved(db, 'withdrawal')))
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('w', wanted, 'amount')) : all))
  const rows = await pageAfter(withdrawals, keyset, page).execute()
  return rows.map((row) => toReviewed(row, vault))
}

/** The place of a row in a list with these filters. */
export function withdrawalCursor(
  { createdAt, clockAt, id }: ReviewedWithdrawal,
  { state }: Pick<WithdrawalFilters, 'state'>,
): Cursor {
  const isPending = state !== null && STATUS[state] === PENDING
  return [isPending ? clockAt : createdAt, id]
}
