import type { GatewayKind } from '#contract/back-office/gateways.ts'
import type { staffCalls } from '#contract/back-office/staff-calls.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { normaliseLine } from '#core/text/normalise-text.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { plainAmount } from '#back-office/forms/plain-amount.ts'
import { plainNumber } from '#back-office/forms/plain-number.ts'

export type GatewayData = StaffReply<typeof staffCalls.staffGateway>

/** A field of the form as it is being designed. All typed values are text. */
export interface FieldValues {
  label: string
  name: string
  type: string
  is_required: boolean
  hint: string
  max_length: string
  options: string
  pictures_only: boolean
  network: string
}

export interface GatewayValues {
  name: string
  image: string
  currency: string
  min_amount: string
  max_amount: string
  fixed_charge: string
  percent_charge: string
  rate: string
  wallet_address: string
  description: string
  is_automatic: boolean
  is_offered: boolean
  sort: string
  quote_seconds: string
  form: FieldValues[]
}

export const NEW_FIELD: FieldValues = {
  label: '',
  name: '',
  type: 'text',
  is_required: true,
  hint: '',
  max_length: '',
  options: '',
  pictures_only: false,
  network: 'iban',
}

export function valuesOf(gateway: GatewayData | null): GatewayValues {
  return {
    name: gateway?.name ?? '',
    image: gateway?.image ?? '',
    currency: gateway?.currency ?? '',
    min_amount: gateway?.min_amount.toFixed(2) ?? '',
    max_amount: gateway?.max_amount.toFixed(2) ?? '',
    fixed_charge: gateway?.fixed_charge.toFixed(2) ?? '0.00',
    percent_charge: String(gateway?.percent_charge ?? 0),
    rate: String(gateway?.rate ?? 1),
    wallet_address: gateway?.wallet_address ?? '',
    description: gateway?.description ?? '',
    is_automatic: gateway?.is_automatic ?? false,
    is_offered: gateway?.is_offered ?? true,
    sort: String(gateway?.sort ?? 10),
    quote_seconds: String(gateway?.quote_seconds ?? 86_400),
    form: (gateway?.form ?? []).map((field) => ({
      ...NEW_FIELD,
      label: field.label,
      name: field.name,
      type: field.type,
      is_required: field.is_required,
      hint: field.hint ?? '',
      max_length: field.max_length === undefined ? '' : String(field.max_length),
      options: (field.options ?? []).join('\n'),
      pictures_only: field.pictures_only ?? false,
      network: field.network ?? NEW_FIELD.network,
    })),
  }
}

/** Builds the field to save, with only the parts that its type has. */
export function fieldOf(values: FieldValues): MethodField {
  const { type } = values
  const hint = normaliseLine(values.hint)
  const hasLength = (type === 'text' || type === 'textarea') && values.max_length.trim() !== ''
  return {
    name: values.name.trim(),
    label: normaliseLine(values.label),
    type,
    is_required: values.is_required,
    ...(hint !== '' && { hint }),
    ...(type === 'select' && { options: optionsOf(values.options) }),
    ...(hasLength && { max_length: plainNumber(values.max_length) }),
    ...(type === 'file' && values.pictures_only && { pictures_only: true }),
    ...(type === 'destination' && { network: values.network }),
  }
}

function optionsOf(text: string): string[] {
  return text
    .split('\n')
    .map(normaliseLine)
    .filter((line) => line !== '')
}

/** Returns the currency of limits and charges: the currency of the deposit, or the base currency for a withdrawal. */
export function termsCurrency(kind: GatewayKind, currency: string): string {
  return kind === 'deposit' ? currency.trim().toUpperCase() : BASE_CURRENCY
}

/** Builds the request body that saves a gateway or method. */
export function bodyOf(kind: GatewayKind, values: GatewayValues) {
  const amount = (typed: string) => plainAmount(typed, termsCurrency(kind, values.currency))
  return {
    ...values,
    min_amount: amount(values.min_amount),
    max_amount: amount(values.max_amount),
    fixed_charge: amount(values.fixed_charge),
    sort: plainNumber(values.sort),
    quote_seconds: plainNumber(values.quote_seconds),
    form: values.form.map((field) => {
      const { options, ...rest } = fieldOf(field)
      return { ...rest, ...(options && { options: [...options] }) }
    }),
  }
}

/** Derives a field name from a label. Adds a number if the name is taken. */
export function nameFor(label: string, usedNames: readonly string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 36)
  const base = plain === '' ? 'field' : plain
  let name = base
  for (let count = 2; usedNames.includes(name); count++) name = `${base}_${count}`
  return name
}
