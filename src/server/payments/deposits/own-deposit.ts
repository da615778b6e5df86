import { DAY_MS, later } from '#core/time/instant.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { quoteDeposit } from '#core/wallet/deposit-quote.ts'
import { addDepositEvent, listDepositEvents } from '#server/payments/deposits/deposit-events.queries.ts'
import { REJECTED } from '#server/payments/deposits/deposits.queries.ts'
import type { RateOf } from '#server/payments/deposits/gateway-rate.ts'
import {
  lockForReview,
  markDecided,
  type ReviewedDeposit,
  updateQuote,
} from '#server/payments/deposits/review.queries.ts'
import { findStaffGateway } from '#server/payments/gateways/gateways.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Deposits for which nothing arrived expire after 7 days. */
const EXPIRES_AFTER_MS = 7 * DAY_MS
const MAX_QUOTES = 10
const EXPIRED_AT_ONCE = 200

interface OwnDeposit {
  readonly userId: string
  readonly trx: string
}

export type OwnChangeRefusal = 'deposit_unknown' | 'deposit_decided' | 'payment_seen'

/** Gives a deposit a new quote at the present rate, as long as nothing has arrived for it. */
export async function requoteDeposit(
  { ctx, rateOf }: { readonly ctx: Ctx; readonly rateOf: RateOf },
  { userId, trx }: OwnDeposit,
): Promise<Result<undefined, OwnChangeRefusal | 'rate_unavailable' | 'too_many_attempts'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const waiting = await lockWaiting(tx, { userId, trx })
    if (!waiting.ok) return waiting
    const { id, gatewayId, amount } = waiting.value
    const steps = (await listDepositEvents(tx, [waiting.value])).get(id) ?? []
    if (steps.filter(({ step }) => step === 'requoted').length >= MAX_QUOTES) {
      return refuse('too_many_attempts', { params: { seconds: 0 } })
    }
    const gateway = await findStaffGateway(tx, gatewayId)
    assert(gateway, 'gateways are never deleted')
    const rate = rateOf(gateway)
    const quote = rate === null ? null : quoteDeposit({ ...gateway, minimum: amount, maximum: amount, rate }, amount)
    if (rate === null || !quote?.ok) return refuse('rate_unavailable', { params: { currency: gateway.currency } })
    const now = ctx.now()
    const quotedUntil = later(now, gateway.quoteSeconds * 1_000)
    await updateQuote(tx, waiting.value, { rate, credited: quote.value.credited, quotedUntil })
    await addDepositEvent(tx, { userId, id, step: 'requoted', state: 'waiting', at: now })
    return ok()
  })
}

/** Closes a deposit of the user for which nothing has arrived. Money that arrives later opens it again. */
export async function closeDeposit(ctx: Ctx, own: OwnDeposit): Promise<Result<undefined, OwnChangeRefusal>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const waiting = await lockWaiting(tx, own)
    if (!waiting.ok) return waiting
    await end(ctx, tx, waiting.value, 'closed')
    return ok()
  })
  if (done.ok) ctx.publish({ kind: 'deposit-decided', userId: own.userId, trx: own.trx })
  return done
}

/** Ends deposits for which nothing arrived in time. Money that arrives later opens them again. */
export async function expireDeposits(ctx: Ctx): Promise<void> {
  const old = await listWaiting(ctx.db, later(ctx.now(), -EXPIRES_AFTER_MS))
  for (const { userId, trx } of old) {
    const isExpired = await ctx.db.transaction().execute(async (tx) => {
      const waiting = await lockWaiting(tx, { userId, trx })
      if (waiting.ok) await end(ctx, tx, waiting.value, 'expired')
      return waiting.ok
    })
    if (isExpired) ctx.publish({ kind: 'deposit-decided', userId, trx })
  }
}

async function listWaiting(db: Db, before: number): Promise<OwnDeposit[]> {
  const rows = await db
    .selectFrom('deposit')
    .select(['user_id', 'trx'])
    .where('state', '=', 'waiting')
    .where('created_ms', '<', BigInt(before))
    .orderBy('created_ms')
    .limit(EXPIRED_AT_ONCE)
    .execute()
  return rows.map((row) => ({ userId: row.user_id, trx: row.trx }))
}

async function end(ctx: Ctx, tx: Tx, deposit: ReviewedDeposit, step: 'closed' | 'expired'): Promise<void> {
  const { userId, id, credited, feedback } = deposit
  const now = ctx.now()
  await markDecided(tx, deposit, { status: REJECTED, state: 'expired', feedback, credited, decidedAt: now })
  await addDepositEvent(tx, { userId, id, step, state: 'expired', at: now })
}

/** Returns a deposit of the user that waits for its payment, and locks its row. */
async function lockWaiting(tx: Tx, { userId, trx }: OwnDeposit): Promise<Result<ReviewedDeposit, OwnChangeRefusal>> {
  const deposit = await lockForReview(tx, trx)
  if (!deposit || deposit.userId !== userId) return refuse('deposit_unknown')
  if (deposit.state === 'waiting') return ok(deposit)
  return deposit.state === 'seen' || deposit.state === 'review' ? refuse('payment_seen') : refuse('deposit_decided')
}
