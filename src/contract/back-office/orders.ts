import { z } from 'zod'
import { PERIOD_FILTERS } from '#contract/back-office/period.ts'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut, PriceOut } from '#contract/wire.ts'

const OrderState = z.enum(['open', 'won', 'lost', 'draw', 'void', 'sold'])

const OrderRow = z.object({
  trx: z.string(),
  state: OrderState,
  user_id: z.string(),
  username: z.string(),
  symbol: z.string(),
  decimals: z.number(),
  direction: z.enum(['buy', 'sell']),
  stake: MoneyOut,
  payout_percent: z.number(),
  seconds: z.number(),
  entry_price: PriceOut,
  exit_price: PriceOut.nullable(),
  /** Net change of the user's money. Null while the order is open. */
  result: MoneyOut.nullable(),
  opened_at: IsoTime,
  expires_at: IsoTime,
  settled_at: IsoTime.nullable(),
})
export type OrderRow = z.output<typeof OrderRow>

export const staffOrders = defineStaffList({
  path: '/admin/orders',
  may: 'orders.see',
  summary: 'Orders of all users, newest first, read-only.',
  filters: {
    state: optionalFilter(OrderState),
    symbol: optionalFilter(z.string().trim().toUpperCase().max(20)),
    /** A username, or the beginning of an order's reference. */
    search: SearchFilter,
    ...PERIOD_FILTERS,
  },
  row: OrderRow,
})

const Tick = z.object({
  /** The tick's sequence number in the tick log. */
  q: z.number(),
  price: PriceOut,
  at: IsoTime,
})

export const staffOrder = defineStaffCall({
  method: 'GET',
  path: '/admin/orders/:trx',
  may: 'orders.see',
  summary: 'An order with the ticks that decided it. No call changes an order.',
  params: z.object({ trx: z.string().max(40) }),
  reply: OrderRow.extend({
    id: z.string(),
    client_order_id: z.string(),
    rule_version: z.number(),
    source: z.string(),
    entry: Tick,
    exit: Tick.nullable(),
    /** The first tick after the expiry. It proves that the exit was the last tick up to the expiry. */
    next: Tick.nullable(),
    /** When the price was decided that settles all orders of this symbol and expiry. */
    decided_at: IsoTime.nullable(),
    watermark_at: IsoTime.nullable(),
    void_reason: z.string().nullable(),
    balance_after: MoneyOut.nullable(),
  }),
  refusals: ['not_found'],
})
