import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { toBase64Url, toHex, utf8Bytes } from '#core/proof/bytes.ts'
import type { SigningKey } from '#core/proof/check-signature.ts'
import { type StatementFacts, statementFactsText } from '#core/statement/statement-facts.ts'
import { STATEMENT_FORMAT, type StatementFile } from '#core/statement/statement-file.ts'
import { BYTE_ORDER_MARK, rowCells, STATEMENT_COLUMNS, type StatementRow } from '#core/statement/statement-row.ts'
import { instant } from '#core/time/instant.ts'
import { csvLine } from '#server/platform/http/csv.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'

/** The time at which the period of the statement begins, in ms. */
export const STATEMENT_AT = Date.UTC(2026, 10, 3)
const AT = STATEMENT_AT
export const OWN_KEY = makeKey()

/** Makes a key pair that is in use at any time. */
export function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = toBase64Url(sha256(utf8Bytes(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)))
  const key: SigningKey = { kid, x, from_ms: 0, retired_ms: null }
  return { key, privateKey }
}

const encode = (text: string): string => toBase64Url(utf8Bytes(text))

/** Signs a text as a statement, or as another kind of content. */
export function jws(
  facts: string,
  { key, privateKey }: { key: SigningKey; privateKey: KeyObject } = OWN_KEY,
  typ = 'fairwick-statement',
) {
  const head = `${encode(JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ }))}.${encode(facts)}`
  return `${head}.${toBase64Url(new Uint8Array(sign(null, Buffer.from(head), privateKey)))}`
}

/** Builds the order of a statement row, with the number of its result. */
export const order = (resultNumber: number, voidReason: string | null = null) => ({
  resultNumber,
  symbol: 'BTC',
  direction: 1 as const,
  stake: money(1_000),
  payout: basisPoints(8_250),
  entry: '67284.10',
  exit: voidReason === null ? '67290.00' : null,
  voidReason,
})
const row = (n: number, change: Partial<StatementRow>): StatementRow => ({
  n,
  at: instant(AT + n),
  kind: 'deposit',
  reference: `FW-${n}`,
  words: '',
  amount: money(0),
  balance: money(0),
  order: null,
  ...change,
})

/** The rows of a statement whose balances agree with its amounts. */
export const ROWS: readonly StatementRow[] = [
  row(1, { amount: money(5_000), balance: money(5_000), words: 'Two\r\nlines, "quoted" ‮and turned' }),
  row(2, { kind: 'order_win', amount: money(825), balance: money(5_825), order: order(7) }),
  row(3, { kind: 'order_lose', amount: money(-1_000), balance: money(4_825), order: order(8) }),
  row(4, { kind: 'order_void', balance: money(4_825), order: order(9, 'no_tick_before_expiry') }),
  row(5, { kind: 'withdrawal', amount: money(-1_100), balance: money(3_725) }),
  row(6, { kind: 'correction', amount: money(-25), balance: money(3_700), words: '=1+1' }),
]
export const SUMS = {
  opening: money(0),
  deposits: money(5_000),
  withdrawals: money(1_000),
  charges: money(100),
  won: money(825),
  lost: money(1_000),
  corrections: money(-25),
  closing: money(3_700),
}

const csvOf = (rows: readonly StatementRow[]): string =>
  `${BYTE_ORDER_MARK}${csvLine(STATEMENT_COLUMNS)}${rows.map((one) => csvLine(rowCells(one, 'UTC'))).join('')}${csvLine(['end', rows.length])}`

/** Signs rows as a dishonest operator could: hash, count and signature fit any rows. */
export function signed(rows: readonly StatementRow[], change: Partial<StatementFacts> = {}): StatementFile {
  const text = csvOf(rows)
  const facts = statementFactsText({
    uid: '7K3M9QX2TD',
    currency: BASE_CURRENCY,
    from_ms: AT,
    to_ms: AT + 86_400_000,
    zone: 'Asia/Kathmandu',
    sums: SUMS,
    rows: rows.length,
    rows_sha256: toHex(sha256(utf8Bytes(text))),
    first_result: 7,
    last_result: 9,
    signed_ms: AT + 1_000,
    ...change,
  })
  return { facts, signature: jws(facts), keys: [OWN_KEY.key], rows: text }
}

/** Formats a signed statement as it is downloaded. */
export function fileText(file: StatementFile): string {
  return JSON.stringify({ format: STATEMENT_FORMAT, version: 1, ...file })
}
