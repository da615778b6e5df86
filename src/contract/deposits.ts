import { z } from 'zod'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import { DEPOSIT_STATES, DEPOSIT_USER_STEPS } from '#core/wallet/deposit-state.ts'
import { defineCall } from '#contract/call.ts'
import { FormValueIn } from '#contract/files.ts'
import { IdIn, IsoTime, MoneyIn, MoneyOut, PageQuery } from '#contract/wire.ts'

/** Why the value of a form field is refused. */
export const FORM_REFUSALS = [
  'field_required',
  'field_invalid',
  'field_repeated',
  'destination_form',
  'destination_checksum',
  'destination_network',
] as const

export const FormField = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  is_required: z.boolean(),
  hint: z.string().optional(),
  options: z.array(z.string()).readonly().optional().meta({ description: 'Options of a select.' }),
  max_length: z.number().optional(),
  pictures_only: z.boolean().optional().meta({ description: 'Whether a file must be a picture.' }),
  network: z
    .string()
    .optional()
    .meta({ description: 'Network of a destination: iban, bitcoin, evm, tron or litecoin. The checksum is verified.' }),
  value: z.string().optional(),
})
export type FormField = z.output<typeof FormField>

/** The version of the method that the user saw. A request for another version is refused. */
export const MethodVersionIn = IdIn.optional().meta({
  description: 'The version that the user saw. If the method has changed since, the status is 409.',
})

export const GatewayOut = z.object({
  address_history: z
    .object({
      since: IsoTime,
      before: z.string().nullable().meta({ description: 'The last letters of the former address, for seven days.' }),
    })
    .nullable()
    .meta({ description: 'Since when the wallet address counts. Null when there is none or its start is unknown.' }),
  id: z.number().int(),
  version: z.number().int().meta({ description: 'Rises with every change by staff.' }),
  name: z.string(),
  image: z.string(),
  is_live_rate: z.boolean().meta({ description: 'The rate is a live price, fixed when a deposit is made.' }),
  is_automatic: z.boolean().meta({ description: 'Credits immediately, without an approval.' }),
  single_currency: z.object({
    currency: z.string(),
    min_amount: MoneyOut,
    max_amount: MoneyOut,
    fixed_charge: MoneyOut,
    percent_charge: z.number(),
    rate: z.number().meta({ description: 'Base currency per unit of the gateway currency; 0 while unknown.' }),
    wallet_address: z.string(),
  }),
  form: z.object({ form_data: z.array(FormField) }),
  description: z.string().meta({ description: 'HTML, sanitised on the server.' }),
})
export type GatewayOut = z.output<typeof GatewayOut>

export const depositGateways = defineCall({
  method: 'GET',
  path: '/user/payment-gateways/deposit',
  who: 'verified',
  key: 'never',
  summary: 'The gateways for deposits.',
  reply: z.object({
    gateways: z.array(GatewayOut),
    image_path: z.string(),
    closed_reason: z.string().meta({ description: 'Why no deposits are taken at the moment; empty while they are.' }),
  }),
  refusals: [],
})

export const DepositOut = z.object({
  trx: z.string(),
  status: z
    .union([z.literal(1), z.literal(2), z.literal(3)])
    .meta({ description: '1 success, 2 pending, 3 rejected.' }),
  created_at: IsoTime,
  method: z.string(),
  method_image: z.string().meta({ description: 'Picture of the gateway; empty if none.' }),
  currency: z.string(),
  amount: MoneyOut,
  percent_charge: MoneyOut,
  fixed_charge: MoneyOut,
  charge: MoneyOut,
  total: MoneyOut,
  rate: z.number(),
  credited: MoneyOut,
  admin_feedback: z.string().meta({ description: 'Message of the staff; may be empty.' }),
  state: z.enum(DEPOSIT_STATES).meta({
    description: 'waiting, seen, review: pending. credited. rejected. expired: nothing arrived, or the user closed it.',
  }),
  quoted_until: IsoTime.nullable().meta({
    description:
      'A payment seen by then counts at the quoted rate, a later one at the rate of its moment. Null: no end.',
  }),
  arrived: z.string().nullable().meta({
    description:
      "What arrived in the gateway's currency, with all its decimals. Null when nothing did, or it is unknown.",
  }),
  steps: z.array(z.object({ step: z.enum(DEPOSIT_USER_STEPS), at: IsoTime })),
})
export type DepositOut = z.output<typeof DepositOut>

export const deposits = defineCall({
  method: 'GET',
  path: '/user/deposits',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "The caller's deposits, newest first.",
  query: PageQuery,
  paged: true,
  reply: z.object({ deposits: z.array(DepositOut) }),
  refusals: [],
})

export const saveDeposit = defineCall({
  method: 'POST',
  path: '/user/deposits/save',
  who: 'verified',
  key: 'never',
  summary: 'Requests a deposit. Its quote is frozen. An automatic gateway credits it immediately.',
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  body: z.object({
    amount: MoneyIn.meta({ description: "Amount in the gateway's currency; number or plain decimal string." }),
    method_id: IdIn,
    method_version: MethodVersionIn,
    fields: z.record(z.string(), FormValueIn).optional().meta({
      description: 'Values by label; in a multipart form `fields[label]`. A field of type file takes a file.',
    }),
    client_request_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'A repeated id returns the existing deposit. With other content, the status is 409.' }),
  }),
  reply: z.object({ deposit: DepositOut }),
  refusals: [
    'deposits_closed',
    'deposits_closed_late',
    'terms_needed',
    'place_not_allowed',
    'account_closing',
    'on_break',
    'limit_prompt_needed',
    'excluded',
    'return_waits',
    'self_deposit_limit',
    'gateway_unknown',
    'gateway_changed',
    'below_minimum',
    'above_maximum',
    ...FORM_REFUSALS,
    'amount_invalid',
    'amount_decimals',
    'rate_unavailable',
    'deposit_conflict',
    'file_too_large',
    'file_type',
    'file_unreadable',
    'picture_too_large',
    'too_many_attempts',
  ],
})

const Trx = z.object({ trx: z.string().max(40) })

export const requoteDeposit = defineCall({
  method: 'POST',
  path: '/user/deposits/:trx/requote',
  who: 'verified',
  key: 'never',
  summary: 'Gives a deposit a new quote at the present rate, as long as nothing has arrived for it.',
  params: Trx,
  reply: z.object({ deposit: DepositOut }),
  refusals: ['not_found', 'deposit_decided', 'payment_seen', 'rate_unavailable', 'too_many_attempts'],
})

export const closeDeposit = defineCall({
  method: 'POST',
  path: '/user/deposits/:trx/close',
  who: 'verified',
  key: 'never',
  summary: 'Closes a deposit for which nothing has arrived. Money that arrives later opens it again.',
  params: Trx,
  reply: z.object({ deposit: DepositOut }),
  refusals: ['not_found', 'deposit_decided', 'payment_seen'],
})
