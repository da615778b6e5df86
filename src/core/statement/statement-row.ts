import { type BasisPoints, type Money, moneyText, percentNumber } from '#core/money/money.ts'
import { BUY, type Direction, type OrderResult } from '#core/orders/order.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { zoneIso } from '#core/time/zone.ts'

/**
 * The kinds of rows. A paid withdrawal and its charge share one row, and so do a returned withdrawal and its charge.
 */
export const STATEMENT_KINDS = [
  'order_win',
  'order_lose',
  'order_draw',
  'order_void',
  'order_sold',
  'make_good',
  'deposit',
  'withdrawal',
  'withdrawal_returned',
  'withdrawal_failed',
  'withdrawal_rejected',
  'withdrawal_cancelled',
  'correction',
] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** The kind of an order's row, by its result. */
export const ORDER_KINDS = {
  1: 'order_win',
  2: 'order_lose',
  3: 'order_draw',
  4: 'order_void',
  5: 'order_sold',
} as const satisfies Record<OrderResult, StatementKind>

export interface StatementRow {
  /** Position in the statement, from 1. */
  readonly n: number
  readonly at: Instant
  readonly kind: StatementKind
  readonly reference: string
  /** The message of the operator to the user. */
  readonly words: string
  /** The change of the account total. */
  readonly amount: Money
  /** The account total after the row. */
  readonly balance: Money
  readonly order: StatementOrder | null
}

export interface StatementOrder {
  /** The number of the order's result. Null when the order ended before results were numbered. */
  readonly resultNumber: number | null
  readonly symbol: string
  readonly direction: Direction
  readonly stake: Money
  readonly payout: BasisPoints
  readonly entry: string
  readonly exit: string | null
  readonly voidReason: string | null
}

/** The columns of the file, in every language. */
export const STATEMENT_COLUMNS = [
  'n',
  'at_utc',
  'at_local',
  'kind',
  'reference',
  'words',
  'amount',
  'balance',
  'result_number',
  'symbol',
  'direction',
  'stake',
  'payout_percent',
  'entry',
  'exit',
  'void_reason',
] as const

/** The byte-order mark at the beginning of the file, which makes spreadsheets read UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'
/** The first field of the last line. A file without this line was cut off. */
export const END_MARK = 'end'

/** Returns a row in the order of the columns. */
export function rowCells(
  { n, at, kind, reference, words, amount, balance, order }: StatementRow,
  zone: string,
): (string | number | null)[] {
  const own = [n, toIso(at), zoneIso(zone, at), kind, reference, words, moneyText(amount), moneyText(balance)]
  if (order === null) return [...own, null, null, null, null, null, null, null, null]
  return [
    ...own,
    order.resultNumber,
    order.symbol,
    order.direction === BUY ? 'buy' : 'sell',
    moneyText(order.stake),
    percentNumber(order.payout),
    order.entry,
    order.exit,
    order.voidReason,
  ]
}
