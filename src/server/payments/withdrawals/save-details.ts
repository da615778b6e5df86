import { assert, type Result, ok, refuse } from '#core/result.ts'
import { type DetailsRefusal, type MethodDetails, readDetails } from '#core/wallet/method-details.ts'
import { stateAfter } from '#core/wallet/withdrawal-state.ts'
import { addWithdrawalEvent } from '#server/payments/withdrawals/withdrawal-events.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { findGateway, type Gateway } from '#server/payments/gateways/list-gateways.ts'
import { detailsFingerprint } from '#server/platform/encryption/sealed-details.ts'
import { closeSamePeople } from '#server/users/limits/close-same-person.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'
import { noteSecurityChange } from '#server/users/security/security-change.queries.ts'
import { findDetails, upsertSavedDetails } from '#server/payments/withdrawals/saved-details.queries.ts'
import { findPendingOf, updateState } from '#server/payments/withdrawals/withdrawals.queries.ts'

/**
 * Saves the payment details of a user for a method. Pending withdrawals keep the details of their request. If the
 * destination is new or changed, pending withdrawals need another approval, and the user cannot request withdrawals for
 * some time, as after a password change.
 */
export async function saveDetails(
  ctx: Ctx,
  given: { readonly userId: string; readonly methodId: number; readonly details: MethodDetails },
): Promise<Result<{ method: Gateway; details: MethodDetails }, 'gateway_unknown' | DetailsRefusal>> {
  const method = await findGateway(ctx.db, 'withdraw', given.methodId)
  if (!method) return refuse('gateway_unknown', { field: 'withdraw_method_id' })
  const details = readDetails(method.form, given.details, (label) => `withdrawal_information[${label}]`)
  if (!details.ok) return details
  const change = { ...given, details: details.value }
  const waiting = await ctx.db.transaction().execute(async (tx) => {
    const held = await keep(ctx, tx, change)
    await keepTraits(tx, ctx.vault, given.userId)
    return held
  })
  await closeSamePeople(ctx, given.userId)
  for (const trx of waiting) ctx.publish({ kind: 'withdrawal-changed', userId: given.userId, trx })
  return ok({ method, details: details.value })
}

/**
 * Stores the details. Returns the references of the withdrawals that need another approval, because the destination
 * changed.
 */
async function keep(
  ctx: Ctx,
  tx: Tx,
  change: { readonly userId: string; readonly methodId: number; readonly details: MethodDetails },
): Promise<string[]> {
  const { userId, methodId, details } = change
  // Every transaction locks the user and then the balance, so that two transactions cannot deadlock.
  await lockLimits(tx, userId)
  const before = (await findDetails(tx, ctx.vault, userId)).get(methodId)
  await upsertSavedDetails(tx, ctx.vault, { ...change, at: ctx.now() })
  const place = (of: MethodDetails) => Buffer.from(detailsFingerprint(ctx.vault, methodId, of))
  if (before && place(before).equals(place(details))) return []
  const what = before ? 'payment_details' : 'payment_details_set'
  await noteSecurityChange(tx, { userId, what, at: ctx.now() })
  return await askForAnotherReview(ctx, tx, { userId, methodId })
}

/**
 * Makes the approvals of the user's pending withdrawals by one method invalid, also of withdrawals that are fully
 * approved. A payment that staff have started continues, but staff see a warning.
 */
async function askForAnotherReview(
  ctx: Ctx,
  tx: Tx,
  { userId, methodId }: { readonly userId: string; readonly methodId: number },
): Promise<string[]> {
  const pending = await findPendingOf(tx, { userId, methodId })
  for (const { id, state: before, reviewVersion } of pending) {
    const state = stateAfter('details_changed', before)
    assert(state !== null, 'pending withdrawals take changed details')
    const by = { who: '', staffId: null, words: '', data: {} }
    await addWithdrawalEvent(tx, { userId, id, step: 'details_changed', state, at: ctx.now(), ...by })
    await updateState(tx, { userId, id }, { state, reviewVersion: reviewVersion + 1 })
  }
  return pending.map(({ trx }) => trx)
}
