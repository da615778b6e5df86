import { axisPrice } from '#web/chart/chart-options.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { usePriceNowAndThen } from '#web/chart/screen-reader-text.ts'

/** Announces the price to screen readers when it has changed, at most every 15 s. */
export function PriceAloud({ symbol: { code, title, decimals } }: { symbol: ChartSymbol }) {
  const price = usePriceNowAndThen(code)
  return <output className="sr-only">{price === null ? '' : `${title} ${axisPrice(price, decimals)}`}</output>
}
