import { basisPoints, money, shareHalfEven, ZERO } from '#core/money/money.ts'
import { type CheckTools, checkJws, type SignatureFault, type SigningKey } from '#core/proof/check-signature.ts'
import { toHex, utf8Bytes } from '#core/proof/bytes.ts'
import { type FileRow, readRows } from '#core/statement/read-rows.ts'
import { readStatementFacts, STATEMENT_SIGNATURE_TYPE, type StatementFacts } from '#core/statement/statement-facts.ts'
import type { StatementFile } from '#core/statement/statement-file.ts'
import { addUp, GROWING_PARTS, type StatementSums } from '#core/statement/statement-sums.ts'

/**
 * Why a statement is not valid:
 * - `form`: the facts are not facts of a statement.
 * - a fault of the signature.
 * - `rows`: the rows are not the signed rows, or are not numbered from 1.
 * - `sum`: the rows do not lead from the opening to the closing total, or do not add up to the sums.
 * - `gap`: a result between the first and the last one is missing, or occurs twice.
 */
export type StatementFault = 'form' | SignatureFault | 'rows' | 'sum' | 'gap'

export interface StatementCheck {
  /** The signed facts. Null when they are malformed. */
  readonly facts: StatementFacts | null
  /** The rows of the file. Null when they are malformed. */
  readonly rows: readonly FileRow[] | null
  readonly faults: readonly StatementFault[]
  /**
   * The positions of rows, from 0, that contradict the previous row, their own order or their row number. A changed
   * text is reported only in `faults`.
   */
  readonly faultyRows: ReadonlySet<number>
  /** The id of the key that signed the statement. Null when no valid signature names a key. */
  readonly kid: string | null
}

/** Checks a signed statement by itself. `keys` are the published keys. */
export function checkStatement(tools: CheckTools, file: StatementFile, keys: readonly SigningKey[]): StatementCheck {
  const facts = readStatementFacts(file.facts)
  if (facts === null) return { facts, rows: null, faults: ['form'], faultyRows: new Set(), kid: null }
  const faults = new Set<StatementFault>()
  const signed = checkJws(tools, file.signature, keys, {
    type: STATEMENT_SIGNATURE_TYPE,
    read: readStatementFacts,
    timeOf: (content) => content.signed_ms,
  })
  if (typeof signed === 'string') faults.add(signed)
  else if (signed.text !== file.facts) faults.add('signature')
  const rows = readRows(file.rows)
  const hash = toHex(tools.sha256(utf8Bytes(file.rows)))
  if (hash !== facts.rows_sha256 || rows?.length !== facts.rows) faults.add('rows')
  if (rows?.some(({ n }, at) => n !== at + 1)) faults.add('rows')
  if (rows !== null && !makesSums(rows, facts.sums)) faults.add('sum')
  if (rows !== null && !hasAllResults(rows, facts)) faults.add('gap')
  const faultyRows = findFaultyRows(rows ?? [], facts)
  return { facts, rows, faults: [...faults], faultyRows, kid: typeof signed === 'string' ? null : signed.kid }
}

function findFaultyRows(rows: readonly FileRow[], { sums, first_result: first }: StatementFacts): Set<number> {
  const faulty = new Set<number>()
  const seen = new Set<number>()
  const numbers = new Set(rows.flatMap(({ order }) => order?.resultNumber ?? []))
  let before = sums.opening
  for (const [at, row] of rows.entries()) {
    if (row.n !== at + 1 || row.balance !== before + row.amount || !isOwnAmount(row)) faulty.add(at)
    before = row.balance
    const number = row.order?.resultNumber ?? null
    if (number === null) continue
    // The row after a gap in the result numbers is marked, to show where the gap is.
    if (seen.has(number) || (number !== first && !numbers.has(number - 1))) faulty.add(at)
    seen.add(number)
  }
  return faulty
}

function makesSums(rows: readonly FileRow[], sums: StatementSums): boolean {
  let balance = sums.opening
  for (const row of rows) {
    balance = money(balance + row.amount)
    if (row.balance !== balance || !isOwnAmount(row)) return false
  }
  const total = (...kinds: readonly FileRow['kind'][]): bigint =>
    rows.reduce((sum, { kind, amount }) => (kinds.includes(kind) ? sum + amount : sum), 0n)
  // In the sums, a sold order loses its stake and wins the price of the sale.
  const soldStakes = rows.reduce(
    (sum, { kind, order }) => (kind === 'order_sold' && order !== null ? sum + order.stake : sum),
    0n,
  )
  return (
    balance === sums.closing &&
    addUp(sums) &&
    GROWING_PARTS.every((part) => sums[part] >= 0n) &&
    total('order_win', 'make_good', 'order_sold') + soldStakes === sums.won &&
    -total('order_lose') + soldStakes === sums.lost &&
    total('deposit') === sums.deposits &&
    -total('withdrawal', 'withdrawal_returned') === sums.withdrawals + sums.charges &&
    total('correction') === sums.corrections
  )
}

/**
 * Whether a row of this kind can have this amount. Stake and payout give the amount of a decided order, and the limits
 * of the amount of a sold order.
 */
function isOwnAmount({ kind, amount, order }: FileRow): boolean {
  switch (kind) {
    case 'order_win':
      return order !== null && amount === shareHalfEven(order.stake, basisPoints(Number(order.payout)))
    case 'order_lose':
      return order !== null && amount === -order.stake
    case 'order_sold':
      return (
        order !== null &&
        amount > -order.stake &&
        amount <= shareHalfEven(order.stake, basisPoints(Number(order.payout)))
      )
    case 'deposit':
    case 'make_good':
    case 'withdrawal_returned':
      return amount > ZERO
    case 'withdrawal':
      return amount < ZERO
    case 'correction':
      return amount !== ZERO
    default:
      return amount === ZERO
  }
}

function hasAllResults(rows: readonly FileRow[], { first_result: first, last_result: last }: StatementFacts): boolean {
  const numbers = rows.flatMap(({ order }) => order?.resultNumber ?? []).toSorted((one, other) => one - other)
  if (first === null || last === null) return first === last && numbers.length === 0
  return numbers.length === last - first + 1 && numbers.every((number, at) => number === first + at)
}
