import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** Returns a text that differs whenever any part of the catalogue differs. */
export function catalogueFingerprint({
  known,
  symbols,
  closures,
  planned,
  quickAmounts,
  settings,
}: MarketCatalogue): string {
  const all = { known, listed: symbols.map(({ id }) => id), closures: [...closures], planned, quickAmounts, settings }
  return JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
