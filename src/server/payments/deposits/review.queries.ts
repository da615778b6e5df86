import { z } from 'zod'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { type DepositStatus, PENDING, readStatus } from '#server/payments/deposits/deposits.queries.ts'

/** A deposit with the facts that staff see: its user, quote, submitted fields and files. */
export interface ReviewedDeposit {
  readonly userId: string
  readonly username: string
  readonly id: string
  readonly trx: string
  readonly method: string
  readonly status: DepositStatus
  readonly currency: string
  readonly amount: Money
  readonly charge: Money
  readonly total: Money
  readonly rate: bigint
  readonly credited: Money
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
  return rows.map(toReviewed)
}

export async function findForReview(db: Db, trx: string): Promise<ReviewedDeposit | null> {
  const row = await reviewed(db).where('d.trx', '=', trx).executeTakeFirst()
  return row ? toReviewed(row) : null
}

/** Returns the deposit and locks its row, so that concurrent decisions wait until this transaction ends. */
export async function lockForReview(tx: Tx, trx: string): Promise<ReviewedDeposit | null> {
  const row = await reviewed(tx).where('d.trx', '=', trx).forUpdate('d').executeTakeFirst()
  return row ? toReviewed(row) : null
}

export async function markDecided(
  tx: Tx,
  { userId, id }: Pick<ReviewedDeposit, 'userId' | 'id'>,
  { status, feedback, at }: { readonly status: DepositStatus; readonly feedback: string; readonly at: Instant },
): Promise<void> {
  await tx
    .updateTable('deposit')
    .set({ status, feedback, decided_ms: at })
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

export function toReviewed(row: Awaited<ReturnType<ReturnType<typeof reviewed>['execute']>>[number]): ReviewedDeposit {
  return {
    userId: row.user_id,
    username: row.username,
    id: row.id,
    trx: row.trx,
    method: row.method,
    status: readStatus(row.status),
    currency: row.currency,
    amount: money(row.amount),
    charge: money(row.percent_charge + row.fixed_charge),
    total: money(row.total),
    rate: row.rate_millionths,
    credited: money(row.credited),
    fields: Fields.parse(row.fields),
    files: Fields.parse(row.files),
    feedback: row.feedback,
    createdAt: instant(row.created_ms),
    decidedAt: row.decided_ms === null ? null : instant(row.decided_ms),
  }
}
