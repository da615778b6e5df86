import type { Success } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { failureOf, networkFailure } from '#web/api/call-failure.ts'

export interface CandlePageQuery {
  /** `BTCUSDT`, `AAPL`. */
  readonly productId: string
  readonly interval: ChartInterval
  /** See `core/markets/candle-page.ts`; only pages that are wholly in the past are there. */
  readonly page: number
}

// The contract itself stays out of the browser, with the library that it is written in; its type checks the path.
const PATH: Calls['candlePage']['path'] = '/candles/:product/:interval/:page'

/**
 * A page of closed candles, ascending. It goes without a token: then everybody's copy is the same, the server has it
 * ready, and the browser keeps it and asks only whether it still holds. Throws a `CallFailure`.
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
