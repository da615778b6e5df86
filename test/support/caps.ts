import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { instant } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CapGate } from '#server/trading/engine/cap-gate.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import { BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'

/** Trade terms with these caps, in cents, always in force. */
export function termsWithCaps(caps: Readonly<Record<string, number>>): TermsHistory {
  const at = instant(0)
  return new TermsHistory(
    Object.entries(caps).map(([of, most], index) => ({
      n: index + 1,
      what: 'cap',
      of,
      value: String(most),
      announcedAt: at,
      appliesAt: at,
    })),
  )
}

/** The gate of a test's acceptor. By default no cap is in force. */
export function capGate(
  ctx: Ctx,
  catalogue: Pick<MarketCatalogue, 'terms'> = fixedCatalogue(),
  isOnlyTaker = () => true,
): CapGate {
  return new CapGate({ ctx, catalogue, store: createEngineStore(ctx), isOnlyTaker })
}

/** Stores the test market's symbol, which open orders name. */
export async function insertBtc(ctx: Ctx): Promise<void> {
  const { id, code, name, marketType, decimals } = BTC
  await ctx.db
    .insertInto('market_symbol')
    .values({ id, code, name, market_type: marketType, decimals, closed_reason: null, sort: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
