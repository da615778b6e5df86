import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { FORM_REFUSALS, FormField, GatewayOut, MethodVersionIn } from '#contract/deposits.ts'
import { REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'
import { USER_STEPS, WITHDRAWAL_STATES } from '#core/wallet/withdrawal-state.ts'
import { IdIn, IsoTime, LabelledValues, MoneyIn, MoneyOut, PageQuery, PinIn } from '#contract/wire.ts'

/**
 * A withdrawal method. Limits and charges are in the base currency. `currency` is the currency of the payment,
 * converted at the rate.
 */
export const WithdrawMethodOut = GatewayOut.omit({
  is_automatic: true,
  is_live_rate: true,
  address_history: true,
}).extend({
  hasMethod: z.boolean().meta({ description: 'The user has saved all required details.' }),
  user_withdrawal_details: z
    .object({
      withdrawal_information: z
        .string()
        .meta({ description: 'JSON text: a list of { name, label, type, value, is_required }.' }),
    })
    .nullable(),
})
export type WithdrawMethodOut = z.output<typeof WithdrawMethodOut>

export const withdrawMethods = defineCall({
  method: 'GET',
  path: '/user/payment-gateways/withdraw',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "The methods for withdrawals, with the caller's saved details, and whether withdrawals are open.",
  reply: z.object({
    methods: z.array(WithdrawMethodOut),
    withdraw_status: z.union([z.literal(0), z.literal(1)]),
    withdraw_reason: z.string().meta({ description: 'Reason while withdrawals are closed.' }),
    image_path: z.string(),
  }),
  refusals: [],
})

export const withdrawMethod = defineCall({
  method: 'GET',
  path: '/user/withdrawals/user-withdrawals/:id',
  who: 'verified',
  key: 'never',
  summary: "A method and its form with the caller's saved details.",
  params: z.object({ id: IdIn }),
  reply: z.object({
    method: WithdrawMethodOut,
    withdrawal_information: z.array(FormField.extend({ value: z.string() })),
  }),
  refusals: ['not_found'],
})

export const saveWithdrawMethod = defineCall({
  method: 'POST',
  path: '/user/withdrawals/user-withdrawals',
  who: 'verified',
  key: 'never',
  summary: "Saves the caller's payment details for a method: the values of its form by label.",
  body: z.object({ withdraw_method_id: IdIn, withdrawal_information: LabelledValues }),
  reply: z.object({ method: WithdrawMethodOut }),
  refusals: ['confirmation_needed', 'gateway_unknown', ...FORM_REFUSALS],
})

export const WithdrawalOut = z.object({
  trx: z.string(),
  status: z
    .union([z.literal(1), z.literal(2), z.literal(3)])
    .meta({ description: '1 success, 2 pending, 3 the money is back.' }),
  state: z.enum(WITHDRAWAL_STATES),
  steps: z
    .array(z.object({ step: z.enum(USER_STEPS), at: IsoTime }))
    .meta({ description: 'Its history, oldest first.' }),
  reference: z.string().nullable().meta({
    description: 'The reference of its payment. Null before it, and for payments from before references were kept.',
  }),
  can_cancel: z.boolean(),
  created_at: IsoTime,
  method: z.string(),
  method_image: z.string().meta({ description: 'Picture of the method; empty if none.' }),
  currency: z.string().meta({ description: 'Currency of `paid_out`. All other amounts are in the base currency.' }),
  amount: MoneyOut,
  percent_charge: MoneyOut,
  fixed_charge: MoneyOut,
  charge: MoneyOut,
  rate: z.number(),
  paid_out: MoneyOut,
  admin_feedback: z.string(),
  is_cancelled: z.boolean().meta({ description: 'The user cancelled it.' }),
  reason_code: z.enum(REJECTION_CODES).nullable().meta({ description: 'Why staff rejected it.' }),
  due_at: IsoTime.nullable().meta({ description: 'The time by which a pending one has to be paid or rejected.' }),
})
export type WithdrawalOut = z.output<typeof WithdrawalOut>

export const withdrawals = defineCall({
  method: 'GET',
  path: '/user/withdrawals',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "The caller's withdrawals, newest first.",
  query: PageQuery,
  paged: true,
  reply: z.object({ withdrawals: z.array(WithdrawalOut) }),
  refusals: [],
})

export const saveWithdrawal = defineCall({
  method: 'POST',
  path: '/user/withdrawals/save',
  who: 'verified',
  key: 'never',
  summary:
    'Requests a withdrawal. The amount is held and the quote is frozen immediately. Staff approve and pay the withdrawal, or reject it.',
  body: z.object({
    method_id: IdIn,
    method_version: MethodVersionIn,
    amount: MoneyIn,
    fields: LabelledValues.optional().meta({
      description:
        'Details that replace saved ones. If this destination is neither saved nor paid before, it is saved, which needs a confirmation and pauses withdrawals.',
    }),
    withdrawal_code: PinIn.meta({ description: 'The withdrawal PIN.' }),
    client_request_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'A repeated id returns the existing withdrawal. With other content, the status is 409.' }),
  }),
  reply: z.object({ withdrawal: WithdrawalOut }),
  refusals: [
    'withdrawals_closed',
    'withdrawals_paused',
    'confirmation_needed',
    'gateway_unknown',
    'gateway_changed',
    ...FORM_REFUSALS,
    'amount_invalid',
    'below_minimum',
    'above_maximum',
    'pin_missing',
    'pin_format',
    'pin_wrong',
    'pin_locked',
    'insufficient_balance',
    'withdrawal_conflict',
  ],
})

export const cancelWithdrawal = defineCall({
  method: 'POST',
  path: '/user/withdrawals/:trx/cancel',
  who: 'verified',
  key: 'never',
  summary:
    'Cancels a withdrawal of the caller before its payment begins, where the site allows it. Its amount is available again immediately.',
  params: z.object({ trx: z.string().max(40) }),
  reply: z.object({ withdrawal: WithdrawalOut }),
  refusals: ['not_found', 'withdrawal_decided', 'withdrawal_being_paid', 'withdrawal_locked'],
})

export const saveWithdrawalPin = defineCall({
  method: 'POST',
  path: '/user/profile/withdrawal-code',
  who: 'verified',
  key: 'never',
  summary: 'Sets the withdrawal PIN of six digits. The current PIN is required if one is set.',
  body: z.object({
    current_withdrawal_code: PinIn.nullish(),
    withdrawal_code: PinIn.min(1),
    withdrawal_code_confirmation: PinIn.min(1),
  }),
  reply: z.object({ withdrawal_code_enabled: z.literal(true) }),
  refusals: ['confirmation_needed', 'field_required', 'pin_format', 'pin_mismatch', 'pin_wrong', 'pin_locked'],
})
