import { sql } from 'kysely'
import { matchesSearch, readPaymentSearch } from '#server/back-office/api/search-payments.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { readWithdrawalState, statusOfState, type WithdrawalState } from '#core/wallet/withdrawal-state.ts'
import { firstApproved, openApprovalsOf } from '#server/audit/dual-approval.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import {
  type ReviewedWithdrawal,
  selectReviewed,
  toReviewed,
} from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { PENDING } from '#server/payments/withdrawals/withdrawals.queries.ts'

export interface WithdrawalFilters {
  readonly state: 'waiting' | 'second_person' | 'to_pay' | 'being_paid' | 'paid' | 'failed' | 'rejected' | null
  /** The start of a withdrawal's reference, an exact username, or an amount. */
  readonly search: string | null
}

const STATES: Readonly<Record<NonNullable<WithdrawalFilters['state']>, readonly WithdrawalState[]>> = {
  waiting: ['requested'],
  second_person: ['requested'],
  to_pay: ['approved'],
  being_paid: ['paying'],
  paid: ['paid'],
  failed: ['failed', 'returned'],
  rejected: ['rejected', 'cancelled'],
}

/** Whether a filter selects only withdrawals that wait for a step of staff. */
function isQueue(state: WithdrawalFilters['state']): boolean {
  return state !== null && STATES[state].every((one) => statusOfState(one) === PENDING)
}

const BY_REQUEST: Keyset['columns'] = [
  ['w.created_ms', 'int8'],
  ['w.id', 'uuid'],
]
/**
 * `clock_ms` is the time from which the deadline counts. If a user requests again after a rejection, the time of the
 * rejected request counts on.
 */
const BY_CLOCK: Keyset['columns'] = [
  ['w.clock_ms', 'int8'],
  ['w.id', 'uuid'],
]

/**
 * Lists withdrawals. A list of withdrawals that wait for staff is sorted by deadline, the earliest first. Every other
 * list is sorted by the time of the request, newest first.
 */
export async function listStaffWithdrawals(
  db: Db,
  vault: Vault,
  { state, search }: WithdrawalFilters,
  page: Page,
): Promise<ReviewedWithdrawal[]> {
  const states = state === null ? null : STATES[state]
  const keyset: Keyset = isQueue(state) ? { columns: BY_CLOCK, order: 'asc' } : { columns: BY_REQUEST, order: 'desc' }
  const wanted = search === null ? null : await readPaymentSearch(db, search)
  const approvedOnce = state === 'second_person' ? await waitingForSecond(db, vault) : null
  const withdrawals = selectReviewed(db)
    // This condition makes the planner use the partial index of pending withdrawals.
    .$if(isQueue(state), (all) => all.where('w.status', '=', PENDING))
    .$if(states !== null, (all) => all.where('w.state', 'in', [...(states ?? [])]))
    .$if(approvedOnce !== null, (all) => all.where(sql<boolean>`w.trx = any(${approvedOnce})`))
    .$if(wanted !== null, (all) => (wanted ? all.where(matchesSearch('w', wanted, 'amount')) : all))
  const rows = await pageAfter(withdrawals, keyset, page).execute()
  return rows.map((row) => toReviewed(row, vault))
}

/** Lists the references of the requests with a first approval that still counts. Changed content ends an approval. */
export async function waitingForSecond(db: Db, vault: Vault): Promise<string[]> {
  const rows = await selectReviewed(db)
    .where('w.status', '=', PENDING)
    .where('w.state', 'in', [...STATES.second_person])
    .where('w.trx', 'in', firstApproved(db, 'withdrawal'))
    .execute()
  const hashes = new Map(rows.map((row) => [row.trx, withdrawalHash(toReviewed(row, vault))]))
  return [...(await openApprovalsOf(db, 'withdrawal', hashes)).keys()]
}

/** Returns the cursor of a withdrawal in a list with these filters. */
export function withdrawalCursor(
  { createdAt, clockAt, id }: ReviewedWithdrawal,
  { state }: Pick<WithdrawalFilters, 'state'>,
): Cursor {
  return [isQueue(state) ? clockAt : createdAt, id]
}

/** Counts the withdrawals that wait for staff by their state. */
export async function countByState(db: Db): Promise<ReadonlyMap<WithdrawalState, number>> {
  const rows = await db
    .selectFrom('withdrawal')
    .select('state')
    .select((from) => from.fn.countAll<bigint>().as('count'))
    .where('status', '=', PENDING)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [readWithdrawalState(state), Number(count)]))
}
