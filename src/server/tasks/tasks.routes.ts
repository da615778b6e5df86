import { calls } from '#contract/calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { BEGINNER_BONUS, BEGINNER_TASKS, progressOf, sumOf } from '#core/wallet/beginner-tasks.ts'
import type { Ctx } from '#server/context.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import { message } from '#server/messages.ts'
import { payTasks } from '#server/tasks/pay-tasks.ts'
import { findCredits } from '#server/tasks/tasks.queries.ts'

export function tasksRoutes(register: Register, { ctx }: { ctx: Ctx }): void {
  register(calls.tasks, async ({ user, language }) => {
    const state = await payTasks(ctx, user.userId)
    assert(state, 'bots cannot sign in')
    const tasks = BEGINNER_TASKS.map((task) => {
      const paidAt = state.paid.get(task.key)
      return {
        key: task.key,
        title: message(`task.${task.key}`, language),
        amount: moneyNumber(task.amount),
        // What was paid counts as done, whatever has changed since.
        progress: paidAt === undefined ? progressOf(task, state.facts) : task.goal,
        goal: task.goal,
        paid_at: paidAt === undefined ? null : toIso(paidAt),
      }
    })
    return answer({
      tasks,
      earned: moneyNumber(sumOf(BEGINNER_TASKS.filter(({ key }) => state.paid.has(key)))),
      total: moneyNumber(BEGINNER_BONUS),
      points: moneyNumber(await findCredits(ctx.db, user.userId)),
    })
  })
}
