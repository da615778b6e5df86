import { z } from 'zod'
import { APPROVAL_REFUSALS } from '#contract/back-office/money-queues.ts'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { ARRIVAL_SOURCES, ARRIVAL_STATES } from '#core/wallet/deposit-state.ts'

/** Money that arrived. `amount` is a text with all decimals of the currency. */
const ArrivalRow = z.object({
  id: z.string(),
  state: z.enum(ARRIVAL_STATES),
  gateway: z.string(),
  currency: z.string(),
  amount: z.string(),
  source: z.enum(ARRIVAL_SOURCES),
  reference: z.string(),
  seen_at: IsoTime,
  created_at: IsoTime,
  /** The deposit of the arrival, with its user. Null while the arrival is unassigned. */
  trx: z.string().nullable(),
  user_id: z.string().nullable(),
  username: z.string().nullable(),
  /** In the base currency. Null before the credit. */
  credited: MoneyOut.nullable(),
  charge: MoneyOut.nullable(),
  credited_at: IsoTime.nullable(),
  sent_at: IsoTime.nullable(),
  sent_reference: z.string().nullable(),
})
export type ArrivalRow = z.output<typeof ArrivalRow>

const Params = z.object({ id: z.uuid() })

export const staffArrivals = defineStaffList({
  path: '/admin/arrivals',
  may: 'arrivals.see',
  summary: 'Money that arrived, newest first, whether or not it belongs to a deposit.',
  filters: { state: optionalFilter(z.enum(ARRIVAL_STATES)) },
  row: ArrivalRow,
})

export const staffArrival = defineStaffCall({
  method: 'GET',
  path: '/admin/arrivals/:id',
  may: 'arrivals.see',
  summary: 'Money that arrived.',
  params: Params,
  reply: ArrivalRow.extend({
    /** Binds a decision to the content that the staff member saw. */
    content_hash: z.string(),
  }),
  refusals: ['not_found'],
})

const Body = z.object({ content_hash: z.string().max(100), request_id: z.string().min(1).max(64) })
const CHANGED = ['not_found', 'content_changed', 'request_conflict', 'arrival_used'] as const

export const staffAssignArrival = defineStaffCall({
  method: 'POST',
  path: '/admin/arrivals/:id/assign',
  may: 'arrivals.assign',
  summary:
    'Assigns money that nobody asked for to a deposit, or to a user, for whom it makes a deposit. Credits nothing.',
  params: Params,
  body: Body.extend({
    trx: z.string().max(40).optional(),
    username: z.string().max(100).optional(),
  }),
  reply: z.object({ trx: z.string() }),
  refusals: [
    ...CHANGED,
    'deposit_decided',
    'arrival_currency',
    'nothing_to_credit',
    'rate_unavailable',
    'account_closing',
  ],
})

export const staffSendArrivalBack = defineStaffCall({
  method: 'POST',
  path: '/admin/arrivals/:id/sent-back',
  may: 'arrivals.assign',
  summary: 'Records that money which nobody asked for was sent back. Above the limit it takes two people.',
  params: Params,
  body: Body.extend({ reference: z.string().max(200).default(''), reason: z.string().trim().max(300).default('') }),
  reply: z.object({ outcome: z.enum(['sent_back', 'first-approval']) }),
  refusals: [
    ...CHANGED,
    'reference_needed',
    'reference_form',
    'reason_needed',
    'rate_unavailable',
    ...APPROVAL_REFUSALS,
  ],
})
