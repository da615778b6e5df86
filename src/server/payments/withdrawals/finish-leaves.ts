import { transfer } from '#core/ledger/transfer.ts'
import { ZERO } from '#core/money/money.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { findGateway } from '#server/payments/gateways/list-gateways.ts'
import { findNewestOfLeave } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import {
  endLeave,
  findLeave,
  canOnlyLeave,
  listOpenLeaves,
  openAmounts,
} from '#server/payments/withdrawals/leave.queries.ts'
import { holdCash, quoteCash } from '#server/payments/withdrawals/request-leave.ts'
import { lockCash } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'

/** Continues the leaves of blocked users each minute. Returns a function that stops it. */
export function finishLeavesPeriodically(ctx: Ctx): () => Promise<void> {
  const run = () => finishLeaves(ctx)
  return runPeriodically(ctx, { pauseMs: () => MINUTE_MS, run, failure: 'leaves of blocked users do not end' })
}

/**
 * Continues each open leave. When the last open order has ended, the server requests a withdrawal of the remaining cash
 * to the destination of the leave's newest payment. When no money is left, credits lapse and the account is closed.
 */
export async function finishLeaves(ctx: Ctx): Promise<void> {
  for (const { userId, id } of await listOpenLeaves(ctx.db)) {
    const hasChanged = await ctx.db.transaction().execute((tx) => finishLeave(ctx, tx, { userId, id }))
    if (!hasChanged) continue
    ctx.publish({ kind: 'balance-changed', userId })
  }
}

async function finishLeave(
  ctx: Ctx,
  tx: Tx,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<boolean> {
  // Every transaction locks the user and then the balance, so that two transactions cannot deadlock.
  await lockLimits(tx, userId)
  const cash = await lockCash(tx, userId)
  const leave = await findLeave(tx, userId)
  // Staff may have refused the leave since the list of open leaves was read.
  if (leave?.id !== id || leave.state !== 'open') return false
  const at = ctx.now()
  if (!(await canOnlyLeave(tx, userId))) {
    await endLeave(tx, { userId, id, state: 'lifted', at })
    return true
  }
  const { openOrders, withdrawing, credits } = await openAmounts(tx, userId)
  if (openOrders > 0) return false
  if (cash > ZERO) {
    const { methodId, details, confirmedBy } = await findNewestOfLeave(tx, ctx.vault, { userId, leaveId: id })
    const method = await findGateway(tx, 'withdraw', methodId)
    const quoted = method && (await quoteCash(tx, { userId, method, cash }))
    // The leave stays open when the method is no longer offered, or the charge exceeds the cash. The user can request
    // payment by another method, and the site still owes the amount.
    if (method === null || !quoted?.ok) return false
    await holdCash(ctx, tx, { userId, leaveId: id, method, details, confirmedBy, quotes: quoted.value })
    return true
  }
  if (withdrawing > ZERO) return false
  if (credits > ZERO) await postTransfers(tx, [transfer('credits_lapsed', { userId, ref: id, amount: credits })], at)
  await endLeave(tx, { userId, id, state: 'closed', at })
  return true
}
