import { calls } from '#contract/calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { assert, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { progressOf, sumOf, tasksOf } from '#core/wallet/beginner-tasks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { payTasks } from '#server/payments/rewards/pay-tasks.ts'
import { findCredits, findSettledOrder, noteFirstCheck } from '#server/payments/rewards/tasks.queries.ts'

interface TasksParts {
  readonly ctx: Ctx
  readonly settings: Pick<Settings, 'current'>
}

export function tasksRoutes(register: Register, { ctx, settings }: TasksParts): void {
  register(calls.tasks, async ({ user, language }) => {
    const state = await payTasks(ctx, settings, user.userId)
    assert(state, 'bots cannot sign in')
    const amounts = new Map([...state.paid].map(([key, { amount }]) => [key, amount]))
    const tasks = tasksOf(settings.current.taskAmounts, amounts)
    return answer({
      tasks: tasks.map((task) => {
        const paid = state.paid.get(task.key)
        return {
          key: task.key,
          title: message(`task.${task.key}`, language),
          amount: moneyNumber(task.amount),
          // A paid task counts as completed, even when the user has undone it since, such as by removing the name.
          progress: paid === undefined ? progressOf(task, state.facts) : task.goal,
          goal: task.goal,
          paid_at: paid === undefined ? null : toIso(paid.at),
        }
      }),
      earned: moneyNumber(sumOf(tasks.filter(({ key }) => state.paid.has(key)))),
      total: moneyNumber(sumOf(tasks)),
      points: moneyNumber(await findCredits(ctx.db, user.userId)),
    })
  })

  // The server cannot verify that the browser really recalculated the result. This is acceptable, because the task only
  // teaches the user and pays once.
  register(calls.taskChecked, async ({ user: { userId }, body: { trx } }) => {
    const order = await findSettledOrder(ctx.db, userId, trx)
    if (order === undefined) return refuse('receipt_unknown')
    await noteFirstCheck(ctx.db, { userId, orderId: order.id, now: ctx.now() })
    const state = await payTasks(ctx, settings, userId)
    assert(state, 'bots cannot sign in')
    return answer({
      paid: moneyNumber(sumOf(state.paidNow.filter(({ key }) => key === 'check'))),
      points: moneyNumber(await findCredits(ctx.db, userId)),
    })
  })
}
