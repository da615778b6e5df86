import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

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
  summary: 'The beginner tasks of the caller. What is done and not paid yet is paid on asking, each task once, ever.',
  reply: z.object({
    tasks: z.array(TaskOut),
    earned: MoneyOut,
    total: MoneyOut,
    points: MoneyOut.meta({ description: 'The balance of credits afterwards.' }),
  }),
  refusals: [],
})
