import { DEFAULT_ADDRESSES } from '#server/market-data/feeds/providers/default-addresses.ts'
import { AdvancedHistory } from '#server/market-data/feeds/providers/coinbase/advanced-history.ts'
import { AdvancedConnection } from '#server/market-data/feeds/providers/coinbase/advanced-connection.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import {
  singleConnectionProvider,
  type ProviderLimits,
} from '#server/market-data/feeds/providers/single-connection-provider.ts'
import type { Provider, ProviderOptions, ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import { SOCKET_LIMITS, type SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

const { stream: URL, rest: REST_URL } = DEFAULT_ADDRESSES['coinbase-advanced']

const MAX_SYMBOLS = 500

/** Coinbase takes eight messages a second from one address. When it refuses a list, each product is requested separately. */
const LIMITS: SocketLimits = { ...SOCKET_LIMITS, betweenSendsMs: 150, readyWithinMs: 90_000 }

/**
 * Coinbase Advanced Trade: `market_trades` (or `ticker`, which has no trade times), and `heartbeats` for the whole connection. Needs no
 * key.
 */
export function coinbaseAdvanced(
  { name, url = URL, restUrl = REST_URL }: ProviderOptions,
  tools: ProviderTools,
  limits: ProviderLimits = {},
): Provider {
  const rests = new RestPeriods(tools)
  return singleConnectionProvider(tools, {
    name,
    rests,
    address: { url },
    limits: { ...LIMITS, ...limits.socket },
    maxSymbols: MAX_SYMBOLS,
    history: new AdvancedHistory(restUrl, tools, limits.rest, rests.calls),
    begin: (sink) => {
      const deduplicator = new CoinbaseTradeDeduplicator(sink, tools)
      return (line, symbols) => new AdvancedConnection({ line, symbols, deduplicator, sink })
    },
  })
}
