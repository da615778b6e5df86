import type { PriceBar } from '#core/indicators/rule.ts'

/** The price of a bar that a moving average uses: one of its four prices, or the mean of two or three. */
export const PRICE_SOURCES = ['close', 'open', 'high', 'low', 'hl2', 'hlc3'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

export function priceOf(source: PriceSource): (bar: PriceBar) => number {
  if (source === 'hl2') return ({ high, low }) => (high + low) / 2
  return source === 'hlc3' ? typicalPrice : (bar) => bar[source]
}

/** The mean of high, low and close. */
export function typicalPrice({ high, low, close }: PriceBar): number {
  return (high + low + close) / 3
}
