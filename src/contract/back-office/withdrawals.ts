import { z } from 'zod'
import {
  APPROVAL_REFUSALS,
  DECIDED_BY,
  QueueFigures,
  RemarkBody,
  RemarksOut,
  TrxParams,
} from '#contract/back-office/money-queues.ts'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { MAX_AGAIN_DAYS } from '#core/wallet/leave.ts'
import { IsoTime, MoneyIn, MoneyOut } from '#contract/wire.ts'
import { REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'
import { WITHDRAWAL_CHECKS } from '#core/wallet/withdrawal-checks.ts'
import { STEP_NAMES, WITHDRAWAL_STATES } from '#core/wallet/withdrawal-state.ts'

const Check = z.enum(WITHDRAWAL_CHECKS)

/** A row of the queue. Amounts are in the base currency, except `paid_out`, which is in `currency`. */
const WithdrawalRow = z.object({
  trx: z.string(),
  state: z.enum(WITHDRAWAL_STATES),
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
  /** The staff member who is making the payment, and when they started. */
  paying_by: z.string().nullable(),
  paying_since: IsoTime.nullable(),
  /** Whether the payment has taken longer than an hour. */
  is_overdue: z.boolean(),
  paid_by: z.string().nullable(),
  /** The reference of the payment. Null for payments made before references were stored. */
  reference: z.string().nullable(),
  needs_two: z.boolean(),
  /** The checks that failed. Empty as soon as the withdrawal is decided. */
  concerns: z.array(Check),
  /**
   * Whether a blocked user withdraws the whole balance in order to leave the site. Two people must agree to reject such
   * a payment.
   */
  is_leave: z.boolean(),
  /**
   * For a payment to a user who leaves: whether no part of the amount is principal (credited deposits minus paid
   * withdrawals).
   */
  is_above_principal: z.boolean(),
  /** The time by which a pending withdrawal has to be paid or rejected. */
  due_at: IsoTime.nullable(),
})
export type WithdrawalRow = z.output<typeof WithdrawalRow>

export const staffWithdrawals = defineStaffList({
  path: '/admin/withdrawals',
  may: 'withdrawals.see',
  summary:
    'Withdrawals: those to be decided or paid oldest first, all others newest first. Rejected ones include cancelled ones, failed ones include those that came back.',
  filters: {
    state: optionalFilter(z.enum(['waiting', 'second_person', 'to_pay', 'being_paid', 'paid', 'failed', 'rejected'])),
    search: SearchFilter,
  },
  row: WithdrawalRow,
})

const WithdrawalFigures = QueueFigures.extend({ to_pay: z.number().int(), being_paid: z.number().int() })
export type WithdrawalFigures = z.output<typeof WithdrawalFigures>

export const staffWithdrawalFigures = defineStaffCall({
  method: 'GET',
  path: '/admin/withdrawals/figures',
  may: 'withdrawals.see',
  summary:
    'How many withdrawals wait for a decision and for their payment, the amount held for them, since when the oldest waits, and how long payments take.',
  reply: WithdrawalFigures,
  refusals: [],
})

export const staffWithdrawal = defineStaffCall({
  method: 'GET',
  path: '/admin/withdrawals/:trx',
  may: 'withdrawals.see',
  summary: 'A withdrawal: its payment details, the checks before a payment, and its transfers in the ledger.',
  params: TrxParams,
  reply: WithdrawalRow.extend({
    /** Binds a decision to the content that the staff member saw. Any change of the content gives another hash. */
    content_hash: z.string(),
    /** The payment details at the time of the request. */
    details: z.array(z.object({ label: z.string(), value: z.string() })),
    /** Checks of a pending withdrawal. `count`: earlier payouts to the same details, or days since the PIN changed. */
    checks: z.array(z.object({ check: Check, passed: z.boolean(), count: z.number().int().nullable() })),
    /** The payment destination in a canonical text form. Null when no field of the method is a destination. */
    destination: z.string().nullable(),
    /** The history of the withdrawal, oldest step first. `who` is empty for the user. */
    steps: z.array(
      z.object({ step: z.enum(STEP_NAMES), at: IsoTime, who: z.string(), words: z.string(), reason: z.string() }),
    ),
    /** Whether the payment was recorded before references were stored. */
    is_before_references: z.boolean(),
    /** The withdrawal's transfers in the ledger. With `at` null: transfers that the payment would add. */
    moves: z.array(
      z.object({
        kind: z.string(),
        from: z.string(),
        to: z.string(),
        amount: MoneyOut,
        at: IsoTime.nullable(),
      }),
    ),
    /** Totals of the withdrawal's user in the last 30 days. */
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

/**
 * The body of every step: a hash of the content that the staff member saw, and an id made by the client. The id lets a
 * repeated call have no second effect.
 */
const StepBody = z.object({ content_hash: z.string().max(100), request_id: z.string().min(1).max(64) })
const UserWords = z.string().trim().max(500).default('')
/** A reason that only staff members can read. */
const Reason = z.string().trim().max(300).default('')
const Outcome = z.object({ outcome: z.enum(STEP_NAMES) })
const CHANGED = ['not_found', 'content_changed', 'request_conflict'] as const
const OWN = [...CHANGED, 'not_being_paid', 'not_yours'] as const

export const staffApproveWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/approve',
  may: 'withdrawals.decide',
  summary:
    'Approves a withdrawal, so that it may be paid. Above the limit, this is the first of two approvals by different people. What looks like a duplicate takes a reason.',
  params: TrxParams,
  body: StepBody.extend({ words: UserWords, reason: Reason }),
  reply: Outcome,
  refusals: [
    ...CHANGED,
    'already_decided',
    'withdrawal_being_paid',
    ...APPROVAL_REFUSALS,
    'reason_needed',
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
    'Rejects a withdrawal before its payment begins, and returns its whole amount. The user sees the reason and the message. A second rejection within 30 days takes two people, and each refusal of a user who leaves.',
  params: TrxParams,
  body: StepBody.extend({
    words: UserWords,
    reason_code: z.enum(REJECTION_CODES),
    /**
     * When staff refuse a blocked user's withdrawal of the whole balance: the days until the user can request it again.
     */
    again_days: z.number().int().min(1).max(MAX_AGAIN_DAYS).optional(),
  }),
  reply: Outcome,
  refusals: [
    ...CHANGED,
    'already_decided',
    'withdrawal_being_paid',
    ...APPROVAL_REFUSALS,
    'words_needed',
    'reason_needed',
    'identity_not_needed',
    'reason_not_allowed',
    'again_needed',
  ],
})

export const staffStartPaying = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/pay',
  may: 'withdrawals.pay',
  summary: 'Begins the payment of an approved withdrawal. Nobody else pays it, and it can no longer be cancelled.',
  params: TrxParams,
  body: StepBody,
  reply: Outcome,
  refusals: [...CHANGED, 'not_approved', 'withdrawal_being_paid', 'destination_invalid', 'ledger_unclean'],
})

export const staffMarkPaid = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/paid',
  may: 'withdrawals.pay',
  summary: 'Records the payment with its reference, once. The held amount leaves the account.',
  params: TrxParams,
  body: StepBody.extend({
    reference: z.string().max(200).default(''),
    /** When the payment was sent. If the field is absent, the server uses the present time. */
    paid_at: IsoTime.optional(),
    /** The sent amount in the method's currency. If the field is absent, the server uses the amount that was due. */
    sent_amount: MoneyIn.optional(),
    network_fee: MoneyIn.optional(),
  }),
  reply: Outcome,
  refusals: [...OWN, 'reference_needed', 'reference_form', 'reference_used', 'paid_at_invalid'],
})

