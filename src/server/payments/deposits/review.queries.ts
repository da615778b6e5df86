import { z } from 'zod'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { ChargeTerms } from '#core/wallet/arrival-credit.ts'
import { type DepositState, readDepositState } from '#core/wallet/deposit-state.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { type Arrival, arrivalsOf } from '#server/payments/deposits/arrivals.queries.ts'
import { type DepositStatus, PENDING, readStatus } from '#server/payments/deposits/deposits.queries.ts'

/** A deposit with the facts that staff see: its user, quote, submitted fields and files, and what arrived for it. */
export interface ReviewedDeposit extends ChargeTerms {
  readonly userId: string
  readonly username: string
  readonly id: string
  readonly trx: string
  readonly method: string
  readonly gatewayId: number
  readonly status: DepositStatus
  readonly state: DepositState
  readonly charge: Money
  readonly rate: bigint
  /** The quoted credit. After the first credit, the sum of the credits of all arrivals. */
  readonly credited: Money
  /** Until when the quoted rate holds. Null: without an end. */
  readonly quotedUntil: Instant | null
  /** Whether it was credited before arrivals were stored. */
  readonly isBeforeArrivals: boolean
  readonly arrivals: readonly Arrival[]
  readonly fields: Readonly<Record<string, string>>
  /** Names of the stored files, by the label of their form field. */
  readonly files: Readonly<Record<string, string>>
  readonly feedback: string
  readonly createdAt: Instant
  readonly decidedAt: Instant | null
}

const Fields = z.record(z.string(), z.string())

/** Lists deposits, newest first. With `pending`, lists only the pending ones, oldest first. */
export async function listForReview(
  db: Db,
  { pending, limit }: { readonly pending: boolean; readonly limit: number },
): Promise<ReviewedDeposit[]> {
  const rows = await reviewed(db)
    .$if(pending, (all) => all.where('d.status', '=', PENDING))
    .orderBy('d.created_ms', pending ? 'asc' : 'desc')
    .orderBy('d.id')
    .limit(limit)
    .execute()
  return withArrivals(db, rows)
}

export async function findForReview(db: Db, trx: string): Promise<ReviewedDeposit | null> {
  const row = await reviewed(db).where('d.trx', '=', trx).executeTakeFirst()
  return row ? ((await withArrivals(db, [row]))[0] ?? null) : null
}

/** Returns the deposit and locks its row, so that concurrent decisions wait until this transaction ends. */
export async function lockForReview(tx: Tx, trx: string): Promise<ReviewedDeposit | null> {
  const row = await reviewed(tx).where('d.trx', '=', trx).forUpdate('d').executeTakeFirst()
  return row ? ((await withArrivals(tx, [row]))[0] ?? null) : null
}

interface Change {
  readonly status: DepositStatus
  readonly state: DepositState
  readonly feedback: string
  readonly decidedAt: Instant | null
  readonly credited: Money
}

/** Sets the state of a deposit with its decision. The caller must hold the lock of the row. */
export async function markDecided(
  tx: Tx,
  { userId, id }: Pick<ReviewedDeposit, 'userId' | 'id'>,
  { status, state, feedback, decidedAt, credited }: Change,
): Promise<void> {
  await tx
    .updateTable('deposit')
    .set({ status, state, feedback, credited, decided_ms: decidedAt })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Freezes a new quote. The database refuses it unless the deposit waits for its payment. */
export async function updateQuote(
  tx: Tx,
  { userId, id }: Pick<ReviewedDeposit, 'userId' | 'id'>,
  { rate, credited, quotedUntil }: { readonly rate: bigint; readonly credited: Money; readonly quotedUntil: Instant },
): Promise<void> {
  await tx
    .updateTable('deposit')
    .set({ rate_millionths: rate, credited, quoted_until: quotedUntil })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

export function reviewed(db: Db | Tx) {
  return db
    .selectFrom('deposit as d')
    .innerJoin('gateway as g', 'g.id', 'd.gateway_id')
    .innerJoin('app_user as u', 'u.id', 'd.user_id')
    .selectAll('d')
    .select(['g.name as method', 'u.username'])
}

type Row = Awaited<ReturnType<ReturnType<typeof reviewed>['execute']>>[number]

/** Builds the deposits of these rows, with what arrived for each. */
export async function withArrivals(db: Db | Tx, rows: readonly Row[]): Promise<ReviewedDeposit[]> {
  const arrivals = await arrivalsOf(
    db,
    rows.map((row) => ({ userId: row.user_id, id: row.id })),
  )
  return rows.map((row) => toReviewed(row, arrivals.get(row.id) ?? []))
}

function toReviewed(row: Row, arrivals: readonly Arrival[]): ReviewedDeposit {
  return {
    userId: row.user_id,
    username: row.username,
    id: row.id,
    trx: row.trx,
    method: row.method,
    gatewayId: row.gateway_id,
    status: readStatus(row.status),
    state: readDepositState(row.state),
    currency: row.currency,
    amount: money(row.amount),
    charge: money(row.percent_charge + row.fixed_charge),
    fixedCharge: money(row.fixed_charge),
    percentBasisPoints: row.percent_basis_points,
    total: money(row.total),
    rate: row.rate_millionths,
    credited: money(row.credited),
    quotedUntil: row.quoted_until === null ? null : instant(row.quoted_until),
    isBeforeArrivals: row.before_arrivals,
    arrivals,
    fields: Fields.parse(row.fields),
    files: Fields.parse(row.files),
    feedback: row.feedback,
    createdAt: instant(row.created_ms),
    decidedAt: row.decided_ms === null ? null : instant(row.decided_ms),
  }
}
