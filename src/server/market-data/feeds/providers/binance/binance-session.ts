import { type Instant, instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { BinanceTicker, BinanceTimeUnit, BinanceTrade } from '#server/market-data/feeds/providers/binance/parse.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { isAheadOfClock } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import {
  lostTrades,
  type ProviderSink,
  type ProviderSymbol,
  type Quote,
} from '#server/market-data/feeds/providers/provider.ts'
import { ReportedIds } from '#server/market-data/feeds/providers/reported-ids.ts'

/**
 * 250 ms: a ticker confirms trades only up to this long before its time. In recordings, trades reach the streams up to
 * 214 ms after they happened. A ticker may be created while a trade that it does not know is in flight.
 */
const IN_FLIGHT_MS = 250
/** A ticker may arrive before the trades it counts, but by at most 2 s. */
const MAX_TICKER_LEAD_MS = 2_000
/** A ticker with a lower id that is newer than the newest ticker by this much is not old: ids have begun again. */
const ANEW_AFTER_MS = 60_000
/** How often missing trades are reported. */
const SAY_AGAIN_MS = 60_000

interface SymbolState {
  readonly symbol: ProviderSymbol
  lastId: bigint | null
  /** Time of the last reported price. */
  lastTime: number
  /** The time up to which every trade is confirmed. */
  aliveAt: number
  /**
   * A trade that a ticker named but that has not been received: its id, when it was first named, and the time of that
   * ticker.
   */
  behind: { id: bigint; since: number; knownAt: number } | null
  readonly hole: Hole
  readonly reported: ReportedIds
  /** The unit of its times on this connection. */
  unit: BinanceTimeUnit | null
  /** Whether the connection ended since the last message. */
  isInterrupted: boolean
}

/**
 * Keeps the state of each symbol over all connections. Leaves out trades that are repeated or late, and notices missing
 * trades.
 */
