import { vi } from 'vitest'
import type {
  Provider,
  ProviderCandle,
  ProviderCandleQuery,
  ProviderOptions,
  ProviderSymbol,
  ProviderTools,
  Quote,
} from '#server/market-data/feeds/providers/provider.ts'
import type { RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'
import type { WireProtocol } from '#test/support/providers/provider-server.ts'

/** Limits that make an adapter as impatient as a test. */
export interface Hurry {
  readonly socket: Partial<SocketLimits>
  readonly rest: Partial<RestLimits>
}

/** Recorded messages and all the prices in them, read by other means than the adapter's. */
export interface Recording {
  readonly name: string
  readonly symbols: readonly ProviderSymbol[]
  readonly messages: readonly string[]
  readonly quotes: readonly Quote[]
}

export interface ProviderUnderTest {
  readonly protocol: () => WireProtocol
  readonly create: (options: ProviderOptions, tools: ProviderTools, hurry: Hurry) => Provider
  /** Two symbols the provider has, and one it does not have. */
  readonly symbols: readonly [ProviderSymbol, ProviderSymbol]
  readonly unknown: ProviderSymbol
  readonly recordings: readonly Recording[]
  /** The n-th new price of a symbol and the messages that tell it; later than the one before. */
  readonly tell: (symbol: ProviderSymbol, n: number) => { readonly messages: readonly string[]; readonly quote: Quote }
  /** A message with something else, as JSON, where its price was. */
  readonly withPrice: (message: string, json: string) => string
  /** Whether a message that comes twice can be told from two equal ones. */
  readonly tellsRepeats: boolean
  /** Messages in binary frames are read like text. */
  readonly readsBinary?: boolean
  /** Whether a second connection takes over before the provider ends the first. */
  readonly renews?: boolean
  /** A new reader, without a connection: the prices in each text it is given. */
  readonly read: () => (text: string) => readonly Quote[]
  /** Symbols that need several connections, and how many. */
  readonly many?: { readonly symbols: readonly ProviderSymbol[]; readonly connections: number }
  readonly history: {
    readonly query: ProviderCandleQuery
    readonly candles: readonly ProviderCandle[]
    readonly unknown: ProviderCandleQuery
  } | null
}

/** Waits for something to become true, not for a time. */
export function until(check: () => unknown): Promise<void> {
  return vi.waitFor(
    () => {
      check()
    },
    { timeout: 20_000, interval: 3 },
  )
}
