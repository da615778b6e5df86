import { z } from 'zod'
import {
  APPROVAL_REFUSALS,
  DECIDED_BY,
  DecisionBody,
  QueueFigures,
  RemarkBody,
  RemarksOut,
  TrxParams,
} from '#contract/back-office/money-queues.ts'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { ARRIVAL_SOURCES, ARRIVAL_STATES, DEPOSIT_STATES, DEPOSIT_STEPS } from '#core/wallet/deposit-state.ts'

const DepositState = z.enum(DEPOSIT_STATES)

/** Money that arrived for a deposit. Amounts in `currency` are texts with all decimals of the currency. */
const ArrivalOut = z.object({
  id: z.string(),
  amount: z.string(),
  source: z.enum(ARRIVAL_SOURCES),
  reference: z.string(),
  seen_at: IsoTime,
  state: z.enum(ARRIVAL_STATES),
  /** The rate of this arrival. Later than the quote, it is the rate of the moment the arrival was seen. */
  rate: z.number(),
  /** The credit of the arrival, made or expected. */
  credited: MoneyOut,
  /** The part of the arrival that the charges take, in the base currency. */
  charge: MoneyOut,
  takes_two: z.boolean(),
})
export type DepositArrival = z.output<typeof ArrivalOut>

/** The sum of the arrivals of a deposit, and the credit that an approval would make now. */
const Preview = z.object({
  asked: z.string(),
  arrived: z.string(),
  credits: MoneyOut,
  charges: MoneyOut,
  needs_two: z.boolean(),
})

/** A row of the queue. Amounts are in `currency`, except `credited`, which is in the base currency. */
const DepositRow = z.object({
  trx: z.string(),
  state: DepositState,
  user_id: z.string(),
  username: z.string(),
  gateway: z.string(),
  currency: z.string(),
  amount: MoneyOut,
  charge: MoneyOut,
  total: MoneyOut,
  /** The credit in the base currency for one unit of `currency`. */
  rate: z.number(),
  credited: MoneyOut,
  created_at: IsoTime,
  ...DECIDED_BY,
  needs_two: z.boolean(),
  /** Whether something that arrived waits for an approval. */
  has_due: z.boolean(),
  /** Until when the quoted rate holds. Null: without an end. */
  quoted_until: IsoTime.nullable(),
})
export type DepositRow = z.output<typeof DepositRow>

export const staffDeposits = defineStaffList({
  path: '/admin/deposits',
  may: 'deposits.see',
  summary: 'Deposits: pending ones oldest first, all others newest first.',
  filters: { state: optionalFilter(z.enum([...DepositState.options, 'second_person'])), search: SearchFilter },
  row: DepositRow,
})

export const staffDepositFigures = defineStaffCall({
  method: 'GET',
  path: '/admin/deposits/figures',
  may: 'deposits.see',
  summary: 'The number of pending deposits, their total, since when the oldest waits, and how long decisions take.',
  reply: QueueFigures,
  refusals: [],
})

export const staffDeposit = defineStaffCall({
  method: 'GET',
  path: '/admin/deposits/:trx',
  may: 'deposits.see',
  summary: 'A deposit with all fields that its user filled in.',
  params: TrxParams,
  reply: DepositRow.extend({
    /** Binds a decision to the content that the staff member saw. Any change of the content gives another hash. */
    content_hash: z.string(),
    fields: z.array(z.object({ label: z.string(), value: z.string() })),
    /** The files that the user uploaded. `GET /admin/uploads/:name` returns a file by its `name`. */
    files: z.array(z.object({ label: z.string(), name: z.string(), media_type: z.string() })),
    remarks: RemarksOut,
    feedback: z.string(),
    arrivals: z.array(ArrivalOut),
    preview: Preview,
    /** Whether the deposit was credited before arrivals were stored. */
    is_before_arrivals: z.boolean(),
    /** The history of the deposit, oldest step first. `who` is empty for the user. */
    steps: z.array(
      z.object({ step: z.enum(DEPOSIT_STEPS), at: IsoTime, who: z.string(), words: z.string(), reason: z.string() }),
    ),
    /** The deposits of the same user with the same amount within 24 hours. */
    same_request: z.array(z.string()),
  }),
  refusals: ['not_found'],
})

const Decision = {
  params: TrxParams,
  reply: z.object({ outcome: z.enum(['credited', 'rejected', 'first-approval']) }),
}

export const staffApproveDeposit = defineStaffCall({
  method: 'POST',
  path: '/admin/deposits/:trx/approve',
  may: 'deposits.decide',
  summary:
    'Credits everything that arrived and is not credited yet, once. Above the limit, this is the first of two approvals by different people.',
  ...Decision,
  body: DecisionBody,
  refusals: [
    'not_found',
    'already_decided',
    'content_changed',
    'arrival_missing',
    'nothing_to_credit',
    ...APPROVAL_REFUSALS,
  ],
})

export const staffRecordArrival = defineStaffCall({
  method: 'POST',
  path: '/admin/deposits/:trx/arrived',
  may: 'deposits.decide',
  summary: 'Records what arrived for a deposit, and returns what an approval would credit. Credits nothing by itself.',
  params: TrxParams,
  body: z.object({
    content_hash: z.string().max(100),
    request_id: z.string().min(1).max(64),
    amount: z.string().max(40).meta({ description: 'What arrived, in the currency of the gateway.' }),
    seen_at: IsoTime,
    reference: z.string().max(200).default(''),
    /** Needed for a time inside a quote that is over. */
    reason: z.string().trim().max(300).default(''),
  }),
  reply: z.object({ arrival: z.string(), preview: Preview }),
  refusals: [
    'not_found',
    'already_decided',
    'content_changed',
    'request_conflict',
    'amount_invalid',
    'seen_at_invalid',
    'reason_needed',
    'reference_needed',
    'reference_form',
    'reference_used',
    'rate_unavailable',
  ],
})

export const staffRejectDeposit = defineStaffCall({
  method: 'POST',
  path: '/admin/deposits/:trx/reject',
  may: 'deposits.decide',
  summary: 'Rejects a deposit. The user sees the message.',
  ...Decision,
  body: DecisionBody,
  refusals: ['not_found', 'already_decided', 'content_changed', ...APPROVAL_REFUSALS, 'words_needed'],
})

export const staffRemarkDeposit = defineStaffCall({
  method: 'POST',
  path: '/admin/deposits/:trx/remarks',
  may: 'deposits.see',
  summary: 'Adds a staff note, which the user never sees.',
  params: TrxParams,
  body: RemarkBody,
  reply: z.object({ remarks: RemarksOut }),
  refusals: ['not_found', 'remark_needed'],
})
