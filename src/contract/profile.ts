import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { MoneyOut } from '#contract/wire.ts'

/** The account as its owner sees it. */
export const UserOut = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  balance: MoneyOut,
  staked: MoneyOut.meta({ description: 'Stakes of open orders.' }),
  withdrawing: MoneyOut.meta({ description: 'Held for withdrawals that are pending.' }),
  open_orders: z.number().int(),
  points: z.number(),
  image_path: z.string().nullable(),
  customer_link: z.string().nullable(),
  withdrawal_code_enabled: z.boolean(),
  profile_complete: z.boolean(),
  ev: z.boolean().meta({ description: 'Verified by code.' }),
  currency_symbol: z.string(),
  currency_name: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  mobile: z.string(),
  mobile_code: z.string(),
  country_code: z.string(),
  address: z.object({
    address: z.string(),
    city: z.string(),
    zip: z.string(),
    state: z.string(),
    country: z.string(),
  }),
  trade_status: z.union([z.literal(0), z.literal(1)]),
  trade_reason: z.string(),
})
export type UserOut = z.output<typeof UserOut>

export const profile = defineCall({
  method: 'GET',
  path: '/user/profile',
  who: 'user',
  summary: 'The own account with its balance.',
  reply: z.object({ user: UserOut }),
  refusals: [],
})
