import type { ReportDimension } from '#contract/back-office/reports.ts'
import type { Tx } from '#server/platform/database/tables.ts'

export interface ReportNames {
  readonly marketOf: (symbolId: string) => string
  /** Returns the name of a symbol or gateway. In all other dimensions, the value itself is the name. */
  readonly of: (dimension: ReportDimension, value: string) => string
}

/** Reads the names of symbols and gateways. None of them is ever deleted, so every value has its name. */
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
