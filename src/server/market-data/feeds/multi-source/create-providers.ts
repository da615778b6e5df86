import type { FeedsFileProvider } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import type { ReadFeeds } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import { Binance } from '#server/market-data/feeds/providers/binance/binance.ts'
import { ccxt } from '#server/market-data/feeds/providers/ccxt/ccxt.ts'
import { coinbaseAdvanced } from '#server/market-data/feeds/providers/coinbase/coinbase-advanced.ts'
import { coinbaseExchange } from '#server/market-data/feeds/providers/coinbase/coinbase-exchange.ts'
import { finnhub } from '#server/market-data/feeds/providers/finnhub/finnhub.ts'
import type { Provider, ProviderOptions, ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

export interface ProvidersWanted {
  readonly read: Pick<ReadFeeds, 'providers'>
  readonly keyOf: (variable: string) => string | undefined
  readonly tools: ProviderTools
  /** The names of the providers that symbols need. */
  readonly used: ReadonlySet<string>
}

/** Creates the providers of a file. None connects before it is started. */
export async function createProviders({
  read,
  keyOf,
  tools,
  used,
}: ProvidersWanted): Promise<ReadonlyMap<string, Provider>> {
  const entries = [...read.providers]
    .filter(([name]) => used.has(name))
    .map(async ([name, row]) => [name, await createProvider(row, optionsOf(name, row, keyOf), tools)] as const)
  return new Map(await Promise.all(entries))
}

function optionsOf(
  name: string,
  { url, restUrl, keyFrom }: FeedsFileProvider,
  keyOf: ProvidersWanted['keyOf'],
): ProviderOptions {
  const key = keyFrom === undefined ? undefined : keyOf(keyFrom)
  return {
    name,
    ...(url !== undefined && { url }),
    ...(restUrl !== undefined && { restUrl }),
    ...(key !== undefined && { key }),
  }
}

async function createProvider(
  { kind, exchange = '' }: FeedsFileProvider,
  options: ProviderOptions,
  tools: ProviderTools,
): Promise<Provider> {
  switch (kind) {
    case 'binance':
      return new Binance(options, tools)
    case 'coinbase':
      return coinbaseExchange(options, tools)
    case 'coinbase-advanced':
      return coinbaseAdvanced(options, tools)
    case 'finnhub':
      return finnhub(options, tools)
    default:
      return await ccxt(options, exchange, tools).catch((error: unknown) => {
        throw new StartUpError(`providers.${options.name}: ${error instanceof Error ? error.message : String(error)}`)
      })
  }
}