export class BinanceSession {
  readonly #states = new Map<string, SymbolState>()
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
    this.#states.set(symbol.symbol.toUpperCase(), {
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
    this.#states.delete(symbol.symbol.toUpperCase())
  }

  follows(symbol: ProviderSymbol): boolean {
    return this.#states.has(symbol.symbol.toUpperCase())
  }

  /** Notes that the connection of these symbols ended. Trades during the interruption were not reported. */
  interrupted(isMeant: (symbol: ProviderSymbol) => boolean): void {
    for (const state of this.#states.values()) {
      if (!isMeant(state.symbol)) continue
      state.isInterrupted = true
      state.unit = null
    }
  }

  /** Notes an unreadable message. With an unreadable symbol it may concern each of these symbols. */
  unread(trade: UnreadTrade, isMeant: (symbol: ProviderSymbol) => boolean): void {
    if (trade.symbol !== null && !this.#states.has(trade.symbol)) return this.#notFollowed()
    const named = trade.symbol === null ? undefined : this.#states.get(trade.symbol)
    const isOfNone = named !== undefined && (trade.channel ?? named.symbol.channel) !== named.symbol.channel
    if (isOfNone) return
    this.#sink.unused(named?.symbol.symbol ?? null, 'unreadable')
    if (named !== undefined) return this.#opensHole(named, trade)
    for (const state of this.#states.values()) if (isMeant(state.symbol)) this.#opensHole(state, {})
  }

  take(message: BinanceTrade | BinanceTicker): void {
    const state = this.#states.get(message.symbol)
    if (state === undefined) return this.#notFollowed()
    const isOfItsChannel = state.symbol.channel === message.kind
    const isOfOtherUnit = message.unit !== (state.unit ?? message.unit)
    if (isOfOtherUnit || isAheadOfClock(message.time, this.#clock.now())) {
      const why = isOfOtherUnit ? 'a time in another unit than those before' : 'a time in the future'
      this.#sink.trouble({ kind: 'unreadable', why: `${message.symbol}: ${why}` })
      if (!isOfItsChannel) return
      this.#sink.unused(state.symbol.symbol, isOfOtherUnit ? 'unreadable' : 'ahead')
      this.#opensHole(state, { id: message.kind === 'trade' ? message.id : message.lastTradeId })
      return
    }
    state.unit = message.unit
    if (message.kind === 'ticker')
      if (isOfItsChannel) this.#lastPrice(state, message)
      else this.#confirm(state, message)
    else if (isOfItsChannel) this.#trade(state, message)
  }

  #notFollowed(): void {
    this.#sink.unused(null, 'not_followed')
  }

  #opensHole(state: SymbolState, { id = null, time = null }: Pick<UnreadTrade, 'id' | 'time'>): void {
    if (id === null || state.lastId === null || id > state.lastId) state.hole.open(knownPart(state), { id, time })
  }

  #trade(state: SymbolState, { id, price, volume, time }: BinanceTrade): void {
    const { lastId, reported } = state
    const isNext = lastId !== null && id === lastId + 1n
    if (lastId !== null && id <= lastId) {
      // Ids and times rise together. A lower id with a later time means that ids began again.
      if (time <= state.lastTime)
        return this.#sink.unused(state.symbol.symbol, reported.addLate(id) ? 'repeated' : 'out_of_order')
      this.#missing(state, { id, time }, `trade ${lastId} was followed by ${id}`)
      reported.clear()
    } else if (lastId !== null && !isNext) {
      this.#missing(state, { id, time }, `${id - lastId - 1n} trades are missing before ${id}`)
    } else if (state.hole.isOpen) this.#endHole(state, state.hole.follow(id, time), 'a trade before it')
    reported.addNewest(id, isNext)
    state.lastId = id
    state.isInterrupted = false
    if (time < state.lastTime) {
      this.#sink.unused(state.symbol.symbol, 'out_of_order', refOf(id))
      this.#lost(state, `trade ${id} came after newer ones`)
    } else if (time <= state.aliveAt) {
      this.#sink.unused(state.symbol.symbol, 'out_of_order')
      this.#lost(state, `trade ${id} came after newer ones`, instant(state.aliveAt))
    } else this.#price(state, { price, volume, time, ref: refOf(id) })
  }

  /**
   * Handles a ticker. Its daily statistics change every second, even without a trade, so only a different last trade makes a price.
   * Otherwise an old price would look like a fresh one.
   */
  #lastPrice(state: SymbolState, { price, lastTradeId, time }: BinanceTicker): void {
    const { lastId } = state
    if (lastId !== null && lastTradeId < lastId && time <= Math.max(state.lastTime, state.aliveAt) + ANEW_AFTER_MS) {
      // The ticker's trade is older than the last price.
      return this.#sink.unused(state.symbol.symbol, state.reported.addLate(lastTradeId) ? 'repeated' : 'out_of_order')
    }
    const isSame = lastTradeId === lastId
    if (time <= state.lastTime || time <= state.aliveAt) {
      if (isSame) return this.#sink.unused(state.symbol.symbol, 'repeated')
      // The ticker's trade is newer than the last price, and its price is unknown for the time in between.
      this.#sink.unused(state.symbol.symbol, 'out_of_order')
      return this.#opensHole(state, { id: lastTradeId })
    }
    if (isSame) {
      if (state.hole.closeUnlessNewer()) this.#alive(state, instant(time - 1))
      return
    }
    if (lastId !== null && lastTradeId < lastId) {
      if (!state.hole.isOpen) state.hole.open(knownPart(state))
      this.#endHole(state, state.hole.end(time, lastTradeId), `the ids of trades began anew at ${lastTradeId}; one`)
      state.reported.clear()
    } else this.#endHole(state, state.hole.end(time, lastTradeId), 'a ticker before this price')
    state.lastId = lastTradeId
    state.reported.addNewest(lastTradeId, false)
    this.#price(state, { price, volume: '0', time })
  }

  #price(state: SymbolState, quote: Omit<Quote, 'symbol'>): void {
    state.lastTime = quote.time
    this.#sink.quote({ symbol: state.symbol.symbol, ...quote })
  }

  /** A ticker that names no newer trade than ours confirms that no trade is missing up to its time. */
  #confirm(state: SymbolState, { lastTradeId, knownUpTo, time }: BinanceTicker): void {
    const { lastId, behind } = state
    if (lastId === null) return
    const isContradicted = behind !== null && behind.id > lastId && behind.knownAt >= state.lastTime
    if (lastTradeId <= lastId) {
      // A ticker that does not know our newest trade was sent before that trade.
      if (lastTradeId < lastId) return
      // A newer trade exists: it was unreadable, or an earlier ticker named it.
      if (isContradicted || !state.hole.closeUnlessNewer()) return
      state.behind = null
      state.isInterrupted = false
      this.#alive(state, instant(knownUpTo - IN_FLIGHT_MS))
    } else if (behind === null || behind.id <= lastId) {
      state.behind = { id: lastTradeId, since: time, knownAt: time }
    } else if (time - behind.since >= MAX_TICKER_LEAD_MS) {
      state.behind = { id: lastTradeId, since: time + SAY_AGAIN_MS, knownAt: time }
      // An unreadable trade would be unreadable on another connection too, so the connection is replaced only when the
      // trade has not arrived.
      const hasCome = lastTradeId <= (state.hole.newestId ?? -1n)
      this.#lost(state, `trades up to ${lastTradeId} ${hasCome ? 'could not be read' : 'do not come'}`)
      if (!hasCome) this.#deaf(state.symbol)
    }
  }

  /**
   * Notes that trades before this trade are missing. After a lost connection no hole is opened. The age of the last
   * price then decides whether it may be used, as in any silence.
   */
  #missing(state: SymbolState, { id, time }: Pick<BinanceTrade, 'id' | 'time'>, why: string): void {
    // When only one trade is missing and a hole is open, the missing trade is the unreadable one. Its hole is more
    // exact than a new hole.
    const isItKnown = state.hole.isOpen && state.lastId !== null && id === state.lastId + 2n
    if (!state.isInterrupted && !isItKnown) state.hole.open(knownPart(state))
    this.#lost(state, why, state.hole.end(time, id))
  }

  #endHole(state: SymbolState, from: Instant | null, what: string): void {
    if (from !== null) this.#lost(state, `${what} could not be read`, from)
  }

  #alive(state: SymbolState, time: Instant): void {
    if (time <= state.aliveAt || time < state.lastTime) return
    state.aliveAt = time
    this.#sink.alive(state.symbol.symbol, time)
  }

  #lost({ symbol }: SymbolState, why: string, from: Instant | null = null): void {
    this.#sink.trouble(lostTrades(symbol.symbol, why, from))
  }
}

function knownPart({ lastTime, aliveAt }: SymbolState) {
  return { lastTime, wholeUntil: Math.max(lastTime - 1, aliveAt) }
}

/** Returns the number of a trade for the log. Undefined above the safe integers, which does not occur. */
function refOf(id: bigint): number | undefined {
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined
}
