import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { AccountQuery } from '#contract/practice.ts'
import { PeriodQuery } from '#contract/statement.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

const Count = z.number().int()
const Percent = z.number().nullable()

const Counted = {
  orders: Count,
  staked: MoneyOut.meta({ description: 'Without void orders, whose stakes were returned.' }),
  net: MoneyOut,
  hit_rate: Percent.meta({ description: 'Wins among wins and losses, in percent. Null without any.' }),
  break_even: Percent.meta({ description: 'The hit rate at which the same orders come out even, in percent.' }),
}
export type CountedOrders = z.output<z.ZodObject<typeof Counted>>

const FiguresOut = z.object({
  from: IsoTime,
  to: IsoTime,
  zone: z.string(),
  ...Counted,
  wins: Count,
  losses: Count,
  draws: Count,
  voids: Count,
  hit_low: Percent.meta({ description: 'The range of 95 % (Wilson) of the hit rate, in percent.' }),
  hit_high: Percent,
  hit_by_stake: Percent,
  average_stake: MoneyOut.nullable(),
  median_stake: MoneyOut.nullable(),
  best: MoneyOut.nullable(),
  worst: MoneyOut.nullable(),
  longest_session_ms: Count,
  deposits: MoneyOut,
  withdrawals: MoneyOut.meta({ description: 'Paid withdrawals, with their charges.' }),
  by_day: z.array(z.object({ day: z.string(), ...Counted })),
  by_market: z.array(z.object({ symbol: z.string(), ...Counted })),
  by_expiry: z.array(z.object({ seconds: Count, ...Counted })),
  by_weekday: z.array(z.object({ weekday: Count.meta({ description: '0 is Sunday.' }), ...Counted })),
  line: z.array(z.tuple([Count, MoneyOut])).meta({
    description: 'Net result after an order, by time: the first, last, lowest and highest of each step, at most 500.',
  }),
  as_of: IsoTime,
  until_number: Count.meta({ description: 'The number of the newest result when it was counted.' }),
})
export type FiguresOut = z.output<typeof FiguresOut>

export const figures = defineCall({
  method: 'GET',
  path: '/user/figures',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: "Figures of the caller's orders that ended in a period. Cached for ten minutes, or until the next result.",
  query: PeriodQuery.extend({
    ...AccountQuery.shape,
    from: PeriodQuery.shape.from
      .optional()
      .meta({ description: 'The first day. Without it, all from the first order.' }),
  }),
  reply: z.object({ figures: FiguresOut }),
  refusals: ['practice_none', 'figures_period', 'figures_large', 'rate_limited'],
})
