import { sql } from 'kysely'
import { matchesSearch, readPaymentSearch } from '#server/back-office/api/search-payments.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { firstApproved, openApprovalsOf } from '#server/audit/dual-approval.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { CREDITED, type DepositStatus, PENDING, REJECTED } from '#server/payments/deposits/deposits.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { type ReviewedDeposit, reviewed, toReviewed } from '#server/payments/deposits/review.queries.ts'

export interface DepositFilters {
  readonly state: 'waiting' | 'second_person' | 'credited' | 'rejected' | null
  /** The start of a deposit's reference, an exact username, or a credited amount. */
  readonly search: string | null
}

const STATUS: Readonly<Record<NonNullable<DepositFilters['state']>, DepositStatus>> = {
  waiting: PENDING,
  second_person: PENDING,
  credited: CREDITED,
  rejected: REJECTED,
}

const BY_REQUEST: Keyset['columns'] = [
  ['d.created_ms', 'int8'],
  ['d.id', 'uuid'],
]

/** Lists deposits by request time: pending ones oldest first, others newest first. */
export async function listStaffDeposits(
  db: Db,
  { state, search }: DepositFilters,
  page: Page,
): Promise<ReviewedDeposit[]> {
  const status = state === null ? null : STATUS[state]
  const order = status === PENDING ? 'asc' : 'desc'
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const approvedOnce = state === 'second_person' ? await waitingForSecond(db) : null
  const deposits = reviewed(db)
    .$if(status !== null, (all) => all.where('d.status', '=', Number(status)))
    .$if(approvedOnce !== null, (all) => all.where(sql<boolean>`d.trx = any(${approvedOnce})`))
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('d', wanted, 'credited')) : all))
  const rows = await pageAfter(deposits, { columns: BY_REQUEST, order }, page).execute()
  return rows.map(toReviewed)
}

/** Lists the references of the pending deposits with a first approval that still counts. */
export async function waitingForSecond(db: Db): Promise<string[]> {
  const rows = await reviewed(db)
    .where('d.status', '=', PENDING)
    .where('d.trx', 'in', firstApproved(db, 'deposit'))
    .execute()
  const hashes = new Map(rows.map((row) => [row.trx, depositHash(toReviewed(row))]))
  return [...(await openApprovalsOf(db, 'deposit', hashes)).keys()]
}

export function depositCursor({ createdAt, id }: ReviewedDeposit): Cursor {
  return [createdAt, id]
}
