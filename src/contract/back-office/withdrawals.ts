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
import { WITHDRAWAL_CHECKS } from '#core/wallet/withdrawal-checks.ts'

const Check = z.enum(WITHDRAWAL_CHECKS)

/** A row of the queue. Amounts are in the base currency, except `paid_out`, which is in `currency`. */
const WithdrawalRow = z.object({
  trx: z.string(),
  state: z.enum(['waiting', 'paid', 'rejected', 'cancelled']),
  user_id: z.string(),
  username: z.string(),
  method: z.string(),
  /** Payment details at the time of the request: abbreviated in lists, complete in CSV files. */
  pay_to: z.string(),
  currency: z.string(),
  amount: MoneyOut,
  charge: MoneyOut,
  /** The price of one unit of `currency` in the base currency. */
  rate: z.number(),
  paid_out: MoneyOut,
  created_at: IsoTime,
  ...DECIDED_BY,
  needs_two: z.boolean(),
  /** Failed checks. Empty once the withdrawal is decided. */
  concerns: z.array(Check),
})
export type WithdrawalRow = z.output<typeof WithdrawalRow>

export const staffWithdrawals = defineStaffList({
  path: '/admin/withdrawals',
  may: 'withdrawals.see',
  summary:
    'Withdrawals: those that wait the longest first, all others newest first. Rejected ones include the cancelled.',
  filters: {
    state: optionalFilter(z.enum(['waiting', 'second_person', 'paid', 'rejected'])),
    search: SearchFilter,
  },
  row: WithdrawalRow,
})

export const staffWithdrawalFigures = defineStaffCall({
  method: 'GET',
  path: '/admin/withdrawals/figures',
  may: 'withdrawals.see',
  summary: 'How many withdrawals wait, how much is held for them, since when, and how long paying takes.',
  reply: QueueFigures,
  refusals: [],
})

export const staffWithdrawal = defineStaffCall({
  method: 'GET',
  path: '/admin/withdrawals/:trx',
  may: 'withdrawals.see',
  summary: 'One withdrawal: where it is to be paid, what to look at before, and what the ledger takes for it.',
  params: TrxParams,
  reply: WithdrawalRow.extend({
    /** Binds a decision to the content that the staff member saw. Any change gives another hash. */
    content_hash: z.string(),
    /** The details at the time of the request. */
    details: z.array(z.object({ label: z.string(), value: z.string() })),
    /** Checks of a pending withdrawal. `count`: earlier payouts to the same details, or days since the PIN changed. */
    checks: z.array(z.object({ check: Check, passed: z.boolean(), count: z.number().int().nullable() })),
    /** Its transfers in the ledger. With `at` null: those that an approval would add. */
    moves: z.array(
      z.object({
        kind: z.string(),
        from: z.string(),
        to: z.string(),
        amount: MoneyOut,
        at: IsoTime.nullable(),
      }),
    ),
    /** Totals of its user in the last 30 days. */
    recent: z.object({
      deposited: MoneyOut,
      withdrawn: MoneyOut,
      orders: z.number().int(),
      won: z.number().int(),
    }),
    remarks: RemarksOut,
    feedback: z.string(),
  }),
  refusals: ['not_found'],
})

const Outcome = z.object({ outcome: z.enum(['paid', 'rejected', 'first-approval']) })

export const staffApproveWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/approve',
  may: 'withdrawals.decide',
  summary: 'Says that it has been paid, once; above the limit it is the first of two approvals by different people.',
  params: TrxParams,
  body: DecisionBody,
  reply: Outcome,
  refusals: ['not_found', 'already_decided', 'content_changed', ...APPROVAL_REFUSALS],
})

export const staffRejectWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/reject',
  may: 'withdrawals.decide',
  summary: 'Gives all of it back. The user reads the words.',
  params: TrxParams,
  body: DecisionBody,
  reply: Outcome,
  refusals: ['not_found', 'already_decided', 'content_changed', ...APPROVAL_REFUSALS, 'words_needed'],
})

export const staffRemarkWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/remarks',
  may: 'withdrawals.see',
  summary: 'Adds a remark for the staff. The user never reads it.',
  params: TrxParams,
  body: RemarkBody,
  reply: z.object({ remarks: RemarksOut }),
  refusals: ['not_found', 'remark_needed'],
})
