import type { Success } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { failureOf, networkFailure } from '#web/api/call-failure.ts'

export interface CandlePageQuery {
  /** Id of the product: `BTCUSDT`, `AAPL`. */
  readonly productId: string
  readonly interval: ChartInterval
  /** Number of the page, see `core/markets/candle-page.ts`. Only pages that lie entirely in the past exist. */
  readonly page: number
}

// Importing the contract would add its schema library to the bundle. Its type alone checks the path.
const PATH: Calls['candlePage']['path'] = '/candles/:product/:interval/:page'

/**
 * Loads a page of closed candles, oldest first. The request has no token, so all users share one cached copy. The
 * browser caches the reply and only revalidates it. Throws a `CallFailure`.
 */
export async function loadCandlePage(
  { productId, interval, page }: CandlePageQuery,
  signal?: AbortSignal,
): Promise<Success<KlineRow[], CandleMeta>> {
  const filled = { product: productId, interval, page: String(page) }
  const address = PATH.replace(/:(product|interval|page)/g, (_, name: keyof typeof filled) =>
    encodeURIComponent(filled[name]),
  )
  try {
    const response = await fetch(`/api${address}`, { ...(signal && { signal }) })
    if (!response.ok) throw await failureOf(response)
    return (await response.json()) as Success<KlineRow[], CandleMeta>
  } catch (error) {
    if (error instanceof Error && error.name === 'CallFailure') throw error
    if (signal?.aborted === true) throw signal.reason
    throw networkFailure(error)
  }
}
