import { mulDivHalfEven } from '#core/money/decimal.ts'
import type { Price } from '#core/money/price.ts'
import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { closedCandles } from '#server/market-data/candles/candle.queries.ts'
import { findRateAt } from '#server/payments/gateways/past.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
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

/** Returns the rate that a gateway had at an instant, in millionths. Null when it had none. */
export type RateAt = (tx: Tx, gateway: Pick<Gateway, 'id' | 'currency' | 'rate'>, at: Instant) => Promise<bigint | null>

/** 5 minutes: a live rate is taken from the last closed minute before the instant, which must not be older. */
const OLDEST_MINUTE_MS = 5 * MINUTE_MS

/** The rates that staff set. A gateway with a live rate has none of these, so its rate is unknown. */
export const storedRateAt: RateAt = async (tx, gateway, at) =>
  hasLiveRate(gateway) ? null : ((await findRateAt(tx, gateway.id, at)) ?? gateway.rate)

export function createRateAt(catalogue: Pick<MarketCatalogue, 'find'>): RateAt {
  return async (tx, gateway, at) => {
    if (!hasLiveRate(gateway)) return storedRateAt(tx, gateway, at)
    const symbol = catalogue.find(gateway.currency)
    if (!symbol) return null
    const before = { symbolId: symbol.id, interval: '1m', before: later(at, 1 - MINUTE_MS), limit: 1 } as const
    const [minute] = await closedCandles(tx, before)
    if (!minute || minute.openTime < at - OLDEST_MINUTE_MS) return null
    return toMillionths(minute.close, symbol.decimals)
  }
}

/** Converts a price with the decimals of its symbol to a rate. */
function toMillionths(price: Price, decimals: number): bigint {
  return mulDivHalfEven(BigInt(price), MILLION, 10n ** BigInt(decimals))
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
    return toMillionths(newest.price, symbol.decimals)
  }
}
