import type { ReportDimension } from '#contract/back-office/reports.ts'
import type { Tx } from '#server/platform/database/tables.ts'

export interface ReportNames {
  readonly marketOf: (symbolId: string) => string
  /** The name of a value. Values of other dimensions name themselves. */
  readonly of: (dimension: ReportDimension, value: string) => string
}

/** Reads the names of symbols and gateways. Neither is ever deleted. */
export async function readNames(tx: Tx): Promise<ReportNames> {
  const symbols = await tx.selectFrom('market_symbol').select(['id', 'code', 'market_type']).execute()
  const gateways = await tx.selectFrom('gateway').select(['id', 'name', 'kind']).execute()
  const markets = new Map(symbols.map(({ id, market_type: market }) => [String(id), market]))
  const names: Partial<Record<ReportDimension, ReadonlyMap<string, string>>> = {
    symbol: new Map(symbols.map(({ id, code }) => [String(id), code])),
    gateway: new Map(gateways.map(({ id, name }) => [String(id), name])),
  }
  return {
    marketOf: (symbolId) => markets.get(symbolId) ?? '',
    of: (dimension, value) => names[dimension]?.get(value) ?? value,
  }
}
