import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut, PageQuery } from '#contract/wire.ts'
import { ADJUSTMENT_KINDS } from '#core/wallet/adjustment-rules.ts'

const AdjustmentOut = z.object({
  trx: z.string(),
  kind: z.enum([...ADJUSTMENT_KINDS, 'before']).meta({ description: '`before`: from the time without reasons.' }),
  link: z.string().nullable().meta({ description: 'The deposit or adjustment that a negative one takes back.' }),
  amount: MoneyOut.meta({ description: 'Negative when money is taken.' }),
  message: z.string().meta({ description: 'The reason for the user.' }),
  state: z.enum(['announced', 'disputed', 'posted', 'rejected']),
  created_at: IsoTime,
  posts_at: IsoTime.nullable().meta({ description: 'When an announced one is posted.' }),
  can_dispute: z.boolean(),
})
export type AdjustmentOut = z.output<typeof AdjustmentOut>

export const adjustments = defineCall({
  method: 'GET',
  path: '/user/adjustments',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "Adjustments of the caller's balance, newest first: posted, announced, disputed and cancelled.",
  query: PageQuery,
  paged: true,
  reply: z.object({ adjustments: z.array(AdjustmentOut) }),
  refusals: [],
})

export const disputeAdjustment = defineCall({
  method: 'POST',
  path: '/user/adjustments/:trx/dispute',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "Disputes an announced adjustment of the caller's balance, once. Two other staff members decide again.",
  params: z.object({ trx: z.string().max(60) }),
  reply: z.object({ adjustment: AdjustmentOut }),
  refusals: ['not_found', 'adjustment_decided'],
})
