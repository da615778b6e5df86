import { instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { CoinbaseTrade } from '#server/market-data/feeds/providers/coinbase/exchange-messages.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { isFarAhead } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import { lostTrades, type ProviderSink, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { ReportedIds } from '#server/market-data/feeds/providers/reported-ids.ts'

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
  id: number
  tradedAt: Instant
  price: string
  /** Before this everything was told; more may come of this very millisecond. */
  through: Instant
  readonly hole: Hole
  readonly reported: ReportedIds
  /** The newest trade came on a connection before this one: it has not been said yet that none came after it. */
  isOfBefore: boolean
  /** The newest trade that the provider spoke of and that has not come. */
  namedId: number
  /** What a heartbeat named that we had not, and when. */
  named: { readonly id: number; readonly at: Instant } | null
}

const PRODUCT = /^[A-Z0-9.]+(?:-[A-Z0-9.]+)+$/

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

  connectionBegins(): void {
    for (const told of this.told.values()) told.isOfBefore = true
  }

  /** The newest trade told of a product; 0 when none was. */
  newestId(symbol: string): number {
    return this.told.get(symbol)?.id ?? NO_ID
  }

  /** `isEach`: the provider sends each trade, and their ids rise by one, so that a missing one is seen. */
  trade({ symbol, id, price, volume, time }: CoinbaseTrade, { isEach = false } = {}): void {
    const told = this.told.get(symbol)
    if (this.isBroken(symbol, time)) {
      this.sink.unused(symbol, 'ahead')
      return this.unread({ symbol, id: BigInt(id) })
    }
    if (told === undefined) {
      this.begin(symbol, { id, price, tradedAt: time, through: time })
      return this.sink.quote({ symbol, price, volume, time })
    }
    const isNext = id === told.id + 1
    if (id <= told.id) {
      if (time <= told.tradedAt + ANEW_AFTER_MS) {
        // What a subscription begins with ends with the newest trade: there is none after it.
        if (id === told.id && told.isOfBefore) this.isWhole(told)
        return this.sink.unused(symbol, told.reported.addLate(id) ? 'repeated' : 'out_of_order')
      }
      this.missing(symbol, told, { id, time }, `trade ${told.id} was followed by ${id}`)
      told.reported.clear()
    } else if (isEach && !isNext)
      this.missing(symbol, told, { id, time }, `${id - told.id - 1} trades are missing before ${id}`)
    else if (told.hole.isOpen) this.endHole(symbol, told, time, { id, isNext: isNext || id <= told.namedId })
    told.reported.addNewest(id, isNext)
    const runsBack = time < told.through
    // A trade behind a sign of life cannot be told any more, and is newer than the price that was.
    const from = runsBack && time >= told.tradedAt ? instant(told.through - 1) : null
    Object.assign(told, { id, price, tradedAt: time, through: runsBack ? told.through : time, isOfBefore: false })
    if (!runsBack) return this.sink.quote({ symbol, price, volume, time })
    this.sink.unused(symbol, 'out_of_order')
    this.lost(symbol, `trade ${id} came after newer ones`, from)
  }

  /**
   * A last price that comes without its trade: with neither id nor time of its own, only with that of its message. The
   * same price again is a sign of life and no new price.
   */
  lastPrice(symbol: string, price: string, time: Instant): void {
    const told = this.told.get(symbol)
    if (told !== undefined && time < told.through) {
      this.sink.unused(symbol, 'out_of_order')
      // One behind a sign of life cannot be told any more, and is newer than the price that was.
      if (time >= told.tradedAt) this.lost(symbol, 'a ticker came after newer ones', instant(told.through - 1))
      return
    }
    if (this.isBroken(symbol, time)) {
      this.sink.unused(symbol, 'ahead')
      return this.unread({ symbol })
    }
    const isSame = told !== undefined && told.price === price && !told.hole.isOpen
    if (told === undefined) this.begin(symbol, { id: NO_ID, price, tradedAt: time, through: time })
    else {
      this.endHole(symbol, told, time)
      Object.assign(told, { price, tradedAt: time, through: time, isOfBefore: false })
    }
    if (isSame) this.sink.alive(symbol, instant(time - 1))
    else this.sink.quote({ symbol, price, volume: '0', time })
  }

  /** A trade, or a last price, came and could not be read. Of a product without a price it changes nothing. */
  unread({ symbol, id = null, time = null }: UnreadTrade & { readonly symbol: string }): void {
    const told = this.told.get(symbol)
    if (told === undefined || (id !== null && id <= BigInt(told.id))) return
    told.hole.open({ lastTime: told.tradedAt, wholeUntil: told.through - 1 }, { id, time })
  }

  /** The same of a trade as a message tells it. */
  unreadOf(trade: UnreadTrade, symbols: ReadonlyMap<string, unknown>): void {
    const { symbol } = trade
    if (symbol === null || !symbols.has(symbol)) return this.notOurs(symbol)
    this.sink.unused(symbol, 'unreadable')
    this.unread({ ...trade, symbol })
  }

  /** A trade of a product that is not followed. When it is no name of a product it may have been of any. */
  notOurs(symbol: string | null): void {
    const isOfAnother = symbol !== null && PRODUCT.test(symbol)
    this.sink.unused(null, isOfAnother ? 'not_followed' : 'unreadable')
    if (!isOfAnother) this.unreadAny()
  }

  /** Any product may have been traded. */
  unreadAny(): void {
    for (const symbol of this.told.keys()) this.unread({ symbol })
  }

  /** The provider names the newest trade there is, and when it did. Only when that is ours nothing is missing. */
  newestIs(symbol: string, id: number, time: Instant): void {
    const told = this.told.get(symbol)
    if (told === undefined || this.isBroken(symbol, time)) return
    if (id > told.id) told.named = { id, at: time }
    // It named a newer one before, and none that is as new has come since.
    const isContradicted = told.named !== null && told.named.id > told.id && told.named.at >= told.tradedAt
    if (id !== told.id || isContradicted) return
    if (!told.hole.proveUntil(time - IN_FLIGHT_MS - 1, IN_FLIGHT_MS)) return
    told.isOfBefore = false
    this.live(symbol, told, time)
  }

  /** A trade that the provider speaks of does not come. What comes next shows whether it is missing for good. */
  doesNotCome(symbol: string, id: number): void {
    const told = this.told.get(symbol)
    this.lost(symbol, `trade ${id} has not come`, null)
    if (told === undefined || told.isOfBefore) return
    told.namedId = id
    told.hole.open({ lastTime: told.tradedAt, wholeUntil: told.through - 1 }, { id: BigInt(id) })
  }

  /** A heartbeat of the provider, when nothing is missing. Of a product without a price it says nothing. */
  heartbeat(symbol: string, time: Instant): void {
    const told = this.told.get(symbol)
    if (told === undefined || told.hole.isOpen || told.isOfBefore || this.isBroken(symbol, time)) return
    this.live(symbol, told, time)
  }

  private live(symbol: string, told: Told, time: Instant): void {
    const through = instant(time - IN_FLIGHT_MS)
    if (through <= told.through) return
    told.through = through
    this.sink.alive(symbol, instant(through - 1))
  }

  private begin(symbol: string, first: Pick<Told, 'id' | 'price' | 'tradedAt' | 'through'>): void {
    const reported = new ReportedIds()
    reported.addNewest(first.id, false)
    this.told.set(symbol, { ...first, hole: new Hole(), reported, isOfBefore: false, namedId: NO_ID, named: null })
  }

  private isWhole(told: Told): void {
    if (told.hole.closeUnlessNewer()) told.isOfBefore = false
  }

  /** Trades are missing before the one of `next`; while we were not connected their age decides, as in any silence. */
  private missing(symbol: string, told: Told, { id, time }: Pick<CoinbaseTrade, 'id' | 'time'>, why: string): void {
    // The only one may be the one that came and was not read: more is known of that.
    const isItKnown = id === told.id + 2 && told.hole.isOpen
    if (!told.isOfBefore && !isItKnown) told.hole.open({ lastTime: told.tradedAt, wholeUntil: told.through - 1 })
    this.lost(symbol, why, told.hole.end(time, BigInt(id)))
  }

  /** `isNext`: no trade was made between the two, or the one that was missing has come. */
  private endHole(
    symbol: string,
    { hole }: Told,
    next: Instant,
    trade: { readonly id: number; readonly isNext: boolean } | null = null,
  ): void {
    const id = trade === null ? null : BigInt(trade.id)
    const from = id !== null && trade?.isNext === true ? hole.follow(id, next) : hole.end(next, id)
    if (from !== null) this.lost(symbol, `a trade before ${id ?? 'this price'} could not be read`, from)
  }

  private lost(symbol: string, why: string, from: Instant | null): void {
    this.sink.trouble(lostTrades(symbol, why, from))
  }

  private isBroken(symbol: string, time: Instant): boolean {
    if (!isFarAhead(time, this.clock.now())) return false
    this.sink.trouble({ kind: 'unreadable', why: `${symbol}: a time that is far from having come` })
    return true
  }
}
