import type { UnusedTradeReason } from '#core/markets/sources/unused-trade.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import type { FinnhubTrade, FinnhubUnread } from '#server/market-data/feeds/providers/finnhub/finnhub-messages.ts'
import { isAheadOfClock } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import { lostTrades, type ProviderSink, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'

interface SymbolState {
  /** The newest reported time of a price or heartbeat. */
  through: Instant
  /** The last time reported on an earlier connection. Trades up to this millisecond may be sent again. */
  barrier: Instant | null
  /** Time of the last price, and of the last heartbeat. */
  quotedAt: number
  aliveAt: number
  readonly hole: Hole
}

type IsOurs = (symbol: string) => boolean

/**
 * Reports the new trades of each symbol, over all connections. Finnhub's trades have no ids, and two trades may share
 * price, volume and millisecond. On one connection, a trade counts unless it is older than the newest trade before it.
 * On a new connection, only trades newer than the last millisecond of the previous connection count.
 *
 * A trade whose conditions exclude it, such as a trade outside the regular session, makes no price, but shows that its
 * symbol is alive. It does not show that other symbols are alive. While an earlier trade of the symbol is missing, it
 * does not even show that its own symbol is alive. A trade with an unknown condition counts as missing, and so does a
 * price that arrives after a newer trade without a price.
 */
export class FinnhubTradeDeduplicator {
  private readonly states = new Map<string, SymbolState>()
  private readonly sink: ProviderSink
  private readonly clock: ProviderTools['clock']

  constructor(sink: ProviderSink, { clock }: Pick<ProviderTools, 'clock'>) {
    this.sink = sink
    this.clock = clock
  }

  connectionBegins(): void {
    for (const state of this.states.values()) state.barrier = state.through
  }

  /** Handles the trades of one frame, ascending. */
  trades(trades: readonly (FinnhubTrade | FinnhubUnread)[], isOurs: IsOurs = () => true): void {
    const excludedAt = new Map<string, Instant>()
    // A trade without a time may belong anywhere in the frame.
    const untimed = trades.flatMap((trade) => ('unread' in trade && !trade.unread.time ? [trade.unread] : []))
    for (const unread of untimed) this.opensHole(unread, isOurs)
    for (const trade of trades) {
      if ('unread' in trade) {
        if (!isOfAnother(trade.unread.symbol, isOurs))
          this.sink.trouble({ kind: 'unreadable', why: `a trade of ${trade.unread.symbol} makes no sense` })
        this.unreadOf(trade.unread, isOurs)
      } else if (!isOurs(trade.symbol)) this.unreadOf({ symbol: trade.symbol }, isOurs)
      else if (this.isNew(trade)) this.takeNew(trade, excludedAt)
    }
    for (const unread of untimed) this.opensHole(unread, isOurs)
    // More trades of the same millisecond may follow, in this frame or the next.
    for (const [symbol, time] of excludedAt) this.alive(symbol, instant(time - 1))
  }

  /**
   * Notes a trade that is unreadable or not subscribed. When its symbol is unreadable, the trade may concern any
   * subscribed symbol.
   */
  unreadOf(trade: UnreadTrade, isOurs: IsOurs): void {
    const { symbol } = trade
    if (isOfAnother(symbol, isOurs)) return this.sink.unused(null, 'not_followed')
    this.sink.unused(symbol !== null && isOurs(symbol) ? symbol : null, 'unreadable')
    this.opensHole(trade, isOurs)
  }

  private opensHole({ symbol, time = null }: UnreadTrade, isOurs: IsOurs): void {
    if (isOfAnother(symbol, isOurs)) return
    if (symbol === null || !isOurs(symbol)) return this.unreadAny()
    this.unread(symbol, time !== null && isAheadOfClock(time, this.clock.now()) ? null : time)
  }

  private unreadAny(): void {
    for (const symbol of this.states.keys()) this.unread(symbol, null)
  }

  private unread(symbol: string, time: Instant | null): void {
    const state = this.states.get(symbol)
    // A trade up to the barrier may have been read on the previous connection, so it opens no hole.
    if (state === undefined || (time !== null && state.barrier !== null && time <= state.barrier)) return
    const { quotedAt, aliveAt } = state
    state.hole.open({ lastTime: quotedAt, wholeUntil: Math.max(quotedAt - 1, aliveAt) }, { time })
  }

  private takeNew({ symbol, price, volume, time, use }: FinnhubTrade, excludedAt: Map<string, Instant>): void {
    const state = this.states.get(symbol) ?? this.begin(symbol, time)
    state.through = time
    if (use !== 'price') {
      this.sink.unused(symbol, reasonOf(use))
      // A trade that cannot be judged may have been a price, so its symbol is not confirmed.
      if (use === 'unknown') return this.unread(symbol, time)
      excludedAt.set(symbol, time)
      return
    }
    const from = state.hole.end(time)
    if (from !== null) this.sink.trouble(lostTrades(symbol, 'a trade before this price could not be read', from))
    state.quotedAt = time
    this.sink.quote({ symbol, price, volume, time })
  }

  private begin(symbol: string, through: Instant): SymbolState {
    const never = Number.NEGATIVE_INFINITY
    const state: SymbolState = { through, barrier: null, quotedAt: never, aliveAt: never, hole: new Hole() }
    this.states.set(symbol, state)
    return state
  }

  private alive(symbol: string, time: Instant): void {
    const state = this.states.get(symbol)
    if (state === undefined || state.hole.isOpen) return
    state.aliveAt = Math.max(state.aliveAt, time)
    this.sink.alive(symbol, time)
  }

  private isNew({ symbol, time, use }: FinnhubTrade): boolean {
    if (isAheadOfClock(time, this.clock.now())) {
      this.sink.trouble({ kind: 'unreadable', why: `${symbol}: a time that is far from having come` })
      this.sink.unused(symbol, 'ahead')
      this.unread(symbol, null)
      return false
    }
    const state = this.states.get(symbol)
    if (state === undefined || (time >= state.through && (state.barrier === null || time > state.barrier))) return true
    const mayBeRepeated = state.barrier !== null && time <= state.barrier
    this.sink.unused(symbol, mayBeRepeated ? 'repeated' : 'out_of_order')
    // A newer trade without a price has already confirmed the last price. So a price between the two is lost.
    if (!mayBeRepeated && (use === 'price' || use === 'unknown') && time >= state.quotedAt) this.lostLate(symbol, state)
    return false
  }

  private lostLate(symbol: string, { quotedAt, aliveAt }: SymbolState): void {
    const from = Math.max(quotedAt - 1, aliveAt)
    const at = from === Number.NEGATIVE_INFINITY ? null : instant(from)
    this.sink.trouble(lostTrades(symbol, 'a trade came after newer ones', at))
  }
}

/** Whether the text is the valid name of a symbol that is not subscribed, such as `BRK.B` or `OANDA:EUR_USD`. */
function isOfAnother(symbol: string | null, isOurs: IsOurs): boolean {
  return symbol !== null && !isOurs(symbol) && NAME.test(symbol)
}

/** The part after an exchange name may be in lower case. */
const NAME = /^(?:[A-Z][A-Z0-9. ]*:[\w./-]+|[A-Z][A-Z0-9]*(?:[.-][A-Z0-9]+)*)$/

/** Trades before and after the regular session are outside the market's hours. */
function reasonOf(use: Exclude<FinnhubTrade['use'], 'price'>): UnusedTradeReason {
  if (use === 'extended') return 'outside_session'
  return use === 'unknown' ? 'unknown_condition' : 'condition'
}
