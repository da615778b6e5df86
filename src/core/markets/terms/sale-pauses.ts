import type { MarketType } from '#core/markets/market.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import type { SalePause } from '#core/orders/sale/sale-pause.ts'
import { later } from '#core/time/instant.ts'

/**
 * Lists the announced pauses of a symbol: its own, and those of its market. The notice of a pause is longer than the
 * time before the expiry in which an order can be sold. So a pause that is announced after a request to sell cannot
 * affect that request's order.
 */
export function salePauses(
  history: TermsHistory,
  { code, marketType }: { readonly code: string; readonly marketType: MarketType },
): readonly SalePause[] {
  return [code, marketType].flatMap((of) =>
    history
      .steps('sale_pause', of)
      .map(({ appliesAt, value }) => ({ from: appliesAt, until: later(appliesAt, Number(value)) })),
  )
}
