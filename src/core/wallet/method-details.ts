import { isEmail } from '#core/accounts/email.ts'
import { phoneText } from '#core/accounts/phone-text.ts'
import { type Refusal, type RefusalParams, type Result, ok, refuse } from '#core/result.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { normaliseText } from '#core/text/normalise-text.ts'
import { isNetwork, NETWORK_NAMES, readDestination } from '#core/wallet/destinations/destination.ts'
import { MAX_ANSWER_LENGTH, type MethodField } from '#core/wallet/form-definition.ts'

/** Values by field label. */
export type MethodDetails = Readonly<Record<string, string>>

export type ValueRefusal = 'field_invalid' | 'destination_form' | 'destination_checksum' | 'destination_network'
export type DetailsRefusal = 'field_required' | 'field_repeated' | ValueRefusal

/** The value of a ticked `checkbox`. An unticked `checkbox` has no value. */
export const TICKED = 'yes'

/** The values of a form and the flaw of each wrong field. Files are checked elsewhere. */
export interface ReadAnswers {
  readonly answers: MethodDetails
  readonly refusals: readonly (Refusal<DetailsRefusal> & { readonly label: string; readonly params: RefusalParams })[]
}

/**
 * Reads the values of a form's fields in their stored form and ignores all others. The same check runs while users type
 * and when the form is sent.
 */
export function readAnswers(form: readonly MethodField[], given: MethodDetails): ReadAnswers {
  const answers: [label: string, value: string][] = []
  const refusals: ReadAnswers['refusals'][number][] = []
  const fields = form.filter(({ type }) => type !== 'file')
  for (const field of fields) {
    const { label } = field
    const typed = textOf(given, label)
    const read = typed === '' ? ok('') : readValue(field, typed)
    if (!read.ok) refusals.push({ ...read, label, params: { name: label, ...read.params } })
    else if (read.value !== '') answers.push([label, read.value])
    else if (field.is_required) refusals.push({ ...refuse('field_required'), label, params: { name: label } })
  }
  const destination = fields.find(({ type }) => type === 'destination')
  const place = destination && textOf(given, destination.label)
  for (const { label, type } of fields) {
    // A second field that repeats the address, such as a memo, is a mistake. On some networks a wrong memo loses the
    // money.
    if (!place || type === 'destination' || textOf(given, label) !== place) continue
    refusals.push({ ...refuse('field_repeated'), label, params: { name: label, other: destination.label } })
  }
  return { answers: Object.fromEntries(answers), refusals }
}

/** Reads the values of a form's fields. Refuses the first field that is missing or invalid. */
export function readDetails(
  form: readonly MethodField[],
  given: MethodDetails,
  /** Returns the wire name of a field, to which its message is attached. */
  wireName: (label: string) => string,
): Result<MethodDetails, DetailsRefusal> {
  const { answers, refusals } = readAnswers(form, given)
  const [first] = refusals
  if (first === undefined) return ok(answers)
  return refuse(first.refusal, { params: first.params, field: wireName(first.label) })
}

/** Whether saved details still satisfy the form, which may have changed since. */
export function isComplete(form: readonly MethodField[], details: MethodDetails | null): boolean {
  return details !== null && readDetails(form, details, (label) => label).ok
}

/** Whether the destination in these details satisfies the form, whose rules may have become stricter. */
export function isPayable(form: readonly MethodField[], details: MethodDetails): boolean {
  const destination = form.find(({ type }) => type === 'destination')
  return destination === undefined || readDetails([destination], details, (label) => label).ok
}

/** Normalises a value for its field type: digits as 0 to 9, an address in its canonical form. */
function readValue(field: MethodField, typed: string): Result<string, ValueRefusal> {
  if (typed.length > (field.max_length ?? MAX_ANSWER_LENGTH)) return refuse('field_invalid')
  switch (field.type) {
    case 'email':
      return keep(isEmail(typed) ? typed : null)
    case 'number':
      return keep(matching(asciiDigits(typed), /^\d+([.]\d+)?$/))
    case 'tel':
      return keep(matching(phoneText(typed) ?? '', /^(?:\D*\d){5,19}\D*$/))
    case 'url':
      return keep(matching(typed, /^https?:\/\/[^\s/?#]+\.[^\s]+$/i))
    case 'date':
      return keep(isDay(typed) ? typed : null)
    case 'select':
      return keep(field.options?.includes(typed) ? typed : null)
    case 'checkbox':
      return keep(typed === TICKED ? typed : null)
    case 'destination':
      return isNetwork(field.network) ? readPlace(field.network, typed) : ok(typed)
    default:
      return ok(typed)
  }
}

function readPlace(network: Parameters<typeof readDestination>[0], typed: string): Result<string, ValueRefusal> {
  const read = readDestination(network, typed)
  if (read.ok) return ok(read.value)
  const params = { network: NETWORK_NAMES[network] }
  if (read.flaw !== 'network') return refuse(`destination_${read.flaw}`, { params })
  return refuse('destination_network', { params: { ...params, found: NETWORK_NAMES[read.found] } })
}

function keep(value: string | null): Result<string, 'field_invalid'> {
  return value === null ? refuse('field_invalid') : ok(value)
}

function matching(text: string, shape: RegExp): string | null {
  return shape.test(text) ? text : null
}

/** Whether a text is an existing date, such as `2026-02-28`. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function textOf(given: MethodDetails, label: string): string {
  return Object.hasOwn(given, label) ? normaliseText(given[label] ?? '') : ''
}
