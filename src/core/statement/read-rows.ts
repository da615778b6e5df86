import { MONEY_DECIMALS, type Money, money } from '#core/money/money.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import {
  BYTE_ORDER_MARK,
  END_MARK,
  STATEMENT_COLUMNS,
  STATEMENT_KINDS,
  type StatementKind,
} from '#core/statement/statement-row.ts'

/** A row as read from a file. Texts that are only displayed are kept as they are in the file. */
export interface FileRow {
  readonly n: number
  readonly atUtc: string
  readonly atLocal: string
  readonly kind: StatementKind
  readonly reference: string
  readonly words: string
  readonly amount: Money
  readonly balance: Money
  readonly order: FileOrder | null
}

export interface FileOrder {
  readonly resultNumber: number | null
  readonly symbol: string
  readonly direction: string
  readonly stake: Money
  /** The payout in hundredths of a percent. */
  readonly payout: bigint
  readonly entry: string
  readonly exit: string
  readonly voidReason: string
}

/** Parses the rows of a statement. Returns null when the text has another form, or its end is missing. */
export function readRows(text: string): readonly FileRow[] | null {
  if (!text.startsWith(BYTE_ORDER_MARK)) return null
  const lines = readCsv(text.slice(BYTE_ORDER_MARK.length))
  const end = lines?.at(-1)
  if (!lines || end === undefined || lines[0]?.join(',') !== STATEMENT_COLUMNS.join(',')) return null
  const rows = lines.slice(1, -1).map(readRow)
  if (end.length !== 2 || end[0] !== END_MARK || end[1] !== String(rows.length)) return null
  return rows.every((row) => row !== null) ? rows : null
}

function readRow(cells: readonly string[]): FileRow | null {
  if (cells.length !== STATEMENT_COLUMNS.length) return null
  const [n = '', atUtc = '', atLocal = '', kindText = '', reference = '', words = '', amountText = '', total = ''] =
    cells
  const kind = STATEMENT_KINDS.find((one) => one === kindText)
  const [amount, balance] = [readAmount(amountText), readAmount(total)]
  if (kind === undefined || amount === null || balance === null || !/^[1-9]\d{0,9}$/.test(n)) return null
  const order = readOrder(cells.slice(8))
  if (order === undefined || (order !== null) !== kind.startsWith('order_')) return null
  return { n: Number(n), atUtc, atLocal, kind, reference, words, amount, balance, order }
}

/** 10,000 %, in hundredths of a percent: far above any payout. */
const MAX_PAYOUT = 1_000_000n

/** Parses the columns of an order. Null for a row without an order, undefined when they are malformed. */
function readOrder(cells: readonly string[]): FileOrder | null | undefined {
  if (cells.every((cell) => cell === '')) return null
  const [number = '', symbol = '', direction = '', stakeText = '', payoutText = '', entry = '', exit = '', why = ''] =
    cells
  const [stake, payout] = [readAmount(stakeText), parseDecimal(payoutText, 2)]
  if (stake === null || payout === null || payout > MAX_PAYOUT || !/^(?:[1-9]\d{0,14})?$/.test(number)) return undefined
  const resultNumber = number === '' ? null : Number(number)
  return { resultNumber, symbol, direction, stake, payout, entry, exit, voidReason: why }
}

function readAmount(text: string): Money | null {
  const [sign, digits] = text.startsWith('-') ? [-1n, text.slice(1)] : [1n, text]
  const value = /\.\d\d$/.test(digits) ? parseDecimal(digits, MONEY_DECIMALS) : null
  return value === null ? null : money(sign * value)
}

/** Matches a field of RFC 4180 with the comma or the end of line after it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

/** Splits CSV into lines of fields. Returns null when it is malformed or does not end with a line break. */
function readCsv(text: string): string[][] | null {
  const lines: string[][] = []
  let line: string[] = []
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < text.length) {
    const found = FIELD.exec(text)
    if (found === null) return null
    const [, quoted, plain = '', end] = found
    line.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return line.length === 0 ? lines : null
}
