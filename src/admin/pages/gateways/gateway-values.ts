import type { staffCalls } from '#contract/admin/staff-calls.ts'
import { tidyLine } from '#core/wallet/form-definition.ts'
import type { MethodField } from '#core/wallet/method-details.ts'
import type { StaffReply } from '#admin/api/call-staff.ts'

export type GatewayData = StaffReply<typeof staffCalls.adminGateway>

/** A field of the form as it is being designed: everything typed is text. */
export interface FieldValues {
  label: string
  name: string
  type: string
  is_required: boolean
  hint: string
  max_length: string
  options: string
  pictures_only: boolean
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
    })),
  }
}

/** A field as it would be saved: only what its type has. */
export function fieldOf(values: FieldValues): MethodField {
  const { type } = values
  const hint = tidyLine(values.hint)
  const hasLength = (type === 'text' || type === 'textarea') && values.max_length.trim() !== ''
  return {
    name: values.name.trim(),
    label: tidyLine(values.label),
    type,
    is_required: values.is_required,
    ...(hint !== '' && { hint }),
    ...(type === 'select' && { options: optionsOf(values.options) }),
    ...(hasLength && { max_length: Number(values.max_length) }),
    ...(type === 'file' && values.pictures_only && { pictures_only: true }),
  }
}

function optionsOf(text: string): string[] {
  return text
    .split('\n')
    .map(tidyLine)
    .filter((line) => line !== '')
}

/** What is sent. */
export function bodyOf(values: GatewayValues) {
  return {
    ...values,
    sort: Number(values.sort),
    form: values.form.map((field) => {
      const { options, ...rest } = fieldOf(field)
      return { ...rest, ...(options && { options: [...options] }) }
    }),
  }
}

/** A name for a field that is called this: what of it fits a name, and a number where that is taken. */
export function nameFor(label: string, taken: readonly string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 36)
  const base = plain === '' ? 'field' : plain
  let name = base
  for (let count = 2; taken.includes(name); count++) name = `${base}_${count}`
  return name
}
