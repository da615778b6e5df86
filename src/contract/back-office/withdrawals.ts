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
import { MAX_AGAIN_DAYS } from '#core/wallet/leave.ts'
import { REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'
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
  /** A payment to a blocked user who leaves. Refusing it takes two people. */
  is_leave: z.boolean(),
  /** Of a leave: no part of it is principal. */
  is_above_principal: z.boolean(),
  /** The time by which a pending one has to be decided. */
  due_at: IsoTime.nullable(),
})
export type WithdrawalRow = z.output<typeof WithdrawalRow>

export const staffWithdrawals = defineStaffList({
  path: '/admin/withdrawals',
  may: 'withdrawals.see',
  summary: 'Withdrawals: pending ones oldest first, all others newest first. Rejected ones include cancelled ones.',
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
  summary:
    'The number of pending withdrawals, the amount held for them, since when the oldest waits, and how long payments take.',
  reply: QueueFigures,
  refusals: [],
})

export const staffWithdrawal = defineStaffCall({
  method: 'GET',
  path: '/admin/withdrawals/:trx',
  may: 'withdrawals.see',
  summary: 'A withdrawal: its payment details, the checks before a payment, and its transfers in the ledger.',
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

const Outcome = z.object({ outcome: z.enum(['paid', 'rejected', 'first-approval', 'first-rejection']) })

export const staffApproveWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/approve',
  may: 'withdrawals.decide',
  summary: 'Marks a withdrawal as paid, once. Above the limit, this is the first of two approvals by different people.',
  params: TrxParams,
  body: DecisionBody,
  reply: Outcome,
  refusals: [
    'not_found',
    'already_decided',
    'content_changed',
    ...APPROVAL_REFUSALS,
    'identity_not_needed',
    'reason_not_allowed',
    'again_needed',
  ],
})

export const staffRejectWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/reject',
  may: 'withdrawals.decide',
  summary:
    'Rejects a withdrawal and returns its whole amount. The user sees the reason and the message. A second rejection within 30 days takes two people, and each refusal of a user who leaves.',
  params: TrxParams,
  body: DecisionBody.extend({
    reason_code: z.enum(REJECTION_CODES),
    /** Days until a user whose leave is refused can ask again. */
    again_days: z.number().int().min(1).max(MAX_AGAIN_DAYS).optional(),
  }),
  reply: Outcome,
  refusals: [
    'not_found',
    'already_decided',
    'content_changed',
    ...APPROVAL_REFUSALS,
    'words_needed',
    'identity_not_needed',
    'reason_not_allowed',
    'again_needed',
  ],
})

export const staffRemarkWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/remarks',
  may: 'withdrawals.see',
  summary: 'Adds a staff note, which the user never sees.',
  params: TrxParams,
  body: RemarkBody,
  reply: z.object({ remarks: RemarksOut }),
  refusals: ['not_found', 'remark_needed'],
})
