import { type Instant, instant } from '#core/time/instant.ts'
import type { FinnhubTrade } from '#server/feeds/providers/finnhub/finnhub-messages.ts'
import { isFarAhead } from '#server/feeds/providers/far-ahead.ts'
import type { ProviderSink, ProviderTools } from '#server/feeds/providers/provider.ts'

interface Told {
  /** The newest time that was told, of a price or a sign of life. */
  readonly through: Instant
  /** What an earlier connection told last: all of its millisecond and before may be sent a second time. */
  readonly barrier: Instant | null
}

/**
 * What was told of each symbol, over all connections. Finnhub's trades have no ids, and the same price, volume and
 * millisecond twice are two trades. So on one connection each trade counts that is not older than the newest before it;
 * on a new connection only what is newer than the last millisecond of the one before. A trade outside the regular session
 * makes no price, but shows that its symbol is alive; it says nothing of other symbols.
 */
export class FinnhubTold {
  private readonly told = new Map<string, Told>()
  private readonly sink: ProviderSink
  private readonly clock: ProviderTools['clock']

  constructor(sink: ProviderSink, { clock }: Pick<ProviderTools, 'clock'>) {
    this.sink = sink
    this.clock = clock
  }

  connectionBegins(): void {
    for (const [symbol, { through }] of this.told) this.told.set(symbol, { through, barrier: through })
  }

  /** The trades of one frame, ascending. */
  trades(trades: readonly FinnhubTrade[]): void {
    const extended = new Map<string, Instant>()
    for (const trade of trades) {
      if (!this.isNew(trade)) continue
      const { symbol, price, volume, time, isExtended } = trade
      this.told.set(symbol, { through: time, barrier: this.told.get(symbol)?.barrier ?? null })
      if (isExtended) extended.set(symbol, time)
      else this.sink.quote({ symbol, price, volume, time })
    }
    // More may come of this very millisecond, in this frame or the next.
    for (const [symbol, time] of extended) this.sink.alive(symbol, instant(time - 1))
  }

  private isNew({ symbol, time }: FinnhubTrade): boolean {
    if (isFarAhead(time, this.clock.now())) {
      this.sink.trouble({ kind: 'unreadable', why: `${symbol}: a time that is far from having come` })
      return false
    }
    const told = this.told.get(symbol)
    if (told === undefined) return true
    return time >= told.through && (told.barrier === null || time > told.barrier)
  }
}
