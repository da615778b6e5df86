import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import type { ConfirmedBy } from '#core/wallet/withdrawal-checks.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import { readWithdrawalState, statusOfState, type WithdrawalState } from '#core/wallet/withdrawal-state.ts'
import type { WithdrawalQuote } from '#core/wallet/withdrawal-quote.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { payeeOf, sealDetails, withdrawalPlace } from '#server/platform/encryption/sealed-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** 1 paid, 2 pending, 3 the user has the money back. The API specification fixes these numbers. */
export type WithdrawalStatus = 1 | 2 | 3
export const PAID: WithdrawalStatus = 1
export const PENDING: WithdrawalStatus = 2

/**
 * 2^62 ms. An account that its user closes, or that is excluded, accepts no orders until this time, which means never.
 */
const CLOSED_FOR_GOOD_MS = 4_611_686_018_427_387_904n

export interface Withdrawal extends WithdrawalQuote {
  readonly userId: string
  readonly id: string
  /** The leave of a blocked user that the withdrawal belongs to. Null for an ordinary withdrawal. */
  readonly leaveId: string | null
  /** For a leave: true when the amount is above the principal, so that staff may ask for a proof of identity first. */
  readonly isAbovePrincipal: boolean
  /** How the user confirmed the request. Null when the payment of a leave has no stored confirmation. */
  readonly confirmedBy: ConfirmedBy | null
  readonly trx: string
  readonly methodId: number
  /** The current name of the method. */
  readonly method: string
  readonly methodImage: string
  readonly status: WithdrawalStatus
  readonly state: WithdrawalState
  /** The current payer: a staff id, or the name of the operator at the command line. */
  readonly payingBy: string | null
  readonly payingAt: Instant | null
  /** The reference of the payment. Null before the payment, and when a paid withdrawal has no stored reference. */
  readonly reference: string | null
  readonly returnedAt: Instant | null
  /** The currency of the payout. All other amounts are in the base currency. */
  readonly currency: string
  /** The payment details, frozen when the withdrawal was requested. */
  readonly details: MethodDetails
  /** The operator's message to the user. */
  readonly feedback: string
  /** Whether the user cancelled the withdrawal. */
  readonly isCancelled: boolean
  /** Increases when the user changes the payment details while the withdrawal is pending. */
  readonly reviewVersion: number
  /** Why staff rejected the withdrawal. */
  readonly reasonCode: RejectionCode | null
  readonly createdAt: Instant
  /**
   * The time from which the deadline counts. If a recent earlier request was rejected, it is the time of that request.
   */
  readonly clockAt: Instant
  readonly decidedAt: Instant | null
}

/** The initial values of every withdrawal. */
export const NEW_WITHDRAWAL = {
  status: PENDING,
  state: 'requested',
  payingBy: null,
  payingAt: null,
  reference: null,
  returnedAt: null,
  feedback: '',
  isCancelled: false,
  reviewVersion: 1,
  reasonCode: null,
  decidedAt: null,
} as const satisfies Partial<Withdrawal>

/** Returns the user's available cash and locks the row of the balance until the transaction ends. */
export async function lockCash(tx: Tx, userId: string): Promise<Money> {
  const row = await tx
    .selectFrom('balance')
    .select('cash')
    .where('user_id', '=', userId)
    .where('currency', '=', BASE_CURRENCY)
    .forUpdate()
    .executeTakeFirst()
  assert(row, 'every user has a balance')
  return money(row.cash)
}

/** Returns whether the amount is all the available cash of an account that its user closes, or that is excluded. */
export async function isWholeOfClosed(db: Db, userId: string, amount: Money): Promise<boolean> {
  const { rows } = await sql<{ is_whole: boolean }>`
    select cash = ${amount} and closed_until_ms is not distinct from ${CLOSED_FOR_GOOD_MS}::int8 as is_whole
    from balance where user_id = ${userId} and currency = ${BASE_CURRENCY}`.execute(db)
  return rows[0]?.is_whole === true
}

/**
 * Locks the balances of these users by user id. All transactions that lock several balances use this sequence, so they
 * cannot deadlock.
 */
