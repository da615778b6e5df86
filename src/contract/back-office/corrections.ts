import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { ADJUSTMENT_KINDS } from '#core/wallet/adjustment-rules.ts'
import { IsoTime, PositiveMoneyIn, MoneyOut } from '#contract/wire.ts'

const CorrectionState = z.enum(['waiting', 'announced', 'disputed', 'posted', 'rejected', 'withdrawn'])

/** An adjustment of a balance: positive adds money, negative removes it. */
const CorrectionRow = z.object({
  id: z.string(),
  state: CorrectionState,
  user_id: z.string(),
  username: z.string(),
  trx: z.string(),
  kind: z.enum([...ADJUSTMENT_KINDS, 'before']),
  /** The deposit or adjustment that a negative adjustment reverses. */
  link: z.string().nullable(),
  /** The reason that the user reads. */
  message: z.string(),
  amount: MoneyOut,
  reason: z.string(),
  asked_by: z.string(),
  asked_at: IsoTime,
  /**
   * Null while the adjustment is pending. Also null when the staff member who requested the adjustment withdrew the
   * request.
   */
  decided_by: z.string().nullable(),
  decided_at: IsoTime.nullable(),
  /** When an announced adjustment will be posted. Null when the adjustment was not announced. */
  posts_at: IsoTime.nullable(),
})
export type CorrectionRow = z.output<typeof CorrectionRow>

export const staffCorrections = defineStaffList({
  path: '/admin/corrections',
  may: 'corrections.see',
  summary: 'Adjustments of balances, newest first.',
  filters: { state: optionalFilter(CorrectionState), search: SearchFilter, user: optionalFilter(z.uuid()) },
  row: CorrectionRow,
})

const Id = z.object({ id: z.uuid() })

export const staffCorrection = defineStaffCall({
  method: 'GET',
  path: '/admin/corrections/:id',
  may: 'corrections.see',
  summary: 'An adjustment, with the current balance of its user.',
  params: Id,
  reply: CorrectionRow.extend({
    /** Binds a decision to the content that the staff member saw. */
    content_hash: z.string(),
    cash: MoneyOut,
    words: z.string(),
  }),
  refusals: ['not_found'],
})

export const staffRequestCorrection = defineStaffCall({
  method: 'POST',
  path: '/admin/corrections',
  may: 'corrections.decide',
  summary: 'Requests an adjustment. It moves no money before another staff member approves it.',
  body: z.object({
    user_id: z.uuid(),
    kind: z.enum(ADJUSTMENT_KINDS),
    /** The deposit or adjustment that a negative adjustment reverses. Empty for a credit. */
    link: z.string().trim().max(60).default(''),
    amount: PositiveMoneyIn,
    reason: z.string().trim().max(500),
    /** The reason that the user reads. */
    message: z.string().trim().max(500),
  }),
  reply: z.object({ id: z.string() }),
  refusals: [
    'not_found',
    'amount_invalid',
    'amount_not_positive',
    'reason_needed',
    'correction_not_allowed',
    'not_approver',
  ],
})

const Decision = { params: Id, reply: z.object({ outcome: CorrectionState }) }
const DECISION_REFUSALS = [
  'not_found',
  'already_decided',
  'content_changed',
  'asked_yourself',
  'second_person_needed',
  'not_approver',
  'not_independent',
  'change_pending',
] as const

export const staffApproveCorrection = defineStaffCall({
  method: 'POST',
  path: '/admin/corrections/:id/approve',
  may: 'corrections.decide',
  summary:
    'Approves an adjustment of another staff member, once. A negative adjustment is first announced to its user.',
  ...Decision,
  body: z.object({ content_hash: z.string().max(100) }),
  refusals: DECISION_REFUSALS,
})

export const staffRejectCorrection = defineStaffCall({
  method: 'POST',
  path: '/admin/corrections/:id/reject',
  may: 'corrections.decide',
  summary: 'Rejects an adjustment of another staff member. No money moves.',
  ...Decision,
  body: z.object({ content_hash: z.string().max(100), words: z.string().trim().max(500) }),
  refusals: [...DECISION_REFUSALS, 'reason_needed'],
})

export const staffWithdrawCorrection = defineStaffCall({
  method: 'POST',
  path: '/admin/corrections/:id/withdraw',
  may: 'corrections.decide',
  summary: 'Withdraws a pending adjustment of the caller. No money moves.',
  ...Decision,
  refusals: ['not_found', 'already_decided', 'not_asked_by_you'],
})
