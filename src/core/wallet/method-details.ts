import { isEmail } from '#core/accounts/email.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { LONGEST_ANSWER } from '#core/wallet/form-definition.ts'

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
}

/** Values by the label of their field. */
export type MethodDetails = Readonly<Record<string, string>>

export type DetailsRefusal = 'field_required' | 'field_invalid'

/** What a `checkbox` says when it is ticked. One that is not says nothing. */
export const TICKED = 'yes'

/** What `given` says of the form's fields and of nothing else; refused when a field lacks or is not what it should be. */
export function readDetails(
  form: readonly MethodField[],
  given: MethodDetails,
  /** How a field is called on the wire, where its message belongs. */
  wireName: (label: string) => string,
): Result<MethodDetails, DetailsRefusal> {
  const kept: [string, string][] = []
  for (const field of form) {
    const { label } = field
    const value = valueOf(given, label)
    const details = { params: { name: label }, field: wireName(label) }
    if (value === '' && field.is_required) return refuse('field_required', details)
    if (value !== '' && !fits(field, value)) return refuse('field_invalid', details)
    if (value !== '') kept.push([label, value])
  }
  return ok(Object.fromEntries(kept))
}

/** Whether details answer all that the form asks for now: it may have changed since they were saved. */
export function isComplete(form: readonly MethodField[], details: MethodDetails | null): boolean {
  return details !== null && readDetails(form, details, (label) => label).ok
}

/** Whether a value is what a field takes. */
export function fits(
  { type, options, max_length: longest = LONGEST_ANSWER }: Pick<MethodField, 'type' | 'options' | 'max_length'>,
  value: string,
): boolean {
  if (value.length > longest) return false
  switch (type) {
    case 'email':
      return isEmail(value)
    case 'number':
      return /^\d+([.]\d+)?$/.test(value)
    case 'select':
      return options?.includes(value) ?? false
    case 'checkbox':
      return value === TICKED
    default:
      return true
  }
}

function valueOf(given: MethodDetails, label: string): string {
  return Object.hasOwn(given, label) ? (given[label] ?? '').trim() : ''
}
