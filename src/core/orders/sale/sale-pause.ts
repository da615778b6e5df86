import type { MarketType } from '#core/markets/market.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'

/** An announced time in which no sale is offered, because an event is expected to move the price. Both ends belong to it. */
export interface SalePause {
  readonly from: Instant
  readonly until: Instant
}

/** A pause counts for this long after its end: the movement is measured over 20 minutes. */
const AFTER_PAUSE_MS = 20 * MINUTE_MS

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

/** Whether a pause touches the time from 20 minutes before a moment to the expiry of an order. */
export function isSalePaused(pauses: readonly SalePause[], at: Instant, expiresAt: Instant): boolean {
  return pauses.some(({ from, until }) => from <= expiresAt && until >= at - AFTER_PAUSE_MS)
}
