import { z } from 'zod'
import { ACCOUNTS } from '#core/accounts/practice.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

/** The account that a request is about. */
export const AccountIn = z.enum(ACCOUNTS).optional().meta({
  description: 'The account with money (`live`, the default) or the practice account (`practice`).',
})
export const AccountQuery = z.object({ account: AccountIn })

const PracticeOut = z.object({
  exists: z.boolean(),
  balance: MoneyOut.meta({ description: 'In practice money, which is worth nothing.' }),
  open_orders: z.number().int(),
  granted: MoneyOut.meta({ description: 'All practice money that the account ever got, less what resets took back.' }),
  reset_at: IsoTime.nullable(),
  may_reset_at: IsoTime.nullable().meta({ description: 'The next reset is possible from then on. Null: at once.' }),
})
export type PracticeOut = z.output<typeof PracticeOut>

export const practice = defineCall({
  method: 'GET',
  path: '/user/practice',
  who: 'verified',
  key: 'read',
  summary: "The caller's practice account. Nothing in it is money. A demo has none: everything is practice there.",
  reply: PracticeOut,
  refusals: ['practice_none'],
})

export const openPractice = defineCall({
  method: 'POST',
  path: '/user/practice/open',
  who: 'verified',
  key: 'never',
  summary: 'Opens the practice account with 10,000.00 of practice money. A second call changes nothing.',
  reply: PracticeOut,
  refusals: ['practice_none'],
})

export const resetPractice = defineCall({
  method: 'POST',
  path: '/user/practice/reset',
  who: 'verified',
  key: 'never',
  summary: 'Brings the practice balance back to 10,000.00, once an hour, while no practice order is open.',
  body: z.object({
    client_request_id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .nullish()
      .meta({ description: 'A repeat with the same id changes nothing.' }),
  }),
  reply: PracticeOut,
  refusals: ['practice_none', 'practice_orders_open', 'practice_too_soon'],
})
