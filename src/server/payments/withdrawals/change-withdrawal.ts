import type { Transfer } from '#core/ledger/transfer.ts'
import { assert, type Refusal, type Result, ok, refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { stateAfter, statusOfState, type WithdrawalStep } from '#core/wallet/withdrawal-state.ts'
import { lockApprovals } from '#server/audit/check-dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { findAnswer, keepAnswer, type StaffRequestKey } from '#server/audit/staff-requests.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { addWithdrawalEvent } from '#server/payments/withdrawals/withdrawal-events.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { lockCash, updateState, type WithdrawalChange } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/**
 * The possible outcomes of a call of staff. After an outcome that begins with `first_`, the step waits for a second
 * approver.
 */
const OUTCOMES = [
  'first_approval',
  'approved',
  'first_rejection',
  'rejected',
  'paying',
  'taken_over',
  'unsent',
  'paid',
  'failed',
  'first_return',
  'returned',
] as const

/** The withdrawal after a step, with the step that was taken as `outcome`. */
export type Stepped = ReviewedWithdrawal & { readonly outcome: WithdrawalStep }
export type ChangeRefusal = 'withdrawal_unknown' | 'content_changed' | 'request_conflict'

/** Facts about a step that a staff member takes, or the operator at the command line. */
export interface ByStaff {
  readonly actor: Actor
  /** The content hash that the staff member saw. A decision on changed content is refused. */
  readonly seenHash?: string | undefined
  /** The id of the request, which makes a repeated call harmless. Absent at the command line. */
  readonly request?: StaffRequestKey | undefined
}

interface Changing {
  readonly trx: string
  readonly userId?: string
  /** Absent when the user makes the change. */
  readonly staff?: ByStaff
}

interface Change<R extends string> {
  /** Returns why the state of the withdrawal does not allow the change, or null. */
  readonly check: (withdrawal: ReviewedWithdrawal, tx: Tx) => Refusal<R> | null | Promise<Refusal<R> | null>
  readonly take: (tx: Tx, withdrawal: ReviewedWithdrawal) => Promise<Result<Stepped, R>>
}

/**
 * Runs a change of a withdrawal in a transaction that locks the user's balance and the row of the withdrawal. Of two
 * concurrent changes, the second one finds the result of the first one. A repeated staff call gets the reply of the
 * first call.
 */
export async function changeWithdrawal<R extends string>(
  ctx: Ctx,
  { trx, staff, ...own }: Changing,
  { check, take }: Change<R>,
): Promise<Result<Stepped, R | ChangeRefusal>> {
  const userId = own.userId ?? (await findForReview(ctx.db, ctx.vault, trx))?.userId
  if (userId === undefined) return refuse('withdrawal_unknown')
  const done = await ctx.db.transaction().execute(async (tx) => {
    if (staff) await lockApprovals(tx)
    // Every such transaction locks the balance before the row of the withdrawal, so that two transactions cannot
    // deadlock.
    await lockCash(tx, userId)
    const withdrawal = await findForReview(tx, ctx.vault, trx, { lock: true })
    if (!withdrawal) return refuse('withdrawal_unknown')
    const answered = staff?.request === undefined ? ok(null) : await findAnswer(tx, staff.request)
    if (!answered.ok) return answered
    const outcome = OUTCOMES.find((one) => one === answered.value)
    if (staff && outcome !== undefined) {
      await recordAction(tx, ctx, staff.actor, { target: trx, outcome: 'looked', reason: 'repeated' })
      return ok({ ...withdrawal, outcome, isRepeated: true })
    }
    // The state is checked before the hash, so that a refusal tells a late staff member which step came first.
    const late = await check(withdrawal, tx)
    if (late !== null) return late
    if (staff?.seenHash !== undefined && staff.seenHash !== withdrawalHash(withdrawal)) return refuse('content_changed')
    const changed = await take(tx, withdrawal)
    if (changed.ok && staff?.request) await keepAnswer(ctx, tx, staff.request, changed.value.outcome)
    return changed.ok ? ok({ ...changed.value, isRepeated: false }) : changed
  })
  if (!done.ok) return done
  const { isRepeated, ...stepped } = done.value
  if (!isRepeated && !stepped.outcome.startsWith('first_')) publishStep(ctx, stepped)
  return ok(stepped)
}

/** Announces a step after its transaction. The user's open pages then load balance and withdrawals again. */
export function publishStep(ctx: Pick<Ctx, 'publish'>, { userId, trx }: Pick<Stepped, 'userId' | 'trx'>): void {
  ctx.publish({ kind: 'withdrawal-changed', userId, trx })
  ctx.publish({ kind: 'balance-changed', userId })
}

interface Taking {
  readonly step: WithdrawalStep
  readonly at: Instant
  readonly actor?: Actor
  /** A text that the user reads. */
  readonly words?: string
  /** A text that only staff read. */
  readonly reason?: string
  readonly change?: WithdrawalChange
  readonly transfers?: readonly Transfer[]
  /** More facts for the audit log and the history. */
  readonly data?: Readonly<Record<string, unknown>>
}

/**
 * Takes a step: adds its line to the history, sets the new state, posts its transfers, and adds a line to the audit log
 * for staff.
 */
export async function takeStep(
  ctx: Ctx,
  tx: Tx,
  withdrawal: ReviewedWithdrawal,
  { step, at, actor, words = '', reason = '', change = {}, transfers = [], data = {} }: Taking,
): Promise<Stepped> {
  const { userId, id, trx, state: before } = withdrawal
  const state = stateAfter(step, before)
  assert(state !== null, `${step} must follow ${before}`)
  const [who, staffId] = [actor?.who ?? '', actor?.staffId ?? null]
  const facts = reason === '' ? data : { ...data, reason }
  // The step is added before the state changes, because a trigger copies the text of the last step into the notice.
  await addWithdrawalEvent(tx, { userId, id, step, state, at, who, staffId, words, data: facts })
  if (state !== before || Object.keys(change).length > 0) await updateState(tx, withdrawal, { ...change, state })
  if (transfers.length > 0) await postTransfers(tx, transfers, at)
  // The check for a second approver has already added the audit entry of the first of two approvals.
  if (actor !== undefined && !step.startsWith('first_')) {
    const said = [reason, words].filter((text) => text !== '').join('\n')
    const after = { state, amount: withdrawal.amount, ...data }
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: said,
      outcome: 'done',
      before: { state: before },
      after: JSON.parse(
        JSON.stringify(after, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ),
    })
  }
  const { sentAt: _sent, sentAmount: _amount, networkFee: _fee, ...seen } = change
  const status = statusOfState(state)
  return { ...withdrawal, ...seen, state, status, isCancelled: state === 'cancelled', outcome: step }
}
