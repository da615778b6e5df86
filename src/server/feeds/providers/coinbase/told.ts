import { instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { CoinbaseTrade } from '#server/feeds/providers/coinbase/exchange-messages.ts'
import { isFarAhead } from '#server/feeds/providers/far-ahead.ts'
import type { ProviderSink, ProviderTools } from '#server/feeds/providers/provider.ts'

/**
 * How far behind a heartbeat we say that a product is alive. Heartbeats are stamped where the connection ends, trades
 * where they happen: of those recorded some came after a heartbeat that was stamped up to 73 ms later, and all within
 * 128 ms.
 */
const IN_FLIGHT_MS = 250

/** A trade so much newer than the newest, with a lower id, is not one that is sent again: ids have begun anew. */
const ANEW_AFTER_MS = MINUTE_MS

interface Told {
  /** The newest trade, and when it was. */
  readonly id: number
  readonly tradedAt: Instant
  readonly price: string
  /** Before this everything was told; more may come of this very millisecond. */
  readonly through: Instant
}

/** Of last prices, which come without their trades. */
const NO_ID = 0

/**
 * What was told of each product, over all connections: each trade once and in order, whatever is sent again. The ids of
 * a product's trades rise.
 */
export class ToldSoFar {
  private readonly told = new Map<string, Told>()
  private readonly sink: ProviderSink
  private readonly clock: ProviderTools['clock']

  constructor(sink: ProviderSink, { clock }: Pick<ProviderTools, 'clock'>) {
    this.sink = sink
    this.clock = clock
  }

  /** The newest trade told of a product; 0 when none was. */
  newestId(symbol: string): number {
    return this.told.get(symbol)?.id ?? NO_ID
  }

  trade({ symbol, id, price, volume, time }: CoinbaseTrade): void {
    const before = this.told.get(symbol)
    if (this.isBroken(symbol, time)) return
    if (before !== undefined && id <= before.id) {
      if (time <= before.tradedAt + ANEW_AFTER_MS) return
      this.lost(symbol, `trade ${before.id} was followed by ${id}`)
    }
    const runsBack = before !== undefined && time < before.through
    this.told.set(symbol, { id, price, tradedAt: time, through: runsBack ? before.through : time })
    if (runsBack) this.lost(symbol, `trade ${id} came after newer ones`)
    else this.sink.quote({ symbol, price, volume, time })
  }

  /**
   * A last price that comes without its trade: with neither id nor time of its own, only with that of its message. The
   * same price again is a sign of life and no new price.
   */
  lastPrice(symbol: string, price: string, time: Instant): void {
    const before = this.told.get(symbol)
    if ((before !== undefined && time < before.through) || this.isBroken(symbol, time)) return
    this.told.set(symbol, { id: NO_ID, price, tradedAt: time, through: time })
    if (before?.price === price) this.sink.alive(symbol, instant(time - 1))
    else this.sink.quote({ symbol, price, volume: '0', time })
  }

  /** A heartbeat of the provider, when nothing is missing. Of a product without a price it says nothing. */
  heartbeat(symbol: string, time: Instant): void {
    const through = instant(time - IN_FLIGHT_MS)
    const before = this.told.get(symbol)
    if (before === undefined || through <= before.through || this.isBroken(symbol, time)) return
    this.told.set(symbol, { ...before, through })
    this.sink.alive(symbol, instant(through - 1))
  }

  private lost(symbol: string, why: string): void {
    this.sink.trouble({ kind: 'lost', symbol, why })
  }

  private isBroken(symbol: string, time: Instant): boolean {
    if (!isFarAhead(time, this.clock.now())) return false
    this.sink.trouble({ kind: 'unreadable', why: `${symbol}: a time that is far from having come` })
    return true
  }
}
