import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { AccountIn, AccountQuery } from '#contract/practice.ts'
import { MoneyIn, MoneyOut, Text } from '#contract/wire.ts'

/** Why an open order cannot be sold back now. */
const NOT_NOW = [
  'sale_off',
  'sale_not_now',
  'sale_pause',
  'price_stale',
  'sale_unsure',
  'sale_after_jump',
  'sale_no_value',
  'sale_running',
] as const

const SaleRequestOut = z.object({
  clientSaleId: z.string(),
  requested_ms: z.number().int(),
  least: MoneyOut,
  state: z.enum(['selling', 'sold', 'lapsed']),
  /** Why the request lapsed. Null in all other states. */
  reason: z
    .enum(['sale_no_price', 'sale_pause', 'sale_unsure', 'sale_after_jump', 'sale_no_value', 'sale_below_least'])
    .nullable(),
})
export type SaleRequestOut = z.output<typeof SaleRequestOut>

export const saleQuote = defineCall({
  method: 'GET',
  path: '/user/trade/:id/sale',
  who: 'verified',
  key: 'read',
  summary:
    'The amount that selling an own open order back would bring at the newest price, and the newest request. Not the price of a sale.',
  params: z.object({ id: Text(60) }),
  query: AccountQuery,
  reply: z.object({
    offer: z
      .object({
        gross: MoneyOut,
        fee: MoneyOut,
        paid: MoneyOut,
        win_percent: z.number().meta({ description: 'The chance to win, by the model of sales.' }),
        fee_percent: z.number().meta({ description: 'The fee, in percent of the stake.' }),
        left_ms: z.number().int(),
      })
      .nullable(),
    why_not: z
      .enum(NOT_NOW)
      .nullable()
      .meta({ description: 'Why it cannot be sold now. Null with an offer, and when the order has ended.' }),
    request: SaleRequestOut.nullable(),
  }),
  refusals: ['practice_none', 'not_found', 'rate_limited'],
})

export const sellOrder = defineCall({
  method: 'POST',
  path: '/user/trade/:id/sell',
  who: 'verified',
  key: 'trade',
  summary:
    'Requests to sell an own open order back. The server sells it at the first price more than a second later, if it then brings `least`.',
  params: z.object({ id: Text(60) }),
  body: z.object({
    least: MoneyIn,
    clientSaleId: z.string().regex(/^[\w-]{1,64}$/),
    account: AccountIn,
  }),
  reply: z.object({ request: SaleRequestOut }),
  refusals: ['practice_none', 'not_found', 'amount_invalid', ...NOT_NOW, 'rate_limited', 'busy'],
})
