import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut, Text } from '#contract/wire.ts'

export const TaskOut = z.object({
  key: z.string(),
  title: z.string(),
  amount: MoneyOut.meta({ description: 'Credits it pays, once.' }),
  progress: z.number().int(),
  goal: z.number().int(),
  paid_at: IsoTime.nullable(),
})
export type TaskOut = z.output<typeof TaskOut>

export const tasks = defineCall({
  method: 'GET',
  path: '/user/tasks',
  who: 'user',
  key: 'never',
  summary: "The caller's beginner tasks. Completed tasks are paid with this call, each task once.",
  reply: z.object({
    tasks: z.array(TaskOut),
    earned: MoneyOut,
    total: MoneyOut,
    points: MoneyOut.meta({ description: 'The balance of credits afterwards.' }),
  }),
  refusals: [],
})

export const taskChecked = defineCall({
  method: 'POST',
  path: '/user/tasks/checked',
  who: 'user',
  key: 'never',
  summary: "Reports that the caller's browser has checked the result of an own order. This completes a beginner task.",
  body: z.object({ trx: Text(40) }),
  reply: z.object({
    paid: MoneyOut.meta({ description: 'Credits paid by this call; 0 when the task was paid earlier.' }),
    points: MoneyOut.meta({ description: 'The balance of credits afterwards.' }),
  }),
  refusals: ['receipt_unknown'],
})
