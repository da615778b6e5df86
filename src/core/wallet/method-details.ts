import { isEmail } from '#core/accounts/email.ts'
import { phoneText } from '#core/accounts/phone-text.ts'
import { type Refusal, type RefusalParams, type Result, ok, refuse } from '#core/result.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { keptText } from '#core/text/kept-text.ts'
import { isNetwork, NETWORK_NAMES, readDestination } from '#core/wallet/destinations/destination.ts'
import { LONGEST_ANSWER, type MethodField } from '#core/wallet/form-definition.ts'

/** Values by the label of their field. */
export type MethodDetails = Readonly<Record<string, string>>

export type ValueRefusal = 'field_invalid' | 'destination_form' | 'destination_checksum' | 'destination_network'
export type DetailsRefusal = 'field_required' | 'field_repeated' | ValueRefusal

/** What a `checkbox` says when it is ticked. One that is not says nothing. */
export const TICKED = 'yes'

/** What was filled in of a form, and what is wrong with it, field by field. Files are looked at elsewhere. */
export interface ReadAnswers {
  readonly answers: MethodDetails
  readonly refusals: readonly (Refusal<DetailsRefusal> & { readonly label: string; readonly params: RefusalParams })[]
}

/**
 * Reads the answers to a form's fields, and to nothing else, as they are kept. The same rule judges them while they are
 * typed and when they are sent.
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
    // A memo that repeats the address is a slip: some networks lose money over a wrong one.
    if (!place || type === 'destination' || textOf(given, label) !== place) continue
    refusals.push({ ...refuse('field_repeated'), label, params: { name: label, other: destination.label } })
  }
  return { answers: Object.fromEntries(answers), refusals }
}

/** What `given` says of the form's fields; refused when a field lacks or is not what it should be. */
export function readDetails(
  form: readonly MethodField[],
  given: MethodDetails,
  /** How a field is called on the wire, where its message belongs. */
  wireName: (label: string) => string,
): Result<MethodDetails, DetailsRefusal> {
  const { answers, refusals } = readAnswers(form, given)
  const [first] = refusals
  if (first === undefined) return ok(answers)
  return refuse(first.refusal, { params: first.params, field: wireName(first.label) })
}

/** Whether details answer all that the form asks for now: it may have changed since they were saved. */
export function isComplete(form: readonly MethodField[], details: MethodDetails | null): boolean {
  return details !== null && readDetails(form, details, (label) => label).ok
}

/** Reads a value as its field keeps it: digits as 0 to 9, an address in its canonical form. */
function readValue(field: MethodField, typed: string): Result<string, ValueRefusal> {
  if (typed.length > (field.max_length ?? LONGEST_ANSWER)) return refuse('field_invalid')
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

/** A day that exists, as `2026-02-28`. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function textOf(given: MethodDetails, label: string): string {
  return Object.hasOwn(given, label) ? keptText(given[label] ?? '') : ''
}
