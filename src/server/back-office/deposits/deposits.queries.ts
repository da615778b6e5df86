import { sql } from 'kysely'
import { DAY_MS } from '#core/time/instant.ts'
import { matchesSearch, readPaymentSearch } from '#server/back-office/api/search-payments.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { firstApproved, openApprovalsOf } from '#server/audit/dual-approval.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DepositState } from '#core/wallet/deposit-state.ts'
import { PENDING } from '#server/payments/deposits/deposits.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { type ReviewedDeposit, reviewed, withArrivals } from '#server/payments/deposits/review.queries.ts'

export interface DepositFilters {
  readonly state: DepositState | 'second_person' | null
  /** The start of a deposit's reference, an exact username, or a credited amount. */
  readonly search: string | null
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
  // `waiting` is the whole queue: with and without money that was seen.
  const isQueue = state === 'waiting' || state === 'second_person'
  const one = isQueue ? null : state
  const isOpen = isQueue || one === 'seen' || one === 'review'
  const order = isOpen ? 'asc' : 'desc'
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const approvedOnce = state === 'second_person' ? await waitingForSecond(db) : null
  const deposits = reviewed(db)
    .$if(isOpen, (all) => all.where('d.status', '=', PENDING))
    .$if(one !== null, (all) => all.where('d.state', '=', one ?? ''))
    .$if(approvedOnce !== null, (all) => all.where(sql<boolean>`d.trx = any(${approvedOnce})`))
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('d', wanted, 'credited')) : all))
  const rows = await pageAfter(deposits, { columns: BY_REQUEST, order }, page).execute()
  return withArrivals(db, rows)
}

/** Lists the references of the pending deposits with a first approval that still counts. */
export async function waitingForSecond(db: Db): Promise<string[]> {
  const rows = await reviewed(db)
    .where('d.status', '=', PENDING)
    .where('d.trx', 'in', firstApproved(db, 'deposit'))
    .execute()
  const hashes = new Map((await withArrivals(db, rows)).map((one) => [one.trx, depositHash(one)]))
  return [...(await openApprovalsOf(db, 'deposit', hashes)).keys()]
}

export function depositCursor({ createdAt, id }: ReviewedDeposit): Cursor {
  return [createdAt, id]
}

/** Lists the other deposits of the same user with the same amount at the same gateway within 24 hours. */
export async function sameRequests(db: Db, deposit: ReviewedDeposit): Promise<string[]> {
  const { userId, trx, gatewayId, amount, createdAt } = deposit
  const rows = await db
    .selectFrom('deposit')
    .select('trx')
    .where('user_id', '=', userId)
    .where('gateway_id', '=', gatewayId)
    .where('amount', '=', amount)
    .where('trx', '<>', trx)
    .where('created_ms', '>', BigInt(createdAt - DAY_MS))
    .where('created_ms', '<', BigInt(createdAt + DAY_MS))
    .orderBy('created_ms')
    .limit(10)
    .execute()
  return rows.map((row) => row.trx)
}
