import { useQuery } from '@tanstack/react-query'
import type { ReceiptFacts } from '#core/proof/receipt-facts.ts'
import { isDrawnByRanges, loadRanges } from '#web/chart/load-course.ts'
import type { PriceRange } from '#web/chart/price-course.ts'

/**
 * Loads the price range of each candle of a long order. The evidence of such an order has only the ticks around the
 * entry and around the expiry.
 */
export function useMiddleOf(facts: ReceiptFacts | null): readonly PriceRange[] {
  const isLong = facts !== null && isDrawnByRanges(facts.opened_ms, facts.expires_ms)
  const { data = [] } = useQuery({
    queryKey: ['middle', facts?.trx],
    queryFn: async ({ signal }) => (facts === null ? [] : (await load(facts, signal)).ranges),
    enabled: isLong,
  })
  return data
}

async function load({ symbol, opened_ms: from, expires_ms: through }: ReceiptFacts, signal: AbortSignal) {
  return loadRanges({ productId: symbol, span: { from, through } }, from, signal)
}
