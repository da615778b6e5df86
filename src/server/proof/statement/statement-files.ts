import { createHash } from 'node:crypto'
import { uidOf } from '#core/accounts/uid.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { assert } from '#core/result.ts'
import { STATEMENT_FORMAT, STATEMENT_VERSION } from '#core/statement/statement-file.ts'
import { statementFactsText } from '#core/statement/statement-facts.ts'
import { BYTE_ORDER_MARK, END_MARK, rowCells, STATEMENT_COLUMNS } from '#core/statement/statement-row.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { csvLine } from '#server/platform/http/csv.ts'
import type { ProvenStatement } from '#server/proof/statement/prove-statement.ts'
import { numberRows, type Symbols } from '#server/proof/statement/statement-rows.ts'
import { type RowPlace, rowsAfter } from '#server/proof/statement/statement.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { readSigningKeys } from '#server/proof/receipts/signing-keys.queries.ts'

export interface StatementFileParts {
  readonly ctx: Pick<Ctx, 'db' | 'now'>
  readonly symbols: Symbols
  readonly statement: ProvenStatement
  readonly zone: string
}

/** 2,000 rows are about 300 KB. */
const ROWS_PER_PORTION = 2_000

/**
 * Yields a statement as CSV in portions. Each portion is a short separate read, so no transaction waits for the reader.
 * Rows that are stored later are not included. Throws when the rows do not lead to the closing total.
 */
export async function* statementCsvPortions({
  ctx,
  symbols,
  statement: { range, sums, rows },
  zone,
}: StatementFileParts): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(STATEMENT_COLUMNS)
  let [count, balance] = [0, sums.opening]
  let after: RowPlace | null = null
  while (count < rows) {
    const stored = await rowsAfter(ctx.db, range, { after, limit: ROWS_PER_PORTION })
    const numbered = numberRows(stored, { before: balance, n: count + 1 }, symbols)
    count += numbered.length
    balance = numbered.at(-1)?.balance ?? balance
    after = stored.at(-1) ?? after
    assert(numbered.length > 0 && count <= rows, 'a statement has the rows that were proven')
    yield numbered.map((row) => csvLine(rowCells(row, zone))).join('')
  }
  assert(balance === sums.closing, 'the rows of a statement lead to its closing total')
  yield csvLine([END_MARK, rows])
}

/**
 * Yields a signed statement in portions. The rows are read twice: for their hash, which is signed, and for the file.
 */
export async function* signedStatementPortions(
  parts: StatementFileParts & { readonly key: Pick<SigningKeyPair, 'signStatement'> },
): AsyncGenerator<string> {
  const { ctx, statement, zone, key } = parts
  yield `{"format":${JSON.stringify(STATEMENT_FORMAT)},"version":${STATEMENT_VERSION},`
  const hash = createHash('sha256')
  for await (const portion of statementCsvPortions(parts)) hash.update(portion)
  const { range, sums, rows, firstResult, lastResult } = statement
  const rowsHash = hash.digest('hex')
  const facts = statementFactsText({
    uid: uidOf(range.userId),
    currency: BASE_CURRENCY,
    zone,
    sums,
    rows,
    from_ms: range.from,
    to_ms: range.to,
    rows_sha256: rowsHash,
    first_result: firstResult,
    last_result: lastResult,
    signed_ms: ctx.now(),
  })
  const keys = await readSigningKeys(ctx.db)
  yield `"facts":${JSON.stringify(facts)},"signature":"${await key.signStatement(facts)}","keys":${JSON.stringify(keys)},"rows":"`
  const sent = createHash('sha256')
  for await (const portion of statementCsvPortions(parts)) {
    sent.update(portion)
    yield JSON.stringify(portion).slice(1, -1)
  }
  assert(sent.digest('hex') === rowsHash, 'the rows of a file are those that were signed')
  yield '"}\n'
}
