import { isEmail } from '#core/accounts/email.ts'
import { type Result, ok, refuse } from '#core/result.ts'

/** A field of the form an operator designed for a method. */
export interface MethodField {
  readonly name: string
  readonly label: string
  /** `text`, `email`, `number`, `date`, …: what it is drawn as; anything unknown is text. */
  readonly type: string
  readonly is_required: boolean
}

/** Values by the label of their field. */
export type MethodDetails = Readonly<Record<string, string>>

export type DetailsRefusal = 'field_required' | 'field_invalid'

/** What `given` says of the form's fields and of nothing else; refused when a field lacks or is not what it should be. */
export function readDetails(
  form: readonly MethodField[],
  given: MethodDetails,
  /** How a field is called on the wire, where its message belongs. */
  wireName: (label: string) => string,
): Result<MethodDetails, DetailsRefusal> {
  const kept: [string, string][] = []
  for (const { label, type, is_required: isRequired } of form) {
    const value = valueOf(given, label)
    const details = { params: { name: label }, field: wireName(label) }
    if (value === '' && isRequired) return refuse('field_required', details)
    if (value !== '' && !fits(type, value)) return refuse('field_invalid', details)
    if (value !== '') kept.push([label, value])
  }
  return ok(Object.fromEntries(kept))
}

/** Whether details answer all that the form asks for now: it may have changed since they were saved. */
export function isComplete(form: readonly MethodField[], details: MethodDetails | null): boolean {
  return details !== null && readDetails(form, details, (label) => label).ok
}

/** Whether a value is what a field of this type takes. */
export function fits(type: string, value: string): boolean {
  switch (type) {
    case 'email':
      return isEmail(value)
    case 'number':
      return /^\d+([.]\d+)?$/.test(value)
    default:
      return true
  }
}

function valueOf(given: MethodDetails, label: string): string {
  return Object.hasOwn(given, label) ? (given[label] ?? '').trim() : ''
}
