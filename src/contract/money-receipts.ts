import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { ReceiptOut } from '#contract/receipts.ts'
import { RegisterProofOut } from '#contract/register.ts'
import { Text } from '#contract/wire.ts'

export const proofMoney = defineCall({
  method: 'GET',
  path: '/proof/money/:trx',
  who: 'anyone',
  key: 'read',
  leaving: true,
  summary:
    'The signed receipts of the steps of a deposit, a withdrawal or an adjustment. Only its user gets amount and destination.',
  params: z.object({ trx: Text(40) }),
  reply: z.object({
    receipts: z.array(ReceiptOut).readonly(),
    proofs: z
      .array(RegisterProofOut.nullable())
      .readonly()
      .meta({ description: 'Where the register holds each receipt: null for up to two minutes after it was made.' }),
  }),
  refusals: ['receipt_unknown', 'receipt_not_yet', 'rate_limited'],
})
