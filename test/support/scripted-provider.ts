import type { UnusedTradeReason } from '#core/markets/sources/unused-trade.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type {
  Provider,
  ProviderSink,
  ProviderSymbol,
  ProviderTrouble,
} from '#server/market-data/feeds/providers/provider.ts'

interface QuoteParts {
  readonly volume?: string
  readonly ref?: number | undefined
}

/** A provider that sends exactly the messages of a test. */
export class ScriptedProvider implements Provider {
  readonly name: string
  readonly history = null
  readonly followed: ProviderSymbol[] = []
  isStopped = false
  restsUntil: NonNullable<Provider['restsUntil']> = () => null
  #sink: ProviderSink | null = null

  constructor(name: string) {
    this.name = name
  }

  start(sink: ProviderSink): void {
    this.#sink = sink
    sink.connected()
  }

  follow(symbol: ProviderSymbol): void {
    this.followed.push(symbol)
  }

  stop(): Promise<void> {
    this.isStopped = true
    return Promise.resolve()
  }

  quote(symbol: string, price: string, time: Instant | number, { volume = '1', ref }: QuoteParts = {}): void {
    this.#sink?.quote({ symbol, price, volume, time: instant(time), ref })
  }

  alive(symbol: string, time: Instant | number): void {
    this.#sink?.alive(symbol, instant(time))
  }

  unused(symbol: string | null, reason: UnusedTradeReason, back?: number): void {
    this.#sink?.unused(symbol, reason, back)
  }

  trouble(trouble: ProviderTrouble): void {
    this.#sink?.trouble(trouble)
  }
}
