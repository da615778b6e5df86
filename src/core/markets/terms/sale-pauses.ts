import type { MarketType } from '#core/markets/market.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import type { SalePause } from '#core/orders/sale/sale-pause.ts'
import { later } from '#core/time/instant.ts'

/**
 * Lists the announced pauses of a symbol: its own, and those of its market. They are announced longer before their begin than an order can
 * be sold before its expiry, so no pause that is announced after a request can touch its order.
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
