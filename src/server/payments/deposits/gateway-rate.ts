import { mulDivHalfEven } from '#core/money/decimal.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Gateway } from '#server/payments/gateways/list-gateways.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

/** Coins whose rate is the live price of their symbol. For these coins, the stored rate of the gateway is ignored. */
const LIVE_COINS: readonly string[] = ['BTC', 'ETH']
const MILLION = 1_000_000n

/**
 * Returns a gateway's current rate in millionths. Null when the rate depends on a live price and no fresh price exists.
 */
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
    // A price is too old for a deposit when it is too old for opening an order.
    if (!newest || ctx.now() - newest.time > symbol.maxTickAgeMs) return null
    return mulDivHalfEven(BigInt(newest.price), MILLION, 10n ** BigInt(symbol.decimals))
  }
}
