import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut, OptionalText } from '#contract/wire.ts'

const ClosingOut = z.object({
  closing: z
    .object({
      requested_at: IsoTime,
      erases_at: IsoTime.meta({ description: 'The earliest time of the erasing. Until then the caller can cancel.' }),
    })
    .nullable(),
  obstacles: z
    .object({
      open_orders: z.number().int(),
      withdrawals: z.number().int(),
      deposits: z.number().int(),
      decisions: z
        .number()
        .int()
        .meta({ description: 'Adjustments and payments that staff have not decided or paid.' }),
      cash: MoneyOut,
    })
    .meta({ description: 'What has to end before the erasing. All are zero when nothing is left.' }),
  excluded_until: IsoTime.nullable().meta({ description: 'During an exclusion, closing cannot be cancelled.' }),
  kept_years: z.number().int().meta({
    description: 'How long the operator keeps identity and payments, encrypted, because the law asks for it.',
  }),
})
export type ClosingOut = z.output<typeof ClosingOut>

export const closing = defineCall({
  method: 'GET',
  path: '/user/close',
  who: 'user',
  key: 'read',
  summary: 'Whether the caller closes the account, what stands in the way of erasing it, and what is kept.',
  reply: ClosingOut,
  refusals: [],
})

export const closeAccount = defineCall({
  method: 'POST',
  path: '/user/close',
  who: 'user',
  key: 'never',
  summary:
    'Closes the account. It takes no orders and no deposits from now on. The data is erased 14 days later, when nothing is left to end or to pay out.',
  body: z.object({ reason: OptionalText(500) }),
  reply: ClosingOut,
  refusals: ['confirmation_needed'],
})

export const cancelClosing = defineCall({
  method: 'POST',
  path: '/user/close/cancel',
  who: 'user',
  key: 'never',
  summary: 'Keeps the account, within 14 days of the request and not during an exclusion.',
  reply: ClosingOut,
  refusals: ['closing_final', 'excluded'],
})
