import { z } from 'zod'
import type { Failure } from '#contract/call.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import { PASSWORD_FIELDS } from '#contract/wire.ts'
import { normaliseValue } from '#core/text/normalise-value.ts'
import { fieldName, type Language, message, refusalText } from '#server/platform/i18n/messages.ts'

type Read<C, K extends string> = C extends { readonly [P in K]: infer S extends z.ZodType } ? z.output<S> : undefined

/** The parts of a call definition that describe how to parse the request. */
export interface Readable {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
}

/** The decoded input of a call's handler. */
export interface CallInput<C extends Readable> {
  readonly params: Read<C, 'params'>
  readonly query: Read<C, 'query'>
  readonly body: Read<C, 'body'>
}

export interface RawInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The reply to a request that cannot be parsed, ready to be sent. */
export interface Unreadable {
  readonly status: number
  readonly body: Failure
}

type Readout<T> = { ok: true; value: T } | { ok: false; unreadable: Unreadable }

/** How problems of a request are worded: for users in their language, for staff with the labels of the back office. */
export interface InputWords {
  required(field: string): string
  /** The text for an invalid field. Without an issue, the field contains forbidden characters. */
  invalid(field: string, issue: z.core.$ZodIssue | null): string
  /** The text of a refusal. Without a field, the refusal concerns the request as a whole. */
  refusal(code: RefusalCode, field: string): string
  /**
   * The refusal of a request whose path parameters are invalid. Null: path parameters are treated like other fields.
   */
  readonly unknownAddress: 'not_found' | null
}

/** Returns the texts with which the trading app describes problems of a request. */
export function appWords(language: Language): InputWords {
  return {
    required: (field) => message('message.required', language, { name: fieldName(field, language) }),
    invalid: (field) => message('message.invalid', language, { name: fieldName(field, language) }),
    refusal: (code) => refusalText(code, language),
    unknownAddress: null,
  }
}

/** Decodes and validates a request by the call's schemas. Unknown keys are dropped. */
export function readInput<C extends Readable>(call: C, raw: RawInput, words: InputWords): Readout<CallInput<C>> {
  const problems: Problem[] = []
  const read = <K extends 'params' | 'query' | 'body'>(part: K): Read<C, K> => {
    const schema: z.ZodType | undefined = call[part]
    if (schema === undefined) return undefined as Read<C, K>
    // A missing body counts as empty, so that each missing field is reported.
    const given = part === 'params' ? (raw.params ?? {}) : normaliseValue(raw[part] ?? {}, PASSWORD_FIELDS)
    const result = schema.safeParse(given)
    for (const issue of result.error?.issues ?? []) {
      const problem = toProblem(issue, given, schema)
      const isAddress = part === 'params' && words.unknownAddress !== null
      problems.push(isAddress ? { ...problem, isMissing: false, refusal: words.unknownAddress } : problem)
    }
    for (const field of fieldsWithNul(result.data))
      problems.push({ field, isMissing: false, issue: null, refusal: part === 'params' ? 'not_found' : null })
    return result.data as Read<C, K>
  }
  const value: CallInput<C> = { params: read('params'), query: read('query'), body: read('body') }
  return problems.length === 0 ? { ok: true, value } : { ok: false, unreadable: explain(problems, words) }
}

/** Returns the fields that contain NUL. No valid text contains it, and no database stores it. */
function fieldsWithNul(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => (name.includes('\0') || hasNul(part) ? [name] : []))
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  // The bytes of a file may have any value.
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false
  return Object.entries(value).some(([name, part]) => name.includes('\0') || hasNul(part))
}

interface Problem {
  /** Empty when the request as a whole is invalid. */
  readonly field: string
  readonly isMissing: boolean
  readonly issue: z.core.$ZodIssue | null
  readonly refusal: RefusalCode | null
}

function toProblem(issue: z.core.$ZodIssue, given: unknown, schema: z.ZodType): Problem {
  const [first = '', label] = issue.path
  // A field of a form that the operator designed has the name of its multipart part.
  const field = first === 'fields' && label !== undefined ? `fields[${String(label)}]` : String(first)
  const isMissing = issue.path.length === 1 && isEmpty(given, field) && !isOptional(schema, field)
  return { field, isMissing, issue, refusal: isMissing ? null : refusalOf(issue) }
}

function isEmpty(given: unknown, field: string): boolean {
  if (typeof given !== 'object' || given === null) return false
  const value: unknown = Object.getOwnPropertyDescriptor(given, field)?.value
  return value === undefined || value === null || value === ''
}

/**
 * Returns whether a request without this field is valid. An empty value of such a field counts as wrong, not as
 * missing.
 */
function isOptional(schema: z.ZodType, field: string): boolean {
  const part: unknown = schema instanceof z.ZodObject ? schema.shape[field] : undefined
  return part instanceof z.ZodType && part.safeParse(undefined).success
}

/** A schema names a specific refusal in the issue's params. All other issues are a `bad_request`. */
function refusalOf(issue: z.core.$ZodIssue): RefusalCode | null {
  const refusal: unknown = issue.code === 'custom' ? issue.params?.['refusal'] : undefined
  return isRefusalCode(refusal) ? refusal : null
}

function isRefusalCode(value: unknown): value is RefusalCode {
  return typeof value === 'string' && Object.hasOwn(REFUSALS, value)
}

function explain(problems: readonly Problem[], words: InputWords): Unreadable {
  const errors = new Map<string, string[]>()
  for (const problem of problems) {
    if (problem.field === '') continue
    const texts = errors.get(problem.field) ?? []
    const text = problemText(problem, words)
    if (!texts.includes(text)) errors.set(problem.field, [...texts, text])
  }
  const code = problems.find(({ refusal }) => refusal !== null)?.refusal ?? 'bad_request'
  const [first] = errors.values()
  const text = first?.[0] ?? words.refusal('bad_request', '')
  return {
    status: REFUSALS[code].status,
    body: { message: text, code, ...(errors.size > 0 && { errors: Object.fromEntries(errors) }) },
  }
}

function problemText({ field, isMissing, issue, refusal }: Problem, words: InputWords): string {
  if (refusal) return words.refusal(refusal, field)
  return isMissing ? words.required(field) : words.invalid(field, issue)
}
