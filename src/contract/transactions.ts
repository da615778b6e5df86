import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { AccountQuery } from '#contract/practice.ts'
import { DirectionOut, IsoTime, MoneyOut, PageQuery, PriceOut, ResultOut } from '#contract/wire.ts'

export const TransactionOut = z.object({
  id: z.string(),
  trx: z.string(),
  amount: MoneyOut,
  updated_at: IsoTime,
  expires_at: IsoTime,
  via: z
    .literal('key')
    .optional()
    .meta({ description: 'A key for programs placed the order. Absent for orders by hand.' }),
  key_name: z.string().optional(),
  remainingTime: z.number().int().meta({ description: 'Seconds until expiry, negative, counting up to 0.' }),
  trade_log: z.object({
    high_low: DirectionOut,
    crypto_currency: z.object({
      name: z.string(),
      symbol: z.string(),
      market_type: z.string(),
      decimals: z.number().int(),
      color: z.string(),
    }),
    price_was: PriceOut,
    post_trade_price: PriceOut.nullable(),
    trade_setting: z.object({ time: z.number().int().meta({ description: 'Seconds.' }) }),
    result: ResultOut,
    result_amount: MoneyOut.nullable(),
    profitCame: z.number().meta({ description: 'Payout in percent.' }),
    void_reason: z.string().nullable(),
    made_good: z.object({ amount: MoneyOut, at: IsoTime }).nullable().meta({
      description: "What was paid in addition, because the source's public record contradicted the result.",
    }),
  }),
})
export type TransactionOut = z.output<typeof TransactionOut>

/** How an order can end. */
const OUTCOMES = ['won', 'lost', 'draw', 'void', 'sold'] as const
export type TransactionOutcome = (typeof OUTCOMES)[number]

export const pendingTransactions = defineCall({
  method: 'GET',
  path: '/user/transactions/pending',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: "The caller's open orders, the next to expire first.",
  query: PageQuery.extend(AccountQuery.shape),
  paged: true,
  reply: z.object({ transactions: z.array(TransactionOut) }),
  refusals: ['practice_none'],
})

export const closedTransactions = defineCall({
  method: 'GET',
  path: '/user/transactions',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: "The caller's settled orders, newest first.",
  query: PageQuery.extend({
    ...AccountQuery.shape,
    outcome: z
      .enum(OUTCOMES)
      .optional()
      .meta({ description: 'Only orders with this outcome. A void order has no price that decides it.' }),
  }),
  paged: true,
  reply: z.object({ transactions: z.array(TransactionOut) }),
  refusals: ['practice_none'],
})