export const staffMarkUnsent = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/unsend',
  may: 'withdrawals.pay',
  summary:
    'Ends a payment that was not sent. The withdrawal is approved as before. Payments of a file are ended with the file.',
  params: TrxParams,
  body: StepBody.extend({ words: UserWords }),
  reply: Outcome,
  refusals: [...OWN, 'words_needed', 'in_payment_file'],
})

export const staffMarkFailed = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/fail',
  may: 'withdrawals.pay',
  summary: 'Records that the payment is not possible and did not arrive. The whole amount is returned.',
  params: TrxParams,
  body: StepBody.extend({ words: UserWords }),
  reply: Outcome,
  refusals: [...OWN, 'words_needed'],
})

export const staffReturnWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/return',
  may: 'withdrawals.pay',
  summary:
    'Records that a payment came back. The user gets all that was taken, with the fees. Above the limit it takes two people.',
  params: TrxParams,
  body: StepBody.extend({ words: UserWords, reference: z.string().max(200).default('') }),
  reply: Outcome,
  refusals: [
    ...CHANGED,
    'already_decided',
    'not_paid',
    'words_needed',
    'reference_needed',
    'reference_form',
    ...APPROVAL_REFUSALS,
  ],
})

export const staffTakeOverWithdrawal = defineStaffCall({
  method: 'POST',
  path: '/admin/withdrawals/:trx/take-over',
  may: 'withdrawals.take_over',
  summary: 'Takes over a payment that somebody else began.',
  params: TrxParams,
  body: StepBody.extend({ reason: Reason }),
  reply: Outcome,
  refusals: [...CHANGED, 'not_being_paid', 'reason_needed'],
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
