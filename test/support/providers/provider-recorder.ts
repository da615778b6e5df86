import { randomBytes } from 'node:crypto'
import type { UnusedTradeReason } from '#core/markets/sources/unused-trade.ts'
import type { Instant } from '#core/time/instant.ts'
import type {
  ProviderSink,
  ProviderTools,
  ProviderTrouble,
  Quote,
} from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

/** Records all messages of a provider. */
export class ProviderRecorder implements ProviderSink {
  readonly quotes: Quote[] = []
  readonly alives: { symbol: string; time: Instant; quotesBefore: number }[] = []
  readonly troubles: ProviderTrouble[] = []
  readonly unusedTrades: { symbol: string | null; reason: UnusedTradeReason; back?: number }[] = []
  connections = 0

  quote(quote: Quote): void {
    this.quotes.push(quote)
  }

  alive(symbol: string, time: Instant): void {
    this.alives.push({ symbol, time, quotesBefore: this.quotes.length })
  }

  connected(): void {
    this.connections += 1
  }

  trouble(trouble: ProviderTrouble): void {
    this.troubles.push(trouble)
  }

  unused(symbol: string | null, reason: UnusedTradeReason, back?: number): void {
    this.unusedTrades.push({ symbol, reason, ...(back !== undefined && { back }) })
  }

  /** Returns a copy of all records. */
  all() {
    const { quotes, alives, troubles, unusedTrades, connections } = this
    return structuredClone({ quotes, alives, troubles, unusedTrades, connections })
  }

  kinds(): Set<ProviderTrouble['kind']> {
    return new Set(this.troubles.map(({ kind }) => kind))
  }

  /** Returns quotes that arrived after their time had been declared complete. */
  latecomers(): Quote[] {
    return this.alives.flatMap(({ symbol, time, quotesBefore }) =>
      this.quotes.slice(quotesBefore).filter((quote) => quote.symbol === symbol && quote.time <= time),
    )
  }
}

/** Returns tools with the real clock and randomness that count pending timers. */
export function countedTools(): ProviderTools & { pending(): number } {
  let pending = 0
  return {
    randomBytes: (count) => randomBytes(count),
    pending: () => pending,
    clock: {
      ...systemClock,
      after(ms, run) {
        let isDone = false
        const finish = () => {
          if (!isDone) pending -= 1
          isDone = true
        }
        pending += 1
        const cancel = systemClock.after(ms, () => {
          finish()
          run()
        })
        return () => {
          finish()
          cancel()
        }
      },
    },
  }
}
