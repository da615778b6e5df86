import type { Selectable } from 'kysely'
import { money } from '#core/money/money.ts'
import { instant } from '#core/time/instant.ts'
import { type ConfirmedBy, CONFIRMATIONS } from '#core/wallet/withdrawal-checks.ts'
import { readRejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import { readWithdrawalState } from '#core/wallet/withdrawal-state.ts'
import type { Db, Tables, Tx } from '#server/platform/database/tables.ts'
import { openDetails, withdrawalPlace } from '#server/platform/encryption/sealed-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import {
  lockAllCash,
  PENDING,
  type Withdrawal,
  type WithdrawalStatus,
} from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Lists a user's own withdrawals, newest first. */
export async function listWithdrawals(
  db: Db,
  vault: Vault,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ withdrawals: Withdrawal[]; total: number }> {
  const rows = await selectWithdrawals(db)
    .where('w.user_id', '=', userId)
    .orderBy('w.created_ms', 'desc')
    .orderBy('w.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = await db
    .selectFrom('withdrawal')
    .select((from) => from.fn.countAll<bigint>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { withdrawals: rows.map((row) => toWithdrawal(row, vault)), total: Number(counted.total) }
}

/** Finds the withdrawal that an earlier request with this id created. */
export async function findByRequest(
  db: Db,
  vault: Vault,
  userId: string,
  clientRequestId: string,
): Promise<(Withdrawal & { readonly fingerprint: Uint8Array | null }) | null> {
  const row = await selectWithdrawals(db)
    .where('w.user_id', '=', userId)
    .where('w.client_request_id', '=', clientRequestId)
    .executeTakeFirst()
  return row ? { ...toWithdrawal(row, vault), fingerprint: row.request_fingerprint } : null
}

/** Finds a withdrawal by its reference, if it belongs to the user. */
export async function findOwn(
  db: Db,
  vault: Vault,
  { userId, trx }: { readonly userId: string; readonly trx: string },
): Promise<Withdrawal | null> {
  const row = await selectWithdrawals(db).where('w.trx', '=', trx).where('w.user_id', '=', userId).executeTakeFirst()
  return row ? toWithdrawal(row, vault) : null
}

/** Finds the newest payment of a leave. Each leave begins with a payment. */
export async function findNewestOfLeave(
  tx: Tx,
  vault: Vault,
  { userId, leaveId }: { readonly userId: string; readonly leaveId: string },
): Promise<Withdrawal> {
  const row = await selectWithdrawals(tx)
    .where('w.user_id', '=', userId)
    .where('w.leave_id', '=', leaveId)
    .orderBy('w.created_ms', 'desc')
    .orderBy('w.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return toWithdrawal(row, vault)
}

/** A withdrawal with the name of its user, for staff. */
export interface ReviewedWithdrawal extends Withdrawal {
  readonly username: string
}

/** Lists the withdrawals of all users, newest first. With `pending`, lists only the pending ones, oldest first. */
export async function listForReview(
  db: Db,
  vault: Vault,
  { pending, limit }: { readonly pending: boolean; readonly limit: number },
): Promise<ReviewedWithdrawal[]> {
  const rows = await selectReviewed(db)
    .$if(pending, (all) => all.where('w.status', '=', PENDING))
    .orderBy('w.created_ms', pending ? 'asc' : 'desc')
    .orderBy('w.id')
    .limit(limit)
    .execute()
  return rows.map((row) => toReviewed(row, vault))
}

/** Finds a withdrawal by its reference. With `lock`, concurrent decisions about it wait until this transaction ends. */
export async function findForReview(
  db: Db | Tx,
  vault: Vault,
  trx: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<ReviewedWithdrawal | null> {
  const row = await selectReviewed(db)
    .where('w.trx', '=', trx)
    .$if(lock, (one) => one.forUpdate('w'))
    .executeTakeFirst()
  return row ? toReviewed(row, vault) : null
}

/**
 * Finds and locks withdrawals of several users: first their balances, then the rows. Unknown references are left out.
 * The result is in the sequence of the given references.
 */
export async function lockForReview(tx: Tx, vault: Vault, trxs: readonly string[]): Promise<ReviewedWithdrawal[]> {
  const owners = await tx
    .selectFrom('withdrawal')
    .select('user_id')
    .distinct()
    .where('trx', 'in', [...trxs])
    .execute()
  if (owners.length === 0) return []
  await lockAllCash(
    tx,
    owners.map(({ user_id: userId }) => userId),
  )
  const rows = await selectReviewed(tx)
    .where('w.trx', 'in', [...trxs])
    .orderBy('w.user_id')
    .orderBy('w.id')
    .forUpdate('w')
    .execute()
  const byTrx = new Map(rows.map((row) => [row.trx, toReviewed(row, vault)]))
  return trxs.flatMap((trx) => byTrx.get(trx) ?? [])
}

export function selectReviewed(db: Db | Tx) {
  return selectWithdrawals(db).innerJoin('app_user as u', 'u.id', 'w.user_id').select('u.username')
}

export function toReviewed(
  row: Awaited<ReturnType<ReturnType<typeof selectReviewed>['execute']>>[number],
  vault: Vault,
): ReviewedWithdrawal {
  return { ...toWithdrawal(row, vault), username: row.username }
}

function selectWithdrawals(db: Db | Tx) {
  return db
    .selectFrom('withdrawal as w')
    .innerJoin('gateway as g', 'g.id', 'w.gateway_id')
    .selectAll('w')
    .select(['g.name as method', 'g.image as method_image'])
}

function toWithdrawal(
  row: Selectable<Tables['withdrawal']> & { method: string; method_image: string },
  vault: Vault,
): Withdrawal {
  return {
    userId: row.user_id,
    id: row.id,
    leaveId: row.leave_id,
    isAbovePrincipal: row.above_principal,
    // An ordinary withdrawal without a stored confirmation was confirmed with the PIN, because each of them needs it.
    confirmedBy: readConfirmation(row.confirmed_by) ?? (row.leave_id === null ? 'pin' : null),
    trx: row.trx,
    methodId: row.gateway_id,
    method: row.method,
    methodImage: row.method_image,
    status: readStatus(row.status),
    state: readWithdrawalState(row.state),
    payingBy: row.paying_by,
    payingAt: row.paying_ms === null ? null : instant(row.paying_ms),
    reference: row.reference,
    returnedAt: row.returned_ms === null ? null : instant(row.returned_ms),
    currency: row.currency,
    amount: money(row.amount),
    percentCharge: money(row.percent_charge),
    fixedCharge: money(row.fixed_charge),
    charge: money(row.percent_charge + row.fixed_charge),
    rate: row.rate_millionths,
    paidOut: money(row.paid_out),
    details: openDetails(vault, row.details, withdrawalPlace(row.user_id, row.id)),
    feedback: row.feedback,
    isCancelled: row.is_cancelled,
    reviewVersion: row.review_version,
    reasonCode: readRejectionCode(row.reason_code),
    createdAt: instant(row.created_ms),
    clockAt: instant(row.clock_ms),
    decidedAt: row.decided_ms === null ? null : instant(row.decided_ms),
  }
}

function readConfirmation(text: string | null): ConfirmedBy | null {
  return CONFIRMATIONS.find((one) => one === text) ?? null
}

function readStatus(value: number): WithdrawalStatus {
  if (value === 1 || value === 2 || value === 3) return value
  throw new Error(`unknown status of a withdrawal: ${value}`)
}

/**
 * Returns whether a withdrawal of the user was paid to this destination. Payments before a recovery of the account do
 * not count, so every destination is new again.
 */
export async function wasPaidTo(
  db: Db | Tx,
  {
    userId,
    methodId,
    destination,
  }: { readonly userId: string; readonly methodId: number; readonly destination: Uint8Array },
): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawal as w')
    .innerJoin('app_user as u', 'u.id', 'w.user_id')
    .select('w.id')
    .where('w.user_id', '=', userId)
    .where('w.gateway_id', '=', methodId)
    .where('w.destination', '=', destination)
    .where('w.state', '=', 'paid')
    .where((by) => by.or([by('u.recovered_ms', 'is', null), by('w.decided_ms', '>', by.ref('u.recovered_ms'))]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
