import { instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { CoinbaseTrade } from '#server/market-data/feeds/providers/coinbase/exchange-messages.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { isAheadOfClock } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import { lostTrades, type ProviderSink, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { ReportedIds } from '#server/market-data/feeds/providers/reported-ids.ts'

/**
 * 250 ms: a heartbeat confirms a product only up to this long before its time. Coinbase stamps heartbeats on the server
 * that holds the connection, but trades where they are made. In recordings, some trades came after a heartbeat stamped
 * up to 73 ms later, and all within 128 ms.
 */
const IN_FLIGHT_MS = 250

/** A trade this much newer than the newest, with a lower id, is not a repeat: ids have begun again. */
const ANEW_AFTER_MS = MINUTE_MS

interface ProductState {
  /** Id and time of the newest trade. */
  id: number
  tradedAt: Instant
  price: string
  /** The latest time of any trade. */
  newestAt: Instant
  /** All trades before this time were reported. More trades of this same millisecond may follow. */
  through: Instant
  readonly hole: Hole
  readonly reported: ReportedIds
  /**
   * True while the newest trade is from an earlier connection and no message has confirmed that no trade followed it.
   */
  isOfBefore: boolean
  /** An id that a heartbeat named but that was missing, and the heartbeat's time. */
  named: { readonly id: number; readonly at: Instant } | null
}

const PRODUCT = /^[A-Z0-9.]+(?:-[A-Z0-9.]+)+$/

/** 0 stands for the id of a last price, which arrives without its trade. */
const NO_ID = 0

/**
 * Reports the trades of each product, over all connections: each trade once and in order, even if Coinbase sends it
 * again. The ids of a product's trades rise.
 */
export class CoinbaseTradeDeduplicator {
  private readonly states = new Map<string, ProductState>()
  private readonly sink: ProviderSink
  private readonly clock: ProviderTools['clock']

  constructor(sink: ProviderSink, { clock }: Pick<ProviderTools, 'clock'>) {
    this.sink = sink
    this.clock = clock
  }

  connectionBegins(): void {
    for (const state of this.states.values()) state.isOfBefore = true
  }

  /** The newest reported trade of a product; 0 when none was. */
  newestId(symbol: string): number {
    return this.states.get(symbol)?.id ?? NO_ID
  }

  /** Handles a trade. Ids rise by one, so a missing trade is noticed. */
  trade({ symbol, id, price, volume, time }: CoinbaseTrade): void {
    const state = this.states.get(symbol)
    if (this.isBroken(symbol, time)) {
      this.sink.unused(symbol, 'ahead')
      return this.unread({ symbol, id: BigInt(id) })
    }
    if (state === undefined) {
      this.begin(symbol, { id, price, tradedAt: time, newestAt: time, through: time })
      return this.sink.quote({ symbol, price, volume, time, ref: id })
    }
    const isNext = id === state.id + 1
    if (id <= state.id) {
      if (time <= state.tradedAt + ANEW_AFTER_MS) {
        // A snapshot ends with the newest trade, so no trade follows it.
        if (id === state.id && state.isOfBefore) this.isWhole(state)
        return this.sink.unused(symbol, state.reported.addLate(id) ? 'repeated' : 'out_of_order')
      }
      this.missing(symbol, state, { id, time }, `trade ${state.id} was followed by ${id}`)
      state.reported.clear()
    } else if (!isNext)
      this.missing(symbol, state, { id, time }, `${id - state.id - 1} trades are missing before ${id}`)
    else if (state.hole.isOpen) this.endHole(symbol, state, time, { id, isNext })
    state.reported.addNewest(id, isNext)
    const runsBack = time < state.through
    // A trade that is older than a heartbeat but newer than the last reported price is too late to report.
    const from = runsBack && time >= state.tradedAt ? instant(state.through - 1) : null
    const isBack = time < state.newestAt
    const newestAt = isBack ? state.newestAt : time
    const through = runsBack ? state.through : time
    Object.assign(state, { id, price, tradedAt: time, newestAt, through, isOfBefore: false })
    if (!runsBack) return this.sink.quote({ symbol, price, volume, time, ref: id })
    this.sink.unused(symbol, 'out_of_order', isBack ? id : undefined)
    this.lost(symbol, `trade ${id} came after newer ones`, from)
  }

  /**
   * Handles a last price without its trade: it has no id, and only the time of its message. When the price has not
   * changed, the message is a heartbeat and no new price.
   */
  lastPrice(symbol: string, price: string, time: Instant): void {
    const state = this.states.get(symbol)
    if (state !== undefined && time < state.through) {
      this.sink.unused(symbol, 'out_of_order')
      // A price that is older than a heartbeat but newer than the last reported price is too late to report.
      if (time >= state.tradedAt) this.lost(symbol, 'a ticker came after newer ones', instant(state.through - 1))
      return
    }
    if (this.isBroken(symbol, time)) {
      this.sink.unused(symbol, 'ahead')
      return this.unread({ symbol })
    }
    const isSame = state !== undefined && state.price === price && !state.hole.isOpen
    if (state === undefined) this.begin(symbol, { id: NO_ID, price, tradedAt: time, newestAt: time, through: time })
    else {
      this.endHole(symbol, state, time)
      Object.assign(state, { price, tradedAt: time, newestAt: time, through: time, isOfBefore: false })
    }
    if (isSame) this.sink.alive(symbol, instant(time - 1))
    else this.sink.quote({ symbol, price, volume: '0', time })
  }

  /** Notes a trade or last price that could not be read. Ignored for a product without a price. */
  unread({ symbol, id = null, time = null }: UnreadTrade & { readonly symbol: string }): void {
    const state = this.states.get(symbol)
    if (state === undefined || (id !== null && id <= BigInt(state.id))) return
    state.hole.open({ lastTime: state.tradedAt, wholeUntil: state.through - 1 }, { id, time })
  }

  /** Notes an unreadable trade as a message describes it. The symbol may be unknown. */
  unreadOf(trade: UnreadTrade, symbols: ReadonlyMap<string, unknown>): void {
    const { symbol } = trade
    if (symbol === null || !symbols.has(symbol)) return this.notOurs(symbol)
    this.sink.unused(symbol, 'unreadable')
    this.unread({ ...trade, symbol })
  }

  /** Counts a trade of a product that is not followed. With an invalid product name it may concern any product. */
  notOurs(symbol: string | null): void {
    const isOfAnother = symbol !== null && PRODUCT.test(symbol)
    this.sink.unused(null, isOfAnother ? 'not_followed' : 'unreadable')
    if (!isOfAnother) this.unreadAny()
  }

  /** Notes an unreadable trade of an unknown product. It may concern any product. */
  unreadAny(): void {
    for (const symbol of this.states.keys()) this.unread({ symbol })
  }

  /**
   * Notes the trade that the provider named as its newest at `time`. Only if our newest trade is the same trade, none
   * is missing.
   */
  newestIs(symbol: string, id: number, time: Instant): void {
    const state = this.states.get(symbol)
    if (state === undefined || this.isBroken(symbol, time)) return
    if (id > state.id) state.named = { id, at: time }
    // An earlier message named a newer trade, and no equally new one has arrived since.
    const isContradicted = state.named !== null && state.named.id > state.id && state.named.at >= state.tradedAt
    if (id !== state.id || isContradicted) return
    if (!state.hole.proveUntil(time - IN_FLIGHT_MS - 1, IN_FLIGHT_MS)) return
    state.isOfBefore = false
    this.live(symbol, state, time)
  }

  /** Notes that a trade named by the provider does not arrive. The next trade shows whether it is lost. */
  doesNotCome(symbol: string, id: number): void {
    const state = this.states.get(symbol)
    this.lost(symbol, `trade ${id} has not come`, null)
    if (state === undefined || state.isOfBefore) return
    state.hole.open({ lastTime: state.tradedAt, wholeUntil: state.through - 1 }, { id: BigInt(id) })
  }

  /** Confirms the heartbeat's time when nothing is missing. Ignored for a product without a price. */
  heartbeat(symbol: string, time: Instant): void {
    const state = this.states.get(symbol)
    if (state === undefined || state.hole.isOpen || state.isOfBefore || this.isBroken(symbol, time)) return
    this.live(symbol, state, time)
  }

  private live(symbol: string, state: ProductState, time: Instant): void {
    const through = instant(time - IN_FLIGHT_MS)
    if (through <= state.through) return
    state.through = through
    this.sink.alive(symbol, instant(through - 1))
  }

  private begin(symbol: string, first: Pick<ProductState, 'id' | 'price' | 'tradedAt' | 'newestAt' | 'through'>): void {
    const reported = new ReportedIds()
    reported.addNewest(first.id, false)
    this.states.set(symbol, { ...first, hole: new Hole(), reported, isOfBefore: false, named: null })
  }

  private isWhole(state: ProductState): void {
    if (state.hole.closeUnlessNewer()) state.isOfBefore = false
  }

  /**
   * Notes that trades before `next` are missing. After a lost connection no hole is opened. The age of the last price
   * then decides whether it may be used, as in any silence.
   */
  private missing(
    symbol: string,
    state: ProductState,
    { id, time }: Pick<CoinbaseTrade, 'id' | 'time'>,
    why: string,
  ): void {
    // When only one trade is missing and a hole is open, the missing trade is the unreadable one. Its hole is more
    // exact than a new hole.
    const isItKnown = id === state.id + 2 && state.hole.isOpen
    if (!state.isOfBefore && !isItKnown) state.hole.open({ lastTime: state.tradedAt, wholeUntil: state.through - 1 })
    this.lost(symbol, why, state.hole.end(time, BigInt(id)))
  }

  /**
   * Ends the product's hole at `next`, and reports the loss if a trade is still missing. `isNext`: no trade was made
   * between the two trades, or the missing trade has arrived.
   */
  private endHole(
    symbol: string,
    { hole }: ProductState,
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
    if (!isAheadOfClock(time, this.clock.now())) return false
    this.sink.trouble({ kind: 'unreadable', why: `${symbol}: a time that is far from having come` })
    return true
  }
}
