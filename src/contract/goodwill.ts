import { z } from 'zod'
import { defineCall } from '#contract/call.ts'

const Count = z.number().int().nonnegative()

export const proofGoodwill = defineCall({
  method: 'GET',
  path: '/proof/goodwill',
  who: 'anyone',
  key: 'read',
  summary: 'How many payments the operator made out of goodwill. They change no result.',
  reply: z.object({ payments: Count, payments_90_days: Count }),
  refusals: [],
})
