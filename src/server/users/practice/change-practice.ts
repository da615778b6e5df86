import { PRACTICE_RESET_MS, PRACTICE_START, toPracticeId } from '#core/accounts/practice.ts'
import { uuidOfHex } from '#core/ids/uuid.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { later, SECOND_MS } from '#core/time/instant.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import {
  findPractice,
  insertPractice,
  isPosted,
  lockBalance,
  lockOwner,
} from '#server/users/practice/practice.queries.ts'

/** Opens the practice account of a user, with a grant of practice money. Does nothing when it is open. */
export async function openPractice(ctx: Ctx, ownerId: string): Promise<void> {
  const now = ctx.now()
  const isOpened = await ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, ownerId)
    if ((await findPractice(tx, ownerId)) !== null) return false
    const id = toPracticeId(ctx.newId())
    await insertPractice(tx, { id, ownerId, now })
    await postTransfers(tx, [transfer('practice_grant', { userId: id, ref: id, amount: PRACTICE_START })], now)
    return true
  })
  if (isOpened) ctx.publish({ kind: 'balance-changed', userId: ownerId })
}

export type ResetRefusal = 'practice_none' | 'practice_orders_open' | 'practice_too_soon'

/**
 * Brings the balance of a practice account back to its start by one transfer. A repeat with the same request id changes
 * nothing.
 */
export async function resetPractice(
  ctx: Ctx,
  ownerId: string,
  requestId: string | null,
): Promise<Result<null, ResetRefusal>> {
  const now = ctx.now()
  const done = await ctx.db.transaction().execute(async (tx): Promise<Result<boolean, ResetRefusal>> => {
    const opened = await findPractice(tx, ownerId)
    if (opened === null) return refuse('practice_none')
    const { id } = opened
    await lockBalance(tx, id)
    const ref = requestId === null ? ctx.newId() : refOf(id, requestId)
    if (await isPosted(tx, id, ref)) return ok(false)
    // Read again, because an order may have opened or ended before the balance was locked.
    const { balance, openOrders, resetAt } = (await findPractice(tx, ownerId)) ?? opened
    if (openOrders > 0) return refuse('practice_orders_open')
    const mayResetAt = resetAt === null ? now : later(resetAt, PRACTICE_RESET_MS)
    if (mayResetAt > now)
      return refuse('practice_too_soon', { params: { seconds: Math.ceil((mayResetAt - now) / SECOND_MS) } })
    const missing = PRACTICE_START - balance
    if (missing === 0n) return ok(false)
    const kind = missing > 0n ? 'practice_grant' : 'practice_return'
    const amount = money(missing > 0n ? missing : -missing)
    await postTransfers(tx, [transfer(kind, { userId: id, ref, amount })], now)
    return ok(true)
  })
  if (!done.ok) return done
  if (done.value) ctx.publish({ kind: 'balance-changed', userId: ownerId })
  return ok(null)
}

/** Makes the id of a reset from the client's id of the request, so that a repeat is found. */
function refOf(userId: string, requestId: string): string {
  return uuidOfHex(sha256OfText(`${userId} ${requestId}`).slice(0, 32))
}
