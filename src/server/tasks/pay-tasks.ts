import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Instant } from '#core/time/instant.ts'
import { type BeginnerTask, type TaskFacts, tasksToPay } from '#core/wallet/beginner-tasks.ts'
import type { Ctx } from '#server/context.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { findTaskFacts, lockBalance, paidTasks, stepOf } from '#server/tasks/tasks.queries.ts'

export interface TaskState {
  readonly facts: TaskFacts
  /** When each task was paid, by its key. */
  readonly paid: ReadonlyMap<string, Instant>
}

/**
 * Pays what is done and was never paid, and answers how things stand; null for bots. Safe to call as often as one
 * likes, from several places at once: payers of one user take turns at the balance row, and the ledger's key would
 * break the transaction of one that did not. Where nothing is due, nothing is locked.
 */
export async function payTasks(ctx: Ctx, userId: string): Promise<TaskState | null> {
  const facts = await findTaskFacts(ctx.db, userId)
  if (facts === null) return null
  const known = await paidTasks(ctx.db, userId)
  if (tasksToPay(facts, known).length === 0) return { facts, paid: known }

  const outcome = await ctx.db.transaction().execute(async (tx) => {
    await lockBalance(tx, userId)
    const paid = await paidTasks(tx, userId)
    const due = tasksToPay(facts, paid)
    const now = ctx.now()
    const transfers = due.map((task) => transferOf(userId, task))
    await postTransfers(tx, transfers, now)
    for (const { key } of due) paid.set(key, now)
    return { hasPaid: due.length > 0, paid }
  })
  if (outcome.hasPaid) ctx.announce({ kind: 'balance-changed', userId })
  return { facts, paid: outcome.paid }
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
