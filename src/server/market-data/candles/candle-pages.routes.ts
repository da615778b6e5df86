import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import type { CandlePages } from '#server/market-data/candles/candle-pages.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

export interface CandlePagesRoutesParts {
  readonly catalogue: Pick<MarketCatalogue, 'findKnown'>
  readonly candlePages: CandlePages
}

/** Builds pages that are not cached. Cached pages are sent earlier, by `platform/http/answer-ahead.ts`. */
export function candlePagesRoutes(register: Register, { catalogue, candlePages }: CandlePagesRoutesParts): void {
  register(calls.candlePage, async ({ params }) => {
    const symbol = catalogue.findKnown(params.product)
    if (!symbol) return refuse('symbol_unknown', { field: 'product' })
    const prepared = await candlePages.page(symbol, params.interval, params.page)
    return prepared === null ? refuse('not_found', { field: 'page' }) : { ok: true, prepared }
  })
}
