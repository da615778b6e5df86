import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime } from '#contract/wire.ts'

const Count = z.number().int().nonnegative()
const Ms = z.number().int()
const Percent = z.number().meta({ description: 'Percent, two decimals at most.' })

const OrdersOut = z.object({
  symbol: z.string().nullable().meta({ description: 'Null in the line of all that had too few users for their own.' }),
  seconds: z.number().int().nullable(),
  payout: Percent.nullable(),
  break_even: Percent.nullable().meta({ description: '1 / (1 + payout): what has to be won to lose nothing.' }),
  wins: Count,
  losses: Count,
  draws: Count,
  voids: Count,
})
export type FairnessOrders = z.output<typeof OrdersOut>

const TimesOut = z.object({
  count: Count,
  median_ms: Ms,
  p95_ms: Ms,
  p99_ms: Ms,
  histogram: z.array(
    z.object({ up_to_ms: Ms.nullable().meta({ description: 'Null in the last one, without end.' }), count: Count }),
  ),
})
export type FairnessTimes = z.output<typeof TimesOut>

const SalesOut = z.object({
  symbol: z.string(),
  seconds: z.number().int(),
  orders: Count,
  paid: Percent.meta({ description: 'What the sales paid, in percent of the stakes. Two decimals at most.' }),
  fee: Percent.meta({ description: 'The fee that is taken off in `paid`, in percent of the stakes.' }),
  at_expiry: Percent.meta({
    description: 'What the same orders would have paid at their expiry, in percent of the stakes.',
  }),
})

const GroupOut = z.object({
  who: z.enum(['people', 'bots']),
  users: Count.nullable().meta({
    description: 'Users with closed orders. Null, like the rest, when they are too few.',
  }),
  losing_users: Count.nullable().meta({ description: 'Those whose closed orders sum to less than zero.' }),
  losing_share: Percent.nullable(),
  ahead_users: Count.nullable().meta({ description: 'Those whose closed orders sum to more than zero.' }),
  orders: z.array(OrdersOut),
  acceptance: TimesOut.nullable().meta({
    description:
      'From when the server had the request until the order had its price. It is written, and its user told, after that.',
  }),
  not_timed: Count.nullable().meta({
    description: 'Orders that are not in `acceptance`: when their request came is not stored.',
  }),
  lateness: TimesOut.nullable().meta({ description: 'From the expiry to the result.' }),
})
export type FairnessGroup = z.output<typeof GroupOut>

const WindowOut = z.object({
  days: z.number().int(),
  since: IsoTime,
  groups: z.array(GroupOut),
  sales: z.array(SalesOut).meta({
    description:
      'Orders of people that were sold back and whose expiry has passed. Lines of too few users are left out.',
  }),
  withdrawals: z
    .object({ decided: Count, median_ms: Ms, p95_ms: Ms })
    .nullable()
    .meta({ description: 'Null when they are of too few users.' }),
})
export type FairnessWindow = z.output<typeof WindowOut>

export const FairnessOut = z.object({
  computed_at: IsoTime,
  until: IsoTime.meta({ description: 'What was closed before this instant is counted.' }),
  least_users: z.number().int().meta({ description: 'Groups of fewer people are not broken down.' }),
  expiries: z.array(z.object({ seconds: z.number().int(), payout: Percent, break_even: Percent })),
  windows: z.array(WindowOut),
  pending_withdrawals: z.object({ count: Count, oldest_ms: Ms.nullable(), late: Count }),
  queries: z.array(
    z.object({
      figure: z.enum(['orders', 'losing', 'acceptance', 'lateness', 'withdrawals', 'pending', 'expiries', 'sales']),
      sql: z.string(),
    }),
  ),
})
export type Fairness = z.output<typeof FairnessOut>

export const fairness = defineCall({
  method: 'GET',
  path: '/proof/fairness',
  who: 'anyone',
  key: 'read',
  summary:
    'How orders ended, who lost, how fast orders were accepted, and how late results and withdrawals were. Computed once an hour from stored data.',
  reply: z.object({ fairness: FairnessOut.nullable().meta({ description: 'Null until they were first computed.' }) }),
  refusals: [],
})

/** The same figures as CSV, one value per line. Plain text without an envelope. */
export const FAIRNESS_CSV_PATH = '/proof/fairness.csv'
