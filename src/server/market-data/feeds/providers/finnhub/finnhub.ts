import { DEFAULT_ADDRESSES } from '#server/market-data/feeds/providers/default-addresses.ts'
import { FinnhubHistory } from '#server/market-data/feeds/providers/finnhub/finnhub-history.ts'
import { FinnhubConnection } from '#server/market-data/feeds/providers/finnhub/finnhub-connection.ts'
import { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import {
  singleConnectionProvider,
  type ProviderLimits,
} from '#server/market-data/feeds/providers/single-connection-provider.ts'
import type { Provider, ProviderOptions, ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import { SOCKET_LIMITS, type SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

const { stream: URL, rest: REST_URL } = DEFAULT_ADDRESSES.finnhub

/** Maximum symbols on one connection. Finnhub allows one connection per key: with a second, both are dropped. */
const MAX_SYMBOLS = 50

/**
 * Outside the sessions only pings arrive, about one a minute. When two in a row are missing, the connection is dead although it looks open.
 * This is known to happen.
 */
const LIMITS: SocketLimits = { ...SOCKET_LIMITS, silenceMs: 150_000, readyWithinMs: 150_000, betweenSendsMs: 50 }

/** Finnhub: trades of US stocks, currencies and crypto. Its key is part of the address, so the address is never shown. */
export function finnhub(
  { name, url = URL, restUrl = REST_URL, key }: ProviderOptions,
  tools: ProviderTools,
  limits: ProviderLimits = {},
): Provider {
  if (key === undefined || key === '') throw new Error(`${name} needs a key: name its variable with "keyFrom"`)
  const rests = new RestPeriods(tools)
  return singleConnectionProvider(tools, {
    name,
    rests,
    key,
    address: { url: `${url.replace(/\/$/, '')}/?token=${encodeURIComponent(key)}` },
    limits: { ...LIMITS, ...limits.socket },
    maxSymbols: MAX_SYMBOLS,
    history: new FinnhubHistory({ url: restUrl, key }, tools, limits.rest, rests.calls),
    begin: (sink) => {
      const deduplicator = new FinnhubTradeDeduplicator(sink, tools)
      return (line, symbols) => new FinnhubConnection({ line, symbols, deduplicator, sink })
    },
  })
}
