import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type BeginnerTask, type TaskFacts, tasksToPay } from '#core/wallet/beginner-tasks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findTaskFacts, type PaidTask, paidTasks, stepOf, takeTurns } from '#server/payments/rewards/tasks.queries.ts'

export interface TaskState {
  readonly facts: TaskFacts
  /** What was ever paid, by the key of the task. */
  readonly paid: ReadonlyMap<string, PaidTask>
  /** What was paid just now. */
  readonly paidNow: readonly BeginnerTask[]
}

/**
 * Pays what is done and was never paid, and answers how things stand; null for bots. Safe to call as often as one
 * likes, from several places at once: payers of one user take turns, and the ledger's key would
 * break the transaction of one that did not. Where nothing is due, nothing is locked.
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
  if (outcome.paidNow.length > 0) ctx.announce({ kind: 'balance-changed', userId })
  return { facts, ...outcome }
}

function transferOf(userId: string, task: BeginnerTask) {
  return {
    userId,
    ref: userId,
    step: stepOf(task.key),
    kind: 'beginner_task',
    from: 'house:bonus',
    to: 'credits',
    currency: BASE_CURRENCY,
    amount: task.amount,
  } as const
}
