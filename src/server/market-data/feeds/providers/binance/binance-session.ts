import { type Instant, instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { BinanceTicker, BinanceTimeUnit, BinanceTrade } from '#server/market-data/feeds/providers/binance/parse.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { isFarAhead } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import { lostTrades, type ProviderSink, type ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import { ReportedIds } from '#server/market-data/feeds/providers/reported-ids.ts'

/**
 * How far behind a ticker we say that all is told. Trades reach the streams up to 214 ms after they happened, as recorded:
 * a ticker may be made while one that it does not know is on its way.
 */
const IN_FLIGHT_MS = 250
/** A ticker may come before the trades it counts, but not by so much. */
const BEHIND_AT_MOST_MS = 2_000
/** A ticker so much newer than the newest, with a lower id, is not an old one: ids have begun anew. */
const ANEW_AFTER_MS = 60_000
/** How often we say that trades do not come. */
const SAY_AGAIN_MS = 60_000

interface Heard {
  readonly symbol: ProviderSymbol
  lastId: bigint | null
  /** Of the last price that was passed on. */
  lastTime: number
  /** Up to here all is told. */
  aliveAt: number
  /** A trade that a ticker knows and we do not, when it was first spoken of, and of when that ticker is. */
  behind: { id: bigint; since: number; knownAt: number } | null
  readonly hole: Hole
  readonly reported: ReportedIds
  /** The unit of its times, as the connection began with it. */
  unit: BinanceTimeUnit | null
  /** The connection ended since the last message. */
  isInterrupted: boolean
}

/**
 * What was heard so far of each symbol, on whatever connection: leaves out what comes twice or behind later trades, and
 * notices what is missing.
 */
export class BinanceSession {
  readonly #heard = new Map<string, Heard>()
  readonly #clock: Pick<Clock, 'now'>
  readonly #sink: ProviderSink
  /** Tickers come, trades do not: the connection is worth nothing. */
  readonly #deaf: (symbol: ProviderSymbol) => void

  constructor(clock: Pick<Clock, 'now'>, sink: ProviderSink, deaf: (symbol: ProviderSymbol) => void) {
    this.#clock = clock
    this.#sink = sink
    this.#deaf = deaf
  }

  follow(symbol: ProviderSymbol): void {
    const never = Number.NEGATIVE_INFINITY
    this.#heard.set(symbol.symbol.toUpperCase(), {
      symbol,
      lastId: null,
      lastTime: never,
      aliveAt: never,
      behind: null,
      hole: new Hole(),
      reported: new ReportedIds(),
      unit: null,
      isInterrupted: false,
    })
  }

  leave(symbol: ProviderSymbol): void {
    this.#heard.delete(symbol.symbol.toUpperCase())
  }

  follows(symbol: ProviderSymbol): boolean {
    return this.#heard.has(symbol.symbol.toUpperCase())
  }

  /** The connection of these symbols ended: what was traded meanwhile was not told. */
  interrupted(isMeant: (symbol: ProviderSymbol) => boolean): void {
    for (const heard of this.#heard.values()) {
      if (!isMeant(heard.symbol)) continue
      heard.isInterrupted = true
      heard.unit = null
    }
  }

  /** A message could not be read; when its symbol cannot be told it may have been of each that is meant. */
  unread(trade: UnreadTrade, isMeant: (symbol: ProviderSymbol) => boolean): void {
    if (trade.symbol !== null && !this.#heard.has(trade.symbol)) return this.#notFollowed()
    const named = trade.symbol === null ? undefined : this.#heard.get(trade.symbol)
    const isOfNone = named !== undefined && (trade.channel ?? named.symbol.channel) !== named.symbol.channel
    if (isOfNone) return
    this.#sink.unused(named?.symbol.symbol ?? null, 'unreadable')
    if (named !== undefined) return this.#opensHole(named, trade)
    for (const heard of this.#heard.values()) if (isMeant(heard.symbol)) this.#opensHole(heard, {})
  }

  take(message: BinanceTrade | BinanceTicker): void {
    const heard = this.#heard.get(message.symbol)
    if (heard === undefined) return this.#notFollowed()
    const isOfItsChannel = heard.symbol.channel === message.kind
    const isOfOtherUnit = message.unit !== (heard.unit ?? message.unit)
    if (isOfOtherUnit || isFarAhead(message.time, this.#clock.now())) {
      const why = isOfOtherUnit ? 'a time in another unit than those before' : 'a time in the future'
      this.#sink.trouble({ kind: 'unreadable', why: `${message.symbol}: ${why}` })
      if (!isOfItsChannel) return
      this.#sink.unused(heard.symbol.symbol, isOfOtherUnit ? 'unreadable' : 'ahead')
      this.#opensHole(heard, { id: message.kind === 'trade' ? message.id : message.lastTradeId })
      return
    }
    heard.unit = message.unit
    if (message.kind === 'ticker')
      if (isOfItsChannel) this.#lastPrice(heard, message)
      else this.#confirm(heard, message)
    else if (isOfItsChannel) this.#trade(heard, message)
  }

  #notFollowed(): void {
    this.#sink.unused(null, 'not_followed')
  }

  #opensHole(heard: Heard, { id = null, time = null }: Pick<UnreadTrade, 'id' | 'time'>): void {
    if (id === null || heard.lastId === null || id > heard.lastId) heard.hole.open(knownPart(heard), { id, time })
  }

  #trade(heard: Heard, { id, price, volume, time }: BinanceTrade): void {
    const { lastId, reported } = heard
    const isNext = lastId !== null && id === lastId + 1n
    if (lastId !== null && id <= lastId) {
      // Ids and times rise together. A lower id with a later time means that ids began anew.
      if (time <= heard.lastTime)
        return this.#sink.unused(heard.symbol.symbol, reported.addLate(id) ? 'repeated' : 'out_of_order')
      this.#missing(heard, { id, time }, `trade ${lastId} was followed by ${id}`)
      reported.clear()
    } else if (lastId !== null && !isNext) {
      this.#missing(heard, { id, time }, `${id - lastId - 1n} trades are missing before ${id}`)
    } else if (heard.hole.isOpen) this.#endHole(heard, heard.hole.follow(id, time), 'a trade before it')
    reported.addNewest(id, isNext)
    heard.lastId = id
    heard.isInterrupted = false
    if (time < heard.lastTime) {
      this.#sink.unused(heard.symbol.symbol, 'out_of_order')
      this.#lost(heard, `trade ${id} came after newer ones`)
    } else if (time <= heard.aliveAt) {
      this.#sink.unused(heard.symbol.symbol, 'out_of_order')
      this.#lost(heard, `trade ${id} came after newer ones`, instant(heard.aliveAt))
    } else this.#price(heard, price, volume, time)
  }

  /**
   * The statistics of a day change every second, also when nobody trades: only another last trade is a price. Otherwise
   * an old price would look like a fresh one.
   */
  #lastPrice(heard: Heard, { price, lastTradeId, time }: BinanceTicker): void {
    const { lastId } = heard
    if (lastId !== null && lastTradeId < lastId && time <= Math.max(heard.lastTime, heard.aliveAt) + ANEW_AFTER_MS) {
      // Of a trade that is older than the last price.
      return this.#sink.unused(heard.symbol.symbol, heard.reported.addLate(lastTradeId) ? 'repeated' : 'out_of_order')
    }
    const isSame = lastTradeId === lastId
    if (time <= heard.lastTime || time <= heard.aliveAt) {
      if (isSame) return this.#sink.unused(heard.symbol.symbol, 'repeated')
      // Its trade is newer than the last price, and its price is not known for the time in between.
      this.#sink.unused(heard.symbol.symbol, 'out_of_order')
      return this.#opensHole(heard, { id: lastTradeId })
    }
    if (isSame) {
      if (heard.hole.closeUnlessNewer()) this.#alive(heard, instant(time - 1))
      return
    }
    if (lastId !== null && lastTradeId < lastId) {
      if (!heard.hole.isOpen) heard.hole.open(knownPart(heard))
      this.#endHole(heard, heard.hole.end(time, lastTradeId), `the ids of trades began anew at ${lastTradeId}; one`)
      heard.reported.clear()
    } else this.#endHole(heard, heard.hole.end(time, lastTradeId), 'a ticker before this price')
    heard.lastId = lastTradeId
    heard.reported.addNewest(lastTradeId, false)
    this.#price(heard, price, '0', time)
  }

  #price(heard: Heard, price: string, volume: string, time: Instant): void {
    heard.lastTime = time
    this.#sink.quote({ symbol: heard.symbol.symbol, price, volume, time })
  }

  /** A ticker that knows no trade we have not heard says that there was none up to its time. */
  #confirm(heard: Heard, { lastTradeId, knownUpTo, time }: BinanceTicker): void {
    const { lastId, behind } = heard
    if (lastId === null) return
    const isContradicted = behind !== null && behind.id > lastId && behind.knownAt >= heard.lastTime
    if (lastTradeId <= lastId) {
      // One that does not know our newest trade was on its way when that came.
      if (lastTradeId < lastId) return
      // A newer trade is known: it came and could not be read, or a ticker before this one knew it.
      if (isContradicted || !heard.hole.closeUnlessNewer()) return
      heard.behind = null
      heard.isInterrupted = false
      this.#alive(heard, instant(knownUpTo - IN_FLIGHT_MS))
    } else if (behind === null || behind.id <= lastId) {
      heard.behind = { id: lastTradeId, since: time, knownAt: time }
    } else if (time - behind.since >= BEHIND_AT_MOST_MS) {
      heard.behind = { id: lastTradeId, since: time + SAY_AGAIN_MS, knownAt: time }
      // One that came and could not be read would not be read on another connection either.
      const hasCome = lastTradeId <= (heard.hole.newestId ?? -1n)
      this.#lost(heard, `trades up to ${lastTradeId} ${hasCome ? 'could not be read' : 'do not come'}`)
      if (!hasCome) this.#deaf(heard.symbol)
    }
  }

  /** Trades are missing before this one; while we were not connected their age decides, as in any silence. */
  #missing(heard: Heard, { id, time }: Pick<BinanceTrade, 'id' | 'time'>, why: string): void {
    // The only one may be the one that came and was not read: more is known of that.
    const isItKnown = heard.hole.isOpen && heard.lastId !== null && id === heard.lastId + 2n
    if (!heard.isInterrupted && !isItKnown) heard.hole.open(knownPart(heard))
    this.#lost(heard, why, heard.hole.end(time, id))
  }

  #endHole(heard: Heard, from: Instant | null, what: string): void {
    if (from !== null) this.#lost(heard, `${what} could not be read`, from)
  }

  #alive(heard: Heard, time: Instant): void {
    if (time <= heard.aliveAt || time < heard.lastTime) return
    heard.aliveAt = time
    this.#sink.alive(heard.symbol.symbol, time)
  }

  #lost({ symbol }: Heard, why: string, from: Instant | null = null): void {
    this.#sink.trouble(lostTrades(symbol.symbol, why, from))
  }
}

function knownPart({ lastTime, aliveAt }: Heard) {
  return { lastTime, wholeUntil: Math.max(lastTime - 1, aliveAt) }
}
