import { parseJson } from '#core/text/parse-json.ts'
import { type Instant, instant } from '#core/time/instant.ts'

/** The parts of the trade terms. A migration that adds a part must also add the part to the constraint of the table. */
export const TERMS_PARTS = [
  'duration',
  'payout',
  'min_stake',
  'max_stake',
  'ceiling',
  'max_tick_age',
  'symbol',
  'notice',
  'rule',
  'sale',
  'sale_pause',
  'cap',
] as const
export type TermsPart = (typeof TERMS_PARTS)[number]

/** The subject of parts that apply to everything. */
export const ALL = 'all'

/** One announced change of the trade terms. Changes are numbered from 1 without gaps. */
export interface TermsChange {
  readonly n: number
  readonly what: TermsPart
  /** The seconds of a duration, the code of a symbol, a market, the subject of a cap, or `all`. */
  readonly of: string
  readonly value: string
  readonly announcedAt: Instant
  readonly appliesAt: Instant
}

/** A change as it is published. Entries form a chain and never change. */
export interface TermsEntry extends TermsChange {
  /** Whether the entry copies terms that were in force before the history began. */
  readonly isBefore: boolean
  /** The hash of the entry before, as 64 hexadecimal digits. */
  readonly previous: string
}

/** The `previous` of the first entry. */
export const NO_PREVIOUS = '0'.repeat(64)

/** Writes an entry as canonical JSON: ASCII, fixed order of names, no white space. */
export function termsText(entry: TermsEntry): string {
  const { n, what, of, value, announcedAt, appliesAt, isBefore, previous } = entry
  return (
    `{"v":1,"kind":"terms","n":${n},"what":"${what}","of":"${of}","value":"${value}",` +
    `"announced_ms":${announcedAt},"applies_ms":${appliesAt},${isBefore ? '"before":true,' : ''}"previous":"${previous}"}`
  )
}

const SUBJECT = /^[A-Za-z0-9_]{1,20}$/
const VALUE = /^[a-z0-9]{1,20}$/
const HASH = /^[0-9a-f]{64}$/

/** Parses the text of an entry. Returns null when it is not exactly what `termsText` writes. */
export function readTermsText(text: string): TermsEntry | null {
  const fields = fieldsOf(text)
  if (fields === null) return null
  const { n, what, of, value, announced_ms: announced, applies_ms: applies, before, previous } = fields
  const part = TERMS_PARTS.find((one) => one === what)
  if (part === undefined || !isCount(n) || !isCount(announced) || !isCount(applies)) return null
  if (!matches(of, SUBJECT) || !matches(value, VALUE) || !matches(previous, HASH)) return null
  const [announcedAt, appliesAt] = [instant(announced), instant(applies)]
  const entry = { n, what: part, of, value, announcedAt, appliesAt, isBefore: before === true, previous }
  return termsText(entry) === text ? entry : null
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    // Text that is not JSON is not an entry.
    return null
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}
