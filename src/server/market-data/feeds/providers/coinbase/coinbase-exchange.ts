import { DEFAULT_ADDRESSES } from '#server/market-data/feeds/providers/default-addresses.ts'
import { ExchangeHistory } from '#server/market-data/feeds/providers/coinbase/exchange-history.ts'
import { ExchangeConnection } from '#server/market-data/feeds/providers/coinbase/exchange-connection.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import {
  singleConnectionProvider,
  type ProviderLimits,
} from '#server/market-data/feeds/providers/single-connection-provider.ts'
import type { Provider, ProviderOptions, ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import { SOCKET_LIMITS } from '#server/market-data/feeds/providers/socket-limits.ts'

const { stream: URL, rest: REST_URL } = DEFAULT_ADDRESSES.coinbase

/** Each product has two channels. More products would make the start slow. */
const MAX_SYMBOLS = 500

/**
 * Coinbase Exchange: the `matches` of each product, one message per trade, and its `heartbeat` once a second. Needs no key.
 */
export function coinbaseExchange(
  { name, url = URL, restUrl = REST_URL }: ProviderOptions,
  tools: ProviderTools,
  limits: ProviderLimits = {},
): Provider {
  const rests = new RestPeriods(tools)
  return singleConnectionProvider(tools, {
    name,
    rests,
    address: { url },
    limits: { ...SOCKET_LIMITS, ...limits.socket },
    maxSymbols: MAX_SYMBOLS,
    history: new ExchangeHistory(restUrl, tools, limits.rest, rests.calls),
    begin: (sink) => {
      const deduplicator = new CoinbaseTradeDeduplicator(sink, tools)
      return (line, symbols) => new ExchangeConnection({ line, symbols, deduplicator, sink })
    },
  })
}
