import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** Another text whenever anything of what can be traded differs. */
export function catalogueMark({ known, symbols, closures, planned, quickAmounts, settings }: MarketCatalogue): string {
  const all = { known, listed: symbols.map(({ id }) => id), closures: [...closures], planned, quickAmounts, settings }
  return JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
