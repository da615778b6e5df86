import { type Instant, instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { BinanceTicker, BinanceTimeUnit, BinanceTrade } from '#server/market-data/feeds/providers/binance/parse.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { isFarAhead } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import { lostTrades, type ProviderSink, type ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import { ReportedIds } from '#server/market-data/feeds/providers/reported-ids.ts'

/**
 * 250 ms: how far behind a ticker trades are confirmed. In recordings, trades reach the streams up to 214 ms after they happened. A ticker
 * may be created while a trade that it does not know is in flight.
 */
const IN_FLIGHT_MS = 250
/** A ticker may arrive before the trades it counts, but by at most 2 s. */
const BEHIND_AT_MOST_MS = 2_000
/** A ticker this much newer than the newest, with a lower id, is no old one: ids have begun again. */
const ANEW_AFTER_MS = 60_000
/** How often missing trades are reported. */
const SAY_AGAIN_MS = 60_000

interface Heard {
  readonly symbol: ProviderSymbol
  lastId: bigint | null
  /** Time of the last reported price. */
  lastTime: number
  /** Up to this time everything is confirmed. */
  aliveAt: number
  /** A trade known from a ticker but not received, when it was first named, and that ticker's time. */
  behind: { id: bigint; since: number; knownAt: number } | null
  readonly hole: Hole
  readonly reported: ReportedIds
  /** The unit of its times on this connection. */
  unit: BinanceTimeUnit | null
  /** Whether the connection ended since the last message. */
  isInterrupted: boolean
}

/** State of each symbol over all connections. Leaves out trades that are repeated or late, and notices missing ones. */
export class BinanceSession {
  readonly #heard = new Map<string, Heard>()
  readonly #clock: Pick<Clock, 'now'>
  readonly #sink: ProviderSink
  /** Called when tickers arrive but trades do not, so that the connection is useless. */
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

  /** Notes that the connection of these symbols ended. Trades during the interruption were not reported. */
  interrupted(isMeant: (symbol: ProviderSymbol) => boolean): void {
    for (const heard of this.#heard.values()) {
      if (!isMeant(heard.symbol)) continue
      heard.isInterrupted = true
      heard.unit = null
    }
  }

  /** Notes an unreadable message. With an unreadable symbol it may concern each of these symbols. */
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
      // Ids and times rise together. A lower id with a later time means that ids began again.
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
   * Handles a ticker. Its daily statistics change every second, even without a trade, so only a different last trade makes a price.
   * Otherwise an old price would look like a fresh one.
   */
  #lastPrice(heard: Heard, { price, lastTradeId, time }: BinanceTicker): void {
    const { lastId } = heard
    if (lastId !== null && lastTradeId < lastId && time <= Math.max(heard.lastTime, heard.aliveAt) + ANEW_AFTER_MS) {
      // The ticker's trade is older than the last price.
      return this.#sink.unused(heard.symbol.symbol, heard.reported.addLate(lastTradeId) ? 'repeated' : 'out_of_order')
    }
    const isSame = lastTradeId === lastId
    if (time <= heard.lastTime || time <= heard.aliveAt) {
      if (isSame) return this.#sink.unused(heard.symbol.symbol, 'repeated')
      // The ticker's trade is newer than the last price, and its price is unknown for the time in between.
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

  /** A ticker without an unknown trade confirms that there was none up to its time. */
  #confirm(heard: Heard, { lastTradeId, knownUpTo, time }: BinanceTicker): void {
    const { lastId, behind } = heard
    if (lastId === null) return
    const isContradicted = behind !== null && behind.id > lastId && behind.knownAt >= heard.lastTime
    if (lastTradeId <= lastId) {
      // A ticker that does not know our newest trade was sent before that trade.
      if (lastTradeId < lastId) return
      // A newer trade exists: it was unreadable, or an earlier ticker named it.
      if (isContradicted || !heard.hole.closeUnlessNewer()) return
      heard.behind = null
      heard.isInterrupted = false
      this.#alive(heard, instant(knownUpTo - IN_FLIGHT_MS))
    } else if (behind === null || behind.id <= lastId) {
      heard.behind = { id: lastTradeId, since: time, knownAt: time }
    } else if (time - behind.since >= BEHIND_AT_MOST_MS) {
      heard.behind = { id: lastTradeId, since: time + SAY_AGAIN_MS, knownAt: time }
      // An unreadable trade would be unreadable on another connection too.
      const hasCome = lastTradeId <= (heard.hole.newestId ?? -1n)
      this.#lost(heard, `trades up to ${lastTradeId} ${hasCome ? 'could not be read' : 'do not come'}`)
      if (!hasCome) this.#deaf(heard.symbol)
    }
  }

  /** Notes trades missing before this one. After a lost connection the price's age decides, as in any silence. */
  #missing(heard: Heard, { id, time }: Pick<BinanceTrade, 'id' | 'time'>, why: string): void {
    // The only missing trade may be the unreadable one, about which more is known.
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
