import type { Bundle } from '#core/proof/check-bundle.ts'
import type { SigningKey } from '#core/proof/check-signature.ts'
import { parseJson } from '#core/text/parse-json.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { type Receipt, RECEIPT_FORMAT, readReceipt } from '#core/proof/receipt.ts'

export const BUNDLE_FORMAT = 'fairwick-check'

/** A point of the price line that the check page draws. No check uses it. */
export interface LinePoint {
  readonly q: number
  readonly price: number
  readonly time_ms: number
}

/** The parts of the log and the published texts that a check needs. */
export type FileEvidence = Pick<Bundle, 'entryLog' | 'exitLog' | 'terms' | 'sources'>

/** The content of a receipt file. A file with a single receipt has no log and no keys. */
export interface FileContent extends Omit<Bundle, keyof FileEvidence | 'keys'> {
  readonly evidence: FileEvidence | null
  readonly keys: readonly SigningKey[] | null
  /** The first tick after the expiry, for display. No receipt depends on it. */
  readonly next: LinePoint | null
  readonly line: readonly LinePoint[]
}

/** Why a file cannot be used. `cut_off`: the file ends early or is not JSON. `unknown`: the file has another format. */
export type FileFault = 'cut_off' | 'unknown'

/** Builds the file that users can download from the check page. */
export function bundleText(bundle: Bundle, line: readonly LinePoint[], next: LinePoint | null = null): string {
  const { accepted, result, amended, sale, entryLog, exitLog, keys, terms, sources } = bundle
  // Version 2 has the published texts that receipts of rule 2 depend on.
  const version = terms && terms.length > 0 ? 2 : 1
  const texts = version === 2 ? { terms, sources: sources ?? [] } : {}
  const evidence = { entry_log: entryLog, exit_log: exitLog, next, line, ...texts }
  const receipts = { accepted, result, ...(amended && { amended }), ...(sale && { sale }) }
  return `${JSON.stringify({ format: BUNDLE_FORMAT, version, ...receipts, evidence, keys }, null, 2)}\n`
}

export function readBundleFile(text: string): FileContent | FileFault {
  const value = parse(text)
  if (value === undefined) return 'cut_off'
  if (!isObject(value)) return 'unknown'
  return value['format'] === RECEIPT_FORMAT ? readAlone(value) : readWhole(value)
}

function readAlone(value: unknown): FileContent | FileFault {
  const receipt = readReceipt(value)
  if (receipt === null) return 'unknown'
  const isResult = /"kind":"(practice_)?result"/.test(receipt.facts)
  return {
    accepted: isResult ? null : receipt,
    result: isResult ? receipt : null,
    evidence: null,
    keys: null,
    next: null,
    line: [],
  }
}

function readWhole({ format, version, ...parts }: Record<string, unknown>): FileContent | FileFault {
  if (format !== BUNDLE_FORMAT || (version !== 1 && version !== 2)) return 'unknown'
  const { evidence } = parts
  if (!isObject(evidence)) return 'unknown'
  const { terms: _, sources: __, ...log } = evidence
  // Version 1 has no published texts.
  return readBundle({ ...parts, evidence: version === 2 ? evidence : { ...log, terms: [], sources: [] } }) ?? 'unknown'
}

/** The content of a file with log and keys. */
interface WholeContent extends FileContent {
  readonly evidence: FileEvidence
  readonly keys: readonly SigningKey[]
}

/** Parses the parts of a whole file, or of replies of the public API. Returns null when a part is malformed. */
export function readBundle({ evidence, ...parts }: Readonly<Record<string, unknown>>): WholeContent | null {
  const accepted = orNull(parts['accepted'], readReceipt)
  const result = orNull(parts['result'], readReceipt)
  const keys = readKeys(parts['keys'])
  // Only few orders have an amended result, so a file may leave it out.
  const amended = orNull(parts['amended'] ?? null, readReceipt)
  const sale = orNull(parts['sale'] ?? null, readReceipt)
  if (accepted === undefined || result === undefined || (accepted ?? result) === null) return null
  if (amended === undefined || sale === undefined) return null
  if (keys === null || !isObject(evidence)) return null
  const { entry_log: entryLog, exit_log: exitLog, next, line, terms, sources } = evidence
  if (!isListOf(terms, isString) || !isListOf(sources, isString)) return null
  if (!isListOf(entryLog, isBatch) || !isListOf(exitLog, isBatch)) return null
  const shown = { next: isPoint(next) ? next : null, line: isListOf(line, isPoint) ? line : [] }
  return { accepted, result, amended, sale, keys, evidence: { entryLog, exitLog, terms, sources }, ...shown }
}

/** Parses the reply of the public call for keys, with or without its envelope. Returns null when it is malformed. */
export function readKeys(value: unknown): readonly SigningKey[] | null {
  const inside = isObject(value) ? (isObject(value['data']) ? value['data']['keys'] : value['keys']) : value
  return isListOf(inside, isKey) ? inside : null
}

/** Parses a receipt or null. Returns undefined when the value is missing or malformed. */
function orNull(value: unknown, read: (value: unknown) => Receipt | null): Receipt | null | undefined {
  return value === null ? null : (read(value) ?? undefined)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // Text that is not JSON, or has a duplicate name, is unreadable. The caller reports this fault.
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isString = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value)

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is)
}

function isBatch(value: unknown): value is LogBatch {
  if (!isObject(value)) return false
  const { first_seq, last_seq, previous_hash, hash, payload } = value
  const texts = [previous_hash, hash, payload]
  return isCount(first_seq) && isCount(last_seq) && texts.every((text) => typeof text === 'string')
}

function isPoint(value: unknown): value is LinePoint {
  return isObject(value) && isCount(value['q']) && typeof value['price'] === 'number' && isCount(value['time_ms'])
}

function isKey(value: unknown): value is SigningKey {
  if (!isObject(value)) return false
  const { kid, x, from_ms, retired_ms } = value
  return (
    typeof kid === 'string' && typeof x === 'string' && isCount(from_ms) && (retired_ms === null || isCount(retired_ms))
  )
}
