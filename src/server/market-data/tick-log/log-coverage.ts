import { isOpen, nextOpen, nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import { instant, type Instant, later } from '#core/time/instant.ts'
import { isSilence, silenceLimitMs } from '#server/market-data/tick-log/gap-tracker.ts'
import type { TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'

type Covered = Pick<MarketSymbol, 'id' | 'marketType' | 'maxTickAgeMs'>

const NONE: readonly TickHole[] = []
/** The end of a hole that still lasts. */
const LASTS: Instant = instant(Number.MAX_SAFE_INTEGER)

interface State {
  readonly symbol: Covered
  readonly limitMs: number
  /** Those that are over, and the one that lasts, in the order of their beginning. */
  holes: readonly TickHole[]
  /** Where the hole begins that lasts until the source speaks again; null while we listen, or another server does. */
  waitsSince: Instant | null
  /** The hole in which the source does not tell its prices, while we listen; null when it does. */
  miss: { readonly from: Instant; newestAt: Instant } | null
  /** When we began to follow a log of which nothing has been heard since; null once something was. */
  followedAt: Instant | null
  /** Where the newest hole began that is over. */
  endedFrom: Instant | null
  /** A lasting hole reaches at least to here. */
  leastUntil: Instant
  /** The newest moment that the source told us of. */
  through: Instant
}

export interface Listening {
  readonly through: Instant | null
  readonly leastUntil: Instant
  readonly now: Instant
}

/**
 * Knows in which times the log may lack prices: before the first price, while no server listened, and in silences. The
 * writer finds holes; they are stored before any tick that comes after them, so a stored candle is never without its
 * marks. Servers that follow learn of holes beside the ticks.
 */
export class LogCoverage {
  readonly #states = new Map<number, State>()
  readonly #onChange: (hole: TickHole) => void
  #startedAt: Instant = instant(0)
  #pending: TickHole[] = []

  /** Runs `onChange` for each hole that begins, ends, or turns out to be none. */
  constructor(onChange: (hole: TickHole) => void) {
    this.#onChange = onChange
  }

  /** Adds a symbol with the holes that are stored. */
  know(symbol: Covered, stored: readonly TickHole[], through: Instant): void {
    const limitMs = silenceLimitMs(symbol)
    this.#states.set(symbol.id, {
      symbol,
      limitMs,
      holes: [...stored],
      waitsSince: null,
      miss: null,
      followedAt: null,
      endedFrom: null,
      leastUntil: instant(0),
      through,
    })
  }

  /**
   * From now on this server writes what the source says. Until that speaks of a symbol, its log has a hole from `through`
   * on (null when it holds nothing of it), and at least to `leastUntil`. Answers the part of it that is certain.
   */
  listen(symbolId: number, { through, leastUntil, now }: Listening): TickHole {
    const state = this.#states.get(symbolId)
    assert(state, 'a symbol is known before it is listened to')
    const from = through === null ? instant(0) : nextOpen(state.symbol.marketType, through)
    this.#startedAt = now
    state.waitsSince = from
    state.miss = null
    state.leastUntil = leastUntil
    state.followedAt = null
    this.#tell(state, { symbolId, from, until: LASTS })
    return { symbolId, from, until: leastUntil }
  }

  /** Another server writes, if one does: until something is heard of a symbol, nothing after `through` is known. */
  follow(symbolId: number, through: Instant | null, now: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined) return
    state.followedAt = now
    this.#put(state, { symbolId, from: through ?? instant(0), until: LASTS })
  }

  /** The server that writes has told of a symbol up to `time`. */
  heard(symbolId: number, time: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined || state.followedAt === null || time <= state.followedAt) return
    state.followedAt = null
    const lasting = state.holes.find(({ until }) => until === LASTS)
    if (lasting !== undefined) this.#put(state, { ...lasting, until: lasting.from })
  }

  /** Another server writes from now on. */
  rest(): void {
    this.#pending = []
    for (const state of this.#states.values()) {
      state.waitsSince = null
      state.miss = null
      state.holes = state.holes.filter(isOver)
    }
  }

  /** The source tells every price of a symbol from `since` on. */
  begins(symbolId: number, since: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined) return
    const { waitsSince } = state
    if (waitsSince !== null) {
      state.waitsSince = null
      this.#tell(state, { symbolId, from: waitsSince, until: instant(Math.max(since, state.leastUntil, waitsSince)) })
    } else if (since > state.through) this.#tellOpen(state, state.through, since)
    if (since > state.through) state.through = since
  }

  /**
   * Prices after `from` (null: after the newest moment that the source told us of) are missing, up to its next word. While
   * the market is closed none are.
   */
  misses(symbolId: number, from: Instant | null, now: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined || state.waitsSince !== null || state.followedAt !== null) return
    const last = instant(Math.max(from ?? state.through, state.through - 1))
    const since = nextOpen(state.symbol.marketType, later(last, 1))
    if (!isOpen(state.symbol.marketType, now)) return
    if (state.miss !== null && state.miss.from <= since) state.miss.newestAt = now
    else {
      state.miss = { from: since, newestAt: now }
      this.#tell(state, { symbolId, from: since, until: LASTS })
    }
  }

  /** A tick or heartbeat may enter the log. */
  admitted(symbolId: number, time: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined) return
    // A feed that does not say where its prices begin tells all from its start on.
    if (state.waitsSince !== null) this.begins(symbolId, this.#startedAt)
    else if (state.miss !== null) this.#endMiss(state, state.miss, time)
    else if (time - state.through > state.limitMs && isSilence(state.symbol, state.through, time))
      this.#tellOpen(state, state.through, time)
    if (time > state.through) state.through = time
  }

  /** Whether the source has not spoken of a symbol yet, so that nothing is known of the time up to now. */
  isWaiting(symbolId: number): boolean {
    return (this.#states.get(symbolId)?.waitsSince ?? null) !== null
  }

  /** The holes of a symbol, ascending, as far as they touch bars that were open when this process began. */
  of(symbolId: number): readonly TickHole[] {
    return this.#states.get(symbolId)?.holes ?? []
  }

  /** Takes what is to be stored and told to other servers, in the order it was found. */
  take(): readonly TickHole[] {
    return this.#pending.length === 0 ? NONE : this.#pending.splice(0)
  }

  /** Prices from this time were given up before they reached the log. */
  lost(hole: TickHole): void {
    const state = this.#states.get(hole.symbolId)
    if (state !== undefined) this.#tell(state, hole)
  }

  /** Another server has found a hole, or more of one. Words may come twice: one that is over does not begin again. */
  note(hole: TickHole): void {
    const state = this.#states.get(hole.symbolId)
    if (state === undefined || (hole.until === LASTS && hole.from === state.endedFrom)) return
    if (state.holes.some(({ from, until }) => from === hole.from && until === hole.until)) return
    if (hole.until === LASTS) state.followedAt = null
    this.#put(state, hole)
  }

  /** Others of the same moment may be missing as well. What was missed before a session says nothing of it. */
  #endMiss(state: State, { from, newestAt }: NonNullable<State['miss']>, time: Instant): void {
    if (time < from) return
    const { id, marketType } = state.symbol
    const { open } = nextSession(marketType, time)
    state.miss = null
    this.#tell(state, { symbolId: id, from, until: newestAt < open ? open : later(time, 1) })
  }

  #tellOpen(state: State, from: Instant, until: Instant): void {
    const opens = nextOpen(state.symbol.marketType, from)
    if (opens < until) this.#tell(state, { symbolId: state.symbol.id, from: opens, until })
  }

  #tell(state: State, hole: TickHole): void {
    this.#pending.push(hole)
    this.#put(state, hole)
  }

  /** One hole lasts at a time. It is over when its end is put in its place. */
  #put(state: State, hole: TickHole): void {
    if (hole.until !== LASTS) state.endedFrom = hole.from
    const others = state.holes.filter(
      ({ from, until }) => until !== LASTS || (hole.until !== LASTS && from !== hole.from),
    )
    state.holes = hole.until > hole.from ? [...others, hole].toSorted((a, b) => a.from - b.from) : others
    this.#onChange(hole)
  }
}

/** Whether a hole has an end, so that it can be stored. */
export function isOver({ from, until }: TickHole): boolean {
  return until > from && until !== LASTS
}
