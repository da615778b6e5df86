import type { MarketType } from '#core/markets/market.ts'

/**
 * The picture files: coins and companies by symbol code, currencies by currency code. `docs/reference/pictures.md`
 * names the origin of each.
 */
const FILES = import.meta.glob<string>('../art/symbols/*/*.svg', { eager: true, query: '?url', import: 'default' })

/** Returns the addresses of a symbol's pictures: one, or base and quote of a pair. Empty if any is missing. */
export function picturesOf(code: string, marketType: MarketType): readonly string[] {
  const names = marketType === 'us_fx' ? [code.slice(0, 3), code.slice(3)] : [code]
  const found = names.map((name) => FILES[`../art/symbols/${marketType}/${name.toLowerCase()}.svg`])
  return found.every((file) => file !== undefined) ? found : []
}
