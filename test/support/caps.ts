import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { instant } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CapGate } from '#server/trading/engine/cap-gate.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import { BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'

/** Builds trade terms with these caps, in cents, which are in force from the beginning. */
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

/**
 * Creates the gate that refuses orders above a cap, for the order acceptor of a test. By default no cap is in force.
 */
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
