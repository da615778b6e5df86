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

/** Short limits for the adapter, so that tests are fast. */
export interface Hurry {
  readonly socket: Partial<SocketLimits>
  readonly rest: Partial<RestLimits>
}

/** Recorded messages with all their prices, parsed independently of the adapter. */
export interface Recording {
  readonly name: string
  readonly symbols: readonly ProviderSymbol[]
  readonly messages: readonly string[]
  readonly quotes: readonly Quote[]
}

export interface ProviderUnderTest {
  readonly protocol: () => WireProtocol
  readonly create: (options: ProviderOptions, tools: ProviderTools, hurry: Hurry) => Provider
  /** Two symbols that the provider has, and one that it lacks. */
  readonly symbols: readonly [ProviderSymbol, ProviderSymbol]
  readonly unknown: ProviderSymbol
  readonly recordings: readonly Recording[]
  /** Returns the n-th new price of a symbol with its messages. Each price is later than the previous price. */
  readonly tell: (symbol: ProviderSymbol, n: number) => { readonly messages: readonly string[]; readonly quote: Quote }
  /** Returns a message with other JSON in place of its price. */
  readonly withPrice: (message: string, json: string) => string
  /** Whether a repeated message can be distinguished from two equal messages. */
  readonly tellsRepeats: boolean
  /** Whether the adapter reads messages in binary frames like text. */
  readonly readsBinary?: boolean
  /** Whether a second connection takes over before the provider closes the first. */
  readonly renews?: boolean
  /** Creates a reader without a connection. It returns the prices in each given text. */
  readonly read: () => (text: string) => readonly Quote[]
  /** Symbols that need several connections, and the number of connections. */
  readonly many?: { readonly symbols: readonly ProviderSymbol[]; readonly connections: number }
  readonly history: {
    readonly query: ProviderCandleQuery
    readonly candles: readonly ProviderCandle[]
    readonly unknown: ProviderCandleQuery
  } | null
}

/** Waits until a condition is true, instead of for a fixed time. */
export function until(check: () => unknown): Promise<void> {
  return vi.waitFor(
    () => {
      check()
    },
    { interval: 3 },
  )
}
