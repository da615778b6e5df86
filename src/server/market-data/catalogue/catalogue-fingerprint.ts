import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** Returns a text that differs whenever any part of the catalogue differs. */
export function catalogueFingerprint({
  known,
  symbols,
  closures,
  planned,
  maintenance,
  quickAmounts,
  settings,
  terms,
}: MarketCatalogue): string {
  const all = {
    known,
    listed: symbols.map(({ id }) => id),
    closures: [...closures],
    planned,
    maintenance,
    quickAmounts,
    settings,
    terms: terms.newest,
  }
  return JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
