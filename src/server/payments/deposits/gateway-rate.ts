import { mulDivHalfEven } from '#core/money/decimal.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Gateway } from '#server/payments/gateways/list-gateways.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

/** Coins whose rate is the live price of their symbol, whatever the gateway says; all others have the gateway's own. */
const LIVE_COINS: readonly string[] = ['BTC', 'ETH']
const MILLION = 1_000_000n

/** A gateway's rate at this moment in millionths; null when it is a live price and there is none fresh enough. */
export type RateOf = (gateway: Pick<Gateway, 'currency' | 'rate'>) => bigint | null

export function hasLiveRate({ currency }: Pick<Gateway, 'currency'>): boolean {
  return LIVE_COINS.includes(currency)
}

export function createRateOf({
  ctx,
  catalogue,
  ticks,
}: {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'find'>
  readonly ticks: Pick<Ticks, 'latest'>
}): RateOf {
  return (gateway) => {
    if (!hasLiveRate(gateway)) return gateway.rate
    const symbol = catalogue.find(gateway.currency)
    const newest = symbol && ticks.latest(symbol.id)
    // As old as an order would still be opened on, and no older.
    if (!newest || ctx.now() - newest.time > symbol.maxTickAgeMs) return null
    return mulDivHalfEven(BigInt(newest.price), MILLION, 10n ** BigInt(symbol.decimals))
  }
}