export async function lockAllCash(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx
    .selectFrom('balance')
    .select('user_id')
    .where('user_id', 'in', [...userIds])
    .where('currency', '=', BASE_CURRENCY)
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

/**
 * Inserts a withdrawal. Returns the time from which its deadline counts. After a rejected request, the database sets
 * this to the time of that request.
 */
export async function insertWithdrawal(
  tx: Tx,
  vault: Vault,
  withdrawal: Withdrawal,
  request: { readonly clientRequestId: string | null; readonly fingerprint: Uint8Array | null },
): Promise<Instant> {
  const { userId, id, methodId } = withdrawal
  await tx
    .insertInto('withdrawal')
    .values({
      user_id: withdrawal.userId,
      id: withdrawal.id,
      trx: withdrawal.trx,
      client_request_id: request.clientRequestId,
      request_fingerprint: request.fingerprint,
      gateway_id: withdrawal.methodId,
      confirmed_by: withdrawal.confirmedBy,
      status: withdrawal.status,
      state: withdrawal.state,
      currency: withdrawal.currency,
      amount: withdrawal.amount,
      percent_charge: withdrawal.percentCharge,
      fixed_charge: withdrawal.fixedCharge,
      rate_millionths: withdrawal.rate,
      paid_out: withdrawal.paidOut,
      details: sealDetails(vault, withdrawal.details, withdrawalPlace(userId, id)),
      destination: payeeOf(vault, methodId, withdrawal.details),
      created_ms: withdrawal.createdAt,
      clock_ms: withdrawal.clockAt,
      decided_ms: withdrawal.decidedAt,
      ...(withdrawal.leaveId !== null && {
        leave_id: withdrawal.leaveId,
        above_principal: withdrawal.isAbovePrincipal,
      }),
    })
    .execute()
  const row = await tx
    .selectFrom('withdrawal')
    .select('clock_ms')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return instant(row.clock_ms)
}

export type WithdrawalChange = Partial<
  Pick<
    Withdrawal,
    'state' | 'payingBy' | 'payingAt' | 'reference' | 'feedback' | 'reasonCode' | 'returnedAt' | 'decidedAt'
  >
> & {
  readonly sentAt?: Instant
  readonly sentAmount?: Money | null
  readonly networkFee?: Money | null
  readonly reviewVersion?: number
}

/**
 * Changes the state of a withdrawal. The caller must hold the lock of the row, and must also add the step to the
 * history.
 */
export async function updateState(
  tx: Tx,
  { userId, id }: Pick<Withdrawal, 'userId' | 'id'>,
  { state, ...change }: WithdrawalChange & Pick<Withdrawal, 'state'>,
): Promise<void> {
  const { payingBy, payingAt, reference, feedback, reasonCode, returnedAt, decidedAt } = change
  const { sentAt, sentAmount, networkFee, reviewVersion } = change
  await tx
    .updateTable('withdrawal')
    .set({
      state,
      status: statusOfState(state),
      is_cancelled: state === 'cancelled',
      ...(payingBy !== undefined && { paying_by: payingBy }),
      ...(payingAt !== undefined && { paying_ms: payingAt }),
      ...(reference !== undefined && { reference }),
      ...(sentAt !== undefined && { sent_ms: sentAt }),
      ...(sentAmount !== undefined && { sent_amount: sentAmount }),
      ...(networkFee !== undefined && { network_fee: networkFee }),
      ...(feedback !== undefined && { feedback }),
      ...(reasonCode !== undefined && { reason_code: reasonCode }),
      ...(returnedAt !== undefined && { returned_ms: returnedAt }),
      ...(decidedAt !== undefined && { decided_ms: decidedAt }),
      ...(reviewVersion !== undefined && { review_version: reviewVersion }),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Finds the user's pending withdrawals of one method. The caller must hold the lock of the balance. */
export async function findPendingOf(
  tx: Tx,
  { userId, methodId }: { readonly userId: string; readonly methodId: number },
): Promise<{ id: string; trx: string; state: WithdrawalState; reviewVersion: number }[]> {
  const rows = await tx
    .selectFrom('withdrawal')
    .select(['id', 'trx', 'state', 'review_version'])
    .where('user_id', '=', userId)
    .where('gateway_id', '=', methodId)
    .where('status', '=', PENDING)
    .forUpdate()
    .execute()
  return rows.map((row) => ({ ...row, state: readWithdrawalState(row.state), reviewVersion: row.review_version }))
}

/**
 * Marks all pending withdrawals as changed and returns them. A staff member whose page still shows the earlier version
 * then cannot decide.
 */
export async function outdatePending(
  tx: Tx,
): Promise<{ readonly trx: string; readonly amount: bigint; readonly state: string }[]> {
  return tx
    .updateTable('withdrawal')
    .set((of) => ({ review_version: of('review_version', '+', 1) }))
    .where('status', '=', PENDING)
    .returning(['trx', 'amount', 'state'])
    .execute()
}
