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

/** Numbers on the app's wire: 1 credited, 2 waiting, 3 rejected. */
const DepositState = z.enum(['waiting', 'credited', 'rejected'])

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
  summary: 'Credits the quoted amount, once. Above the limit, this is the first of two approvals by different people.',
  ...Decision,
  body: DecisionBody,
  refusals: ['not_found', 'already_decided', 'content_changed', ...APPROVAL_REFUSALS],
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
