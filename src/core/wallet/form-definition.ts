import { keptLine } from '#core/text/kept-text.ts'
import { isNetwork } from '#core/wallet/destinations/destination.ts'

/** What users can be asked for: everything their forms know to draw. */
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
  /** Where money goes: an address of the field's `network`, with its checksum. */
  'destination',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** A field of the form an operator designed for a gateway or method. */
export interface MethodField {
  readonly name: string
  readonly label: string
  /** One of `FIELD_TYPES`: what it is drawn as; anything unknown is text. */
  readonly type: string
  readonly is_required: boolean
  /** Below the field, always visible. */
  readonly hint?: string | undefined
  /** What a `select` offers. */
  readonly options?: readonly string[] | undefined
  /** Letters that a text may have. */
  readonly max_length?: number | undefined
  /** Whether a `file` has to be a picture. */
  readonly pictures_only?: boolean | undefined
  /** Of a `destination`: where its address belongs, one of `NETWORKS`. */
  readonly network?: string | undefined
}

/** Letters that any answer may have, on the wire and in the database. */
export const LONGEST_ANSWER = 500
export const MOST_FIELDS = 20
/** A request brings no more. */
export const MOST_FILES = 5
export const MOST_OPTIONS = 50
export const LONGEST_LABEL = 60
export const LONGEST_HINT = 200
const LONGEST_OPTION = 100
/** `fields[label]` names a part of a multipart body, and such a name has at most 100 bytes. */
const MOST_LABEL_BYTES = 92

/** Why users could not fill a form in, or not send it. */
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
  /** Which field, from 0; null when it is the form as a whole. */
  readonly at: number | null
  readonly part: 'form' | 'label' | 'name' | 'type' | 'options' | 'max_length' | 'hint' | 'network'
}

/** What a label or name must not be: parts of the request itself, and words that objects have a meaning for. */
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
 * Everything that would keep users from filling in a form and sending it; none: they can. The same rule checks what an
 * operator designs while they do, and again when it is saved.
 */
export function formFlaws(kind: 'deposit' | 'withdraw', fields: readonly MethodField[]): FormFlaw[] {
  const flaws: FormFlaw[] = []
  if (fields.length > MOST_FIELDS) flaws.push({ code: 'too_many_fields', at: null, part: 'form' })
  if (fields.filter(({ type }) => type === 'file').length > MOST_FILES) {
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
      // What is paid goes to one place.
      if (fields.findIndex(({ type }) => type === 'destination') < at) add('type', 'destination_twice')
    }
    if (field.type === 'select') add('options', optionsFlaw(field.options ?? []))
    add('max_length', lengthFlaw(field))
    if (field.hint !== undefined && !isLine(field.hint, LONGEST_HINT)) add('hint', 'hint_letters')
    labels.add(sameWords(field.label))
    names.add(field.name)
  }
  return flaws
}

function labelFlaw(label: string, before: ReadonlySet<string>): FormFlawCode | null {
  if (label.trim() === '') return 'label_empty'
  if (label.length > LONGEST_LABEL || utf8Length(label) > MOST_LABEL_BYTES) return 'label_long'
  // Brackets, quotes and backslashes end or change the name that the label is part of.
  if (!isLine(label, LONGEST_LABEL) || /["[\]\\<>%]/.test(label)) return 'label_letters'
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
  // What a user wants to be paid to is saved as text and read by people who pay; no file comes along.
  return type === 'file' && kind === 'withdraw' ? 'file_withdraw' : null
}

function optionsFlaw(options: readonly string[]): FormFlawCode | null {
  if (options.length === 0) return 'options_empty'
  if (options.length > MOST_OPTIONS) return 'options_many'
  if (!options.every((option) => option !== '' && isLine(option, LONGEST_OPTION))) return 'options_letters'
  return new Set(options.map(sameWords)).size < options.length ? 'options_twice' : null
}

function lengthFlaw({ type, max_length: length }: MethodField): FormFlawCode | null {
  if (length === undefined) return null
  // Elsewhere a limit would only keep answers out that are right: nobody's email address has one letter.
  if (type !== 'text' && type !== 'textarea') return 'length_type'
  return Number.isInteger(length) && length >= 1 && length <= LONGEST_ANSWER ? null : 'length_range'
}

export function isFieldType(type: string): type is FieldType {
  return (FIELD_TYPES as readonly string[]).includes(type)
}

/** One line as it is kept: nothing in it is invisible or turns the text around it. */
function isLine(text: string, longest: number): boolean {
  return text.length <= longest && text === keptLine(text) && !text.includes('\0')
}

function sameWords(text: string): string {
  return keptLine(text).toLowerCase()
}

function utf8Length(text: string): number {
  let length = 0
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return length
}
