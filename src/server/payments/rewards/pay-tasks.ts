import { type Transfer, transfer } from '#core/ledger/transfer.ts'
import { type BeginnerTask, type TaskFacts, tasksToPay } from '#core/wallet/beginner-tasks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findTaskFacts, type PaidTask, paidTasks, stepOf, takeTurns } from '#server/payments/rewards/tasks.queries.ts'

export interface TaskState {
  readonly facts: TaskFacts
  /** All rewards paid so far, by task key. */
  readonly paid: ReadonlyMap<string, PaidTask>
  /** The tasks that this call paid. */
  readonly paidNow: readonly BeginnerTask[]
}

/**
 * Pays each completed task that was never paid, and returns the state of all tasks, or null for bots. Concurrent calls
 * are safe: they run one after the other for each user, and the unique key of the ledger makes a second payment fail.
 * If there is nothing to pay, nothing is locked.
 */
export async function payTasks(
  ctx: Ctx,
  settings: Pick<Settings, 'current'>,
  userId: string,
): Promise<TaskState | null> {
  const facts = await findTaskFacts(ctx.db, userId)
  if (facts === null) return null
  const known = await paidTasks(ctx.db, userId)
  const amounts = settings.current.taskAmounts
  if (tasksToPay(amounts, facts, known).length === 0) return { facts, paid: known, paidNow: [] }

  const outcome = await ctx.db.transaction().execute(async (tx) => {
    await takeTurns(tx, userId)
    const paid = await paidTasks(tx, userId)
    const due = tasksToPay(amounts, facts, paid)
    const now = ctx.now()
    const transfers = due.map((task) => transferOf(userId, task))
    await postTransfers(tx, transfers, now)
    for (const { key, amount } of due) paid.set(key, { amount, at: now })
    return { paid, paidNow: due }
  })
  if (outcome.paidNow.length > 0) ctx.publish({ kind: 'balance-changed', userId })
  return { facts, ...outcome }
}

function transferOf(userId: string, { key, amount }: BeginnerTask): Transfer {
  return transfer('beginner_task', { userId, ref: userId, step: stepOf(key), amount })
}
