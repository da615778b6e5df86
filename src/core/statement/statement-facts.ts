import { money } from '#core/money/money.ts'
import { parseJson } from '#core/text/parse-json.ts'
import { type StatementSums } from '#core/statement/statement-sums.ts'
import { isZone } from '#core/time/zone.ts'

/** The `typ` in the header of a statement's signature, so that no receipt passes for a statement. */
export const STATEMENT_SIGNATURE_TYPE = 'fairwick-statement'

/** The facts of a statement that are signed. */
export interface StatementFacts {
  readonly uid: string
  readonly currency: string
  readonly from_ms: number
  /** The first moment after the period. */
  readonly to_ms: number
  readonly zone: string
  readonly sums: StatementSums
  readonly rows: number
  /** Lower-case hexadecimal SHA-256 of the bytes of the rows. */
  readonly rows_sha256: string
  /** The first and the last number of the results in the rows. Null without numbered results. */
  readonly first_result: number | null
  readonly last_result: number | null
  readonly signed_ms: number
}

const SUMS = ['opening', 'deposits', 'withdrawals', 'charges', 'won', 'lost', 'corrections', 'closing'] as const
const AMOUNT = /^(?:0|-?[1-9]\d{0,18})$/

/**
 * Formats facts as the text that is signed: JSON in ASCII without white space, keys in this order, amounts in minor
 * units.
 */
export function statementFactsText(facts: StatementFacts): string {
  const { uid, currency, from_ms, to_ms, zone, sums, rows, rows_sha256, first_result, last_result, signed_ms } = facts
  return JSON.stringify({
    v: 1,
    kind: 'statement',
    uid,
    currency,
    from_ms,
    to_ms,
    zone,
    ...Object.fromEntries(SUMS.map((name) => [name, String(sums[name])])),
    rows,
    rows_sha256,
    first_result,
    last_result,
    made_ms: signed_ms,
  })
}

/** Parses facts. Returns null when the text is not exactly the canonical text of the facts. */
export function readStatementFacts(text: string): StatementFacts | null {
  const value = parse(text)
  if (value === null) return null
  const {
    uid,
    currency,
    from_ms,
    to_ms,
    zone,
    rows,
    rows_sha256,
    first_result,
    last_result,
    made_ms: signed_ms,
  } = value
  if (typeof uid !== 'string' || !/^[0-9A-Z]{10}$/.test(uid)) return null
  if (typeof currency !== 'string' || !/^[A-Z]{3,8}$/.test(currency)) return null
  if (!isCount(from_ms) || !isCount(to_ms) || !isCount(rows) || !isCount(signed_ms) || from_ms >= to_ms) return null
  if (typeof zone !== 'string' || !isZone(zone)) return null
  if (typeof rows_sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(rows_sha256)) return null
  if (!isCountOrNull(first_result) || !isCountOrNull(last_result)) return null
  const amounts = SUMS.map((name) => value[name])
  if (!amounts.every((amount) => typeof amount === 'string' && AMOUNT.test(amount))) return null
  const sums = Object.fromEntries(SUMS.map((name, at) => [name, money(BigInt(String(amounts[at])))]))
  const facts: StatementFacts = {
    uid,
    currency,
    from_ms,
    to_ms,
    zone,
    rows,
    rows_sha256,
    first_result,
    last_result,
    signed_ms,
    sums: sums as unknown as StatementSums,
  }
  return statementFactsText(facts) === text ? facts : null
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const isCountOrNull = (value: unknown): value is number | null => value === null || isCount(value)

function parse(text: string): Record<string, unknown> | null {
  if (!/^[\x20-\x7e]*$/.test(text)) return null
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    // Text that is not JSON contains no facts.
    return null
  }
}
