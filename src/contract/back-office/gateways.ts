import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { ASK_REFUSALS, Pending } from '#contract/back-office/changes.ts'
import { FileIn } from '#contract/files.ts'
import { MoneyIn, MoneyOut } from '#contract/wire.ts'
import { readStaffDecimal } from '#core/money/staff-number.ts'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import { normaliseLine } from '#core/text/normalise-text.ts'
import { isGatewayImage } from '#core/wallet/gateway-image.ts'

const Kind = z.enum(['deposit', 'withdraw'])
export type GatewayKind = z.output<typeof Kind>

const GatewayRow = z.object({
  id: z.number().int(),
  kind: Kind,
  name: z.string(),
  image: z.string(),
  /** The currency of limits and charges for deposits. Limits and charges for withdrawals are in the base currency. */
  currency: z.string(),
  min_amount: MoneyOut,
  max_amount: MoneyOut,
  fixed_charge: MoneyOut,
  percent_charge: z.number(),
  rate: z.number(),
  /** Whether the gateway converts at the live price of the currency instead of `rate`. */
  is_live_rate: z.boolean(),
  is_automatic: z.boolean(),
  is_offered: z.boolean(),
  /** How long the quoted rate of a deposit holds. */
  quote_seconds: z.number().int(),
  fields: z.number().meta({ description: 'Number of fields of its form.' }),
  sort: z.number(),
  version: z.number(),
})
export type GatewayRow = z.output<typeof GatewayRow>

export const staffGateways = defineStaffList({
  path: '/admin/gateways',
  may: 'gateways.see',
  summary: "The gateways for deposits and methods for withdrawals in the users' order, including those that are off.",
  filters: { kind: optionalFilter(Kind) },
  row: GatewayRow,
})

const FormFieldOut = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  is_required: z.boolean(),
  hint: z.string().optional(),
  options: z.array(z.string()).readonly().optional(),
  max_length: z.number().optional(),
  pictures_only: z.boolean().optional(),
  network: z.string().optional(),
})

export const staffGateway = defineStaffCall({
  method: 'GET',
  path: '/admin/gateways/:id',
  may: 'gateways.see',
  summary: 'A gateway or method with its description and the form for users.',
  params: z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) }),
  reply: GatewayRow.extend({
    wallet_address: z.string(),
    description: z.string(),
    form: z.array(FormFieldOut),
    /** Whether the gateway supports automatic credits. */
    may_be_automatic: z.boolean(),
  }),
  refusals: ['not_found'],
})

const Line = (maxLength: number) => z.string().max(1_000).transform(normaliseLine).pipe(z.string().max(maxLength))

/** Parses decimal text to an integer that counts units of 10^-`places`. The text has at most `places` decimals. */
const Decimal = (places: number, maximum: bigint) =>
  z
    .union([z.number(), z.string().max(30)])
    .transform((value, context) => {
      const read = readStaffDecimal(String(value), places)
      if (read !== null && read <= maximum) return read
      context.addIssue(`is not a number with at most ${places} decimals`)
      return z.NEVER
    })
    .meta({ description: `A number with at most ${places} decimals.` })

/** A field as designed by staff. `formFlaws` decides whether users can fill it in, and says why not. */
const FormFieldIn = z.object({
  name: z.string().max(200).trim(),
  label: Line(200),
  type: z.string().max(40),
  is_required: z.boolean(),
  hint: Line(500).optional(),
  options: z.array(Line(200)).max(200).optional(),
  max_length: z.number().optional(),
  pictures_only: z.boolean().optional(),
  network: z.string().max(40).optional(),
})

const GatewayIn = z.object({
  name: Line(60).pipe(z.string().min(1)),
  image: z.string().max(60).refine(isGatewayImage),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{2,10}$/),
  min_amount: MoneyIn,
  max_amount: MoneyIn,
  fixed_charge: MoneyIn,
  percent_charge: Decimal(2, 9_999n),
  rate: Decimal(6, 1_000_000_000_000_000n),
  wallet_address: Line(200),
  description: z.string().max(20_000),
  form: z.array(FormFieldIn).max(100),
  is_automatic: z.boolean(),
  is_offered: z.boolean(),
  quote_seconds: z.number().int().min(60).max(604_800).default(86_400),
  sort: z.number().int().min(0).max(9_999),
})
export type GatewayIn = z.output<typeof GatewayIn>

/** A new gateway has the id 0 while it is pending. */
const Saved = z.object({ id: z.number(), version: z.number(), pending: Pending })
const SAVE_REFUSALS = [
  'form_invalid',
  'gateway_terms',
  'gateway_coarse',
  'gateway_automatic',
  'description_long',
  'text_has_address',
  ...ASK_REFUSALS,
] as const

export const staffCreateGateway = defineStaffCall({
  method: 'POST',
  path: '/admin/gateways/create',
  may: 'gateways.edit',
  summary: 'Creates a gateway or method. It waits for a second person.',
  body: GatewayIn.extend({ kind: Kind }),
  reply: Saved,
  refusals: SAVE_REFUSALS,
})

export const staffSaveGateway = defineStaffCall({
  method: 'POST',
  path: '/admin/gateways/:id/save',
  may: 'gateways.edit',
  summary:
    'Changes a gateway or method. Address, form, description, fees and large steps of the rate wait for a second person.',
  params: z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) }),
  body: GatewayIn.extend({ version: z.number().int() }),
  reply: Saved,
  refusals: [...SAVE_REFUSALS, 'not_found', 'changed_meanwhile'],
})

export const staffGatewayPicture = defineStaffCall({
  method: 'POST',
  path: '/admin/gateways/picture',
  may: 'gateways.edit',
  summary: 'Uploads and re-encodes a picture of a gateway. Returns the name to save it under.',
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  body: z.object({ picture: FileIn }),
  reply: z.object({ name: z.string() }),
  refusals: ['file_too_large', 'file_type', 'file_unreadable', 'picture_too_large'],
})
