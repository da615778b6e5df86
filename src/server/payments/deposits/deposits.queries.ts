import type { DepositQuote } from '#core/wallet/deposit-quote.ts'
import { money } from '#core/money/money.ts'
import { type DepositState, readDepositState } from '#core/wallet/deposit-state.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** 1 credited, 2 pending, 3 rejected or expired. The API specification fixes these numbers. */
export type DepositStatus = 1 | 2 | 3
export const CREDITED: DepositStatus = 1
export const PENDING: DepositStatus = 2
export const REJECTED: DepositStatus = 3

export interface Deposit extends DepositQuote {
  readonly userId: string
  readonly id: string
  readonly trx: string
  readonly gatewayId: number
  readonly status: DepositStatus
  readonly state: DepositState
  /** Until when the quoted rate holds. Null: without an end. */
  readonly quotedUntil: Instant | null
  /** The percentage of the charge at the request, in basis points. */
  readonly percentBasisPoints: number
  readonly currency: string
  /** The address that the user was shown. Empty when the gateway has none. */
  readonly walletAddress: string
  readonly fields: Readonly<Record<string, string>>
  /** Names of the stored files, by the label of their form field. */
  readonly files: Readonly<Record<string, string>>
  /** The message to the user about the decision. May be empty. */
  readonly feedback: string
  readonly clientRequestId: string | null
  /**
   * Hash of the request's content, which tells a repeated request from another one with the same id. Null when the
   * request had no id.
   */
  readonly fingerprint: Uint8Array | null
  readonly createdAt: Instant
  readonly decidedAt: Instant | null
}

/** Inserts a deposit. Returns false and changes nothing when this request of the user was accepted earlier. */
export async function insertDeposit(tx: Tx, deposit: Deposit): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deposit')
    .values({
      user_id: deposit.userId,
      id: deposit.id,
      trx: deposit.trx,
      gateway_id: deposit.gatewayId,
      status: deposit.status,
      state: deposit.state,
      quoted_until: deposit.quotedUntil,
      percent_basis_points: deposit.percentBasisPoints,
      currency: deposit.currency,
      wallet_address: deposit.walletAddress,
      amount: deposit.amount,
      percent_charge: deposit.percentCharge,
      fixed_charge: deposit.fixedCharge,
      total: deposit.total,
      rate_millionths: deposit.rate,
      credited: deposit.credited,
      fields: JSON.stringify(deposit.fields),
      files: JSON.stringify(deposit.files),
      feedback: deposit.feedback,
      client_request_id: deposit.clientRequestId,
      request_fingerprint: deposit.fingerprint,
      created_ms: deposit.createdAt,
      decided_ms: deposit.decidedAt,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_request_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A deposit in the user's list, with the current name and picture of its gateway. */
export type ListedDeposit = Omit<
  Deposit,
  'walletAddress' | 'fields' | 'files' | 'clientRequestId' | 'fingerprint' | 'decidedAt'
> & {
  readonly method: string
  readonly methodImage: string
}

export async function listDeposits(
  db: Db,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ deposits: ListedDeposit[]; total: number }> {
  const rows = await listed(db)
    .where('d.user_id', '=', userId)
    .orderBy('d.created_ms', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = await db
    .selectFrom('deposit')
    .select((from) => from.fn.countAll<bigint>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { deposits: rows.map(toListed), total: Number(counted.total) }
}

/** Finds the deposit that an earlier request of the user with this id created. */
export async function findByRequest(
  db: Db,
  userId: string,
  clientRequestId: string,
): Promise<(ListedDeposit & Pick<Deposit, 'fingerprint'>) | null> {
  const row = await listed(db)
    .where('d.user_id', '=', userId)
    .where('d.client_request_id', '=', clientRequestId)
    .executeTakeFirst()
  return row ? { ...toListed(row), fingerprint: row.request_fingerprint } : null
}

/** Finds a deposit of the user by its reference. */
export async function findOwnDeposit(db: Db, userId: string, trx: string): Promise<ListedDeposit | null> {
  const row = await listed(db).where('d.user_id', '=', userId).where('d.trx', '=', trx).executeTakeFirst()
  return row ? toListed(row) : null
}

function listed(db: Db) {
  return db
    .selectFrom('deposit as d')
    .innerJoin('gateway as g', 'g.id', 'd.gateway_id')
    .selectAll('d')
    .select(['g.name', 'g.image'])
}

function toListed(row: Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]): ListedDeposit {
  return {
    userId: row.user_id,
    id: row.id,
    trx: row.trx,
    gatewayId: row.gateway_id,
    method: row.name,
    methodImage: row.image,
    status: readStatus(row.status),
    state: readDepositState(row.state),
    quotedUntil: row.quoted_until === null ? null : instant(row.quoted_until),
    percentBasisPoints: row.percent_basis_points,
    currency: row.currency,
    amount: money(row.amount),
    percentCharge: money(row.percent_charge),
    fixedCharge: money(row.fixed_charge),
    total: money(row.total),
    rate: row.rate_millionths,
    credited: money(row.credited),
    feedback: row.feedback,
    createdAt: instant(row.created_ms),
  }
}

/** Returns a stored status. Throws on an unknown number, which would be a bug. */
export function readStatus(value: number): DepositStatus {
  if (value === 1 || value === 2 || value === 3) return value
  throw new Error(`unknown status of a deposit: ${value}`)
}
