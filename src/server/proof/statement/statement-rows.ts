import { formatDecimal } from '#core/money/decimal.ts'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import type { StatementRow } from '#core/statement/statement-row.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { StoredRow } from '#server/proof/statement/statement.queries.ts'

export type Symbols = Pick<MarketCatalogue, 'byId'>

/**
 * Numbers rows and adds the account total after each row. `before` is the total before the first row, whose number is
 * `n`.
 */
export function numberRows(
  stored: readonly StoredRow[],
  { before, n }: { readonly before: Money; readonly n: number },
  symbols: Symbols,
): StatementRow[] {
  let balance = before
  return stored.map(({ order, ...row }, at) => {
    balance = money(balance + row.amount)
    return { ...row, n: n + at, balance, order: order && toOrder(order, symbols) }
  })
}

function toOrder(order: NonNullable<StoredRow['order']>, symbols: Symbols): NonNullable<StatementRow['order']> {
  const { symbolId, entryPrice, exitPrice, ...rest } = order
  const symbol = symbols.byId(symbolId)
  assert(symbol, 'an order names a symbol we know')
  const text = (price: bigint): string => formatDecimal(price, symbol.decimals)
  return { ...rest, symbol: symbol.code, entry: text(entryPrice), exit: exitPrice === null ? null : text(exitPrice) }
}
