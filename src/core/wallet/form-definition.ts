import { normaliseLine } from '#core/text/normalise-text.ts'
import { isNetwork } from '#core/wallet/destinations/destination.ts'

/** The field types that the app's forms can render. */
export const FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'email',
  'tel',
  'url',
  'date',
  'select',
  'checkbox',
  'file',
  /** A payment destination: an address on the field's `network`, with a checksum. */
  'destination',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** A field of a form that staff designed for a gateway or method. */
export interface MethodField {
  readonly name: string
  readonly label: string
  /** One of `FIELD_TYPES`. An unknown type is rendered as text. */
  readonly type: string
  readonly is_required: boolean
  /** Help text shown below the field. */
  readonly hint?: string | undefined
  /** The options of a `select`. */
  readonly options?: readonly string[] | undefined
  /** Maximum length of the value of a `text` or `textarea` field. */
  readonly max_length?: number | undefined
  /** Whether a `file` must be a picture. */
  readonly pictures_only?: boolean | undefined
  /** The network of a `destination`, one of `NETWORKS`. */
  readonly network?: string | undefined
}

/** Maximum length of any value, on the wire and in the database. */
export const MAX_ANSWER_LENGTH = 500
export const MAX_FIELDS = 20
/** 5: a multipart request can contain at most five files, so a form can have at most five file fields. */
export const MAX_FILES = 5
export const MAX_OPTIONS = 50
export const MAX_LABEL_LENGTH = 60
export const MAX_HINT_LENGTH = 200
const MAX_OPTION_LENGTH = 100
/** 92: `fields[label]` is the name of a part of a multipart body, and such names have at most 100 bytes. */
const MAX_LABEL_BYTES = 92

/** Why users could not fill in or send a form. */
export type FormFlawCode =
  | 'too_many_fields'
  | 'too_many_files'
  | 'label_empty'
  | 'label_long'
  | 'label_letters'
  | 'label_reserved'
  | 'label_twice'
  | 'name_letters'
  | 'name_reserved'
  | 'name_twice'
  | 'type_unknown'
  | 'file_withdraw'
  | 'options_empty'
  | 'options_many'
  | 'options_twice'
  | 'options_letters'
  | 'length_type'
  | 'length_range'
  | 'hint_letters'
  | 'network_unknown'
  | 'destination_twice'

export interface FormFlaw {
  readonly code: FormFlawCode
  /** Index of the field, from 0. Null when the flaw concerns the whole form. */
  readonly at: number | null
  readonly part: 'form' | 'label' | 'name' | 'type' | 'options' | 'max_length' | 'hint' | 'network'
}

/** Reserved labels and names: parts of the request itself, and property names that every JavaScript object has. */
const RESERVED: ReadonlySet<string> = new Set([
  'amount',
  'method_id',
  'client_request_id',
  'withdrawal_code',
  'withdraw_method_id',
  'fields',
  'withdrawal_information',
  '__proto__',
  'constructor',
  'prototype',
  'tostring',
  'tolocalestring',
  'valueof',
  'hasownproperty',
  'isprototypeof',
  'propertyisenumerable',
])

/**
 * Lists all flaws that would keep users from filling in and sending a form; empty when the form works. The same check
 * runs while staff design a form and again when staff save the form.
 */
export function formFlaws(kind: 'deposit' | 'withdraw', fields: readonly MethodField[]): FormFlaw[] {
  const flaws: FormFlaw[] = []
  if (fields.length > MAX_FIELDS) flaws.push({ code: 'too_many_fields', at: null, part: 'form' })
  if (fields.filter(({ type }) => type === 'file').length > MAX_FILES) {
    flaws.push({ code: 'too_many_files', at: null, part: 'form' })
  }
  const labels = new Set<string>()
  const names = new Set<string>()
  for (const [at, field] of fields.entries()) {
    const add = (part: FormFlaw['part'], code: FormFlawCode | null): void => {
      if (code !== null) flaws.push({ code, at, part })
    }
    add('label', labelFlaw(field.label, labels))
    add('name', nameFlaw(field.name, names))
    add('type', typeFlaw(field.type, kind))
    if (field.type === 'destination') {
      if (!isNetwork(field.network)) add('network', 'network_unknown')
      // A form can have only one destination, because a withdrawal is one payment.
      if (fields.findIndex(({ type }) => type === 'destination') < at) add('type', 'destination_twice')
    }
    if (field.type === 'select') add('options', optionsFlaw(field.options ?? []))
    add('max_length', lengthFlaw(field))
    if (field.hint !== undefined && !isLine(field.hint, MAX_HINT_LENGTH)) add('hint', 'hint_letters')
    labels.add(sameWords(field.label))
    names.add(field.name)
  }
  return flaws
}

function labelFlaw(label: string, before: ReadonlySet<string>): FormFlawCode | null {
  if (label.trim() === '') return 'label_empty'
  if (label.length > MAX_LABEL_LENGTH || utf8Length(label) > MAX_LABEL_BYTES) return 'label_long'
  // Brackets, quotes and backslashes would end or change the part name that contains the label.
  if (!isLine(label, MAX_LABEL_LENGTH) || /["[\]\\<>%]/.test(label)) return 'label_letters'
  if (RESERVED.has(label.toLowerCase())) return 'label_reserved'
  return before.has(sameWords(label)) ? 'label_twice' : null
}

function nameFlaw(name: string, before: ReadonlySet<string>): FormFlawCode | null {
  if (RESERVED.has(name)) return 'name_reserved'
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) return 'name_letters'
  return before.has(name) ? 'name_twice' : null
}

function typeFlaw(type: string, kind: 'deposit' | 'withdraw'): FormFlawCode | null {
  if (!isFieldType(type)) return 'type_unknown'
  // Withdrawal details are saved as text for the staff who pay, so a file cannot be part of them.
  return type === 'file' && kind === 'withdraw' ? 'file_withdraw' : null
}

function optionsFlaw(options: readonly string[]): FormFlawCode | null {
  if (options.length === 0) return 'options_empty'
  if (options.length > MAX_OPTIONS) return 'options_many'
  if (!options.every((option) => option !== '' && isLine(option, MAX_OPTION_LENGTH))) return 'options_letters'
  return new Set(options.map(sameWords)).size < options.length ? 'options_twice' : null
}

function lengthFlaw({ type, max_length: length }: MethodField): FormFlawCode | null {
  if (length === undefined) return null
  // On other types a limit could only reject valid values, such as an email address.
  if (type !== 'text' && type !== 'textarea') return 'length_type'
  return Number.isInteger(length) && length >= 1 && length <= MAX_ANSWER_LENGTH ? null : 'length_range'
}

export function isFieldType(type: string): type is FieldType {
  return (FIELD_TYPES as readonly string[]).includes(type)
}

/** Whether a text is one line in its stored form, without invisible or direction-changing characters. */
function isLine(text: string, maxLength: number): boolean {
  return text.length <= maxLength && text === normaliseLine(text) && !text.includes('\0')
}

function sameWords(text: string): string {
  return normaliseLine(text).toLowerCase()
}

function utf8Length(text: string): number {
  let length = 0
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return length
}
