import { isOpen, nextOpen, nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import { instant, type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { isSilence, silenceLimitMs } from '#server/market-data/tick-log/gap-tracker.ts'
import type { TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'

type Covered = Pick<MarketSymbol, 'id' | 'marketType' | 'maxTickAgeMs'>

const NONE: readonly TickHole[] = []
/** A dead connection is noticed within 5 minutes: longer than the silence limit of every provider. */
const NOTICED_WITHIN_MS = 5 * MINUTE_MS
/** The end of a hole that still lasts. */
const LASTS: Instant = instant(Number.MAX_SAFE_INTEGER)

interface State {
  readonly symbol: Covered
  readonly limitMs: number
  /** Finished holes and the hole that still lasts, in order of their beginning. */
  holes: readonly TickHole[]
  /**
   * The beginning of the hole that lasts until the source's first tick or heartbeat. Null while this or another server
   * receives prices.
   */
  waitsSince: Instant | null
  /** The hole in which the source reports no prices although this server is listening; null when it reports them. */
  miss: { readonly from: Instant; newestAt: Instant } | null
  /** When this server began to follow the log. Null once a message has arrived since then. */
  followedAt: Instant | null
  /** Where the newest finished hole began. */
  lastHoleFrom: Instant | null
  /** A lasting hole extends at least to this time. */
  minUntil: Instant
  /** The newest time that the source reported. */
  through: Instant
}

export interface Listening {
  readonly through: Instant | null
  readonly minUntil: Instant
  readonly now: Instant
}

/**
 * Tracks the times in which the log may lack prices: before the first price, while no server listened, and in silences.
 * The writer of the log finds holes. It stores them before any later tick, so a candle that lacks prices is never
 * stored without its hole. Followers learn of holes together with the ticks.
 */
export class LogCoverage {
  readonly #states = new Map<number, State>()
  readonly #onChange: (hole: TickHole) => void
  #startedAt: Instant = instant(0)
  #pending: TickHole[] = []

  /** Runs `onChange` for each hole that begins, ends, or proves not to be a hole. */
  constructor(onChange: (hole: TickHole) => void) {
    this.#onChange = onChange
  }

  /** Adds a symbol with its stored holes. */
  know(symbol: Covered, stored: readonly TickHole[], through: Instant): void {
    const limitMs = silenceLimitMs(symbol)
    this.#states.set(symbol.id, {
      symbol,
      limitMs,
      holes: [...stored],
      waitsSince: null,
      miss: null,
      followedAt: null,
      lastHoleFrom: null,
      minUntil: instant(0),
      through,
    })
  }

  /**
   * Call when this server becomes the writer of the log. The symbol then has a hole from `through` until the source's
   * first message about it, and at least until `minUntil`. `through` is null when the log has nothing of the symbol.
   * Returns the certain part of the hole.
   */
  listen(symbolId: number, { through, minUntil, now }: Listening): TickHole {
    const state = this.#states.get(symbolId)
    assert(state, 'a symbol is known before it is listened to')
    const from = through === null ? instant(0) : nextOpen(state.symbol.marketType, through)
    this.#startedAt = now
    state.waitsSince = from
    state.miss = null
    state.minUntil = minUntil
    state.followedAt = null
    this.#tell(state, { symbolId, from, until: LASTS })
    return { symbolId, from, until: minUntil }
  }

  /**
   * Call when this server begins to follow the log, even if no other server writes it yet. Until the writer's first
   * message about the symbol, nothing after `through` is known.
   */
  follow(symbolId: number, through: Instant | null, now: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined) return
    state.followedAt = now
    this.#put(state, { symbolId, from: through ?? instant(0), until: LASTS })
  }

  /** Notes that the writing server reported a symbol up to `time`. */
  advance(symbolId: number, time: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined || state.followedAt === null || time <= state.followedAt) return
    state.followedAt = null
    const lasting = state.holes.find(({ until }) => until === LASTS)
    if (lasting !== undefined) this.#put(state, { ...lasting, until: lasting.from })
  }

  /** Call when this server stops writing. Drops the holes that still last and the holes that are not stored yet. */
  rest(): void {
    this.#pending = []
    for (const state of this.#states.values()) {
      state.waitsSince = null
      state.miss = null
      state.holes = state.holes.filter(isOver)
    }
  }

  /** Notes that the source reports every price of a symbol from `since` on. */
  begins(symbolId: number, since: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined) return
    const { waitsSince } = state
    if (waitsSince !== null) {
      state.waitsSince = null
      this.#tell(state, { symbolId, from: waitsSince, until: instant(Math.max(since, state.minUntil, waitsSince)) })
    } else if (since > state.through) this.#tellOpen(state, state.through, since)
    if (since > state.through) state.through = since
  }

  /**
   * Notes that prices after `from` are missing, up to the source's next message. Null means after the newest time that the source reported.
   * While the market is closed, nothing is missing, but a loss before the close may be noticed shortly after the close.
   */
  misses(symbolId: number, from: Instant | null, now: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined || state.waitsSince !== null || state.followedAt !== null) return
    const last = instant(Math.max(from ?? state.through, state.through - 1))
    const { marketType } = state.symbol
    const since = nextOpen(marketType, later(last, 1))
    if (!isOpen(marketType, now) && !isJustClosed(marketType, since, now)) return
    if (state.miss !== null && state.miss.from <= since) state.miss.newestAt = now
    else {
      state.miss = { from: since, newestAt: now }
      this.#tell(state, { symbolId, from: since, until: LASTS })
    }
  }

  /** Notes a tick or heartbeat that is admitted to the log. */
  admitted(symbolId: number, time: Instant): void {
    const state = this.#states.get(symbolId)
    if (state === undefined) return
    // A feed that never calls `begins` reports all prices from its start on.
    if (state.waitsSince !== null) this.begins(symbolId, this.#startedAt)
    else if (state.miss !== null) this.#endMiss(state, state.miss, time)
    else if (time - state.through > state.limitMs && isSilence(state.symbol, state.through, time))
      this.#tellOpen(state, state.through, time)
    if (time > state.through) state.through = time
  }

  /** Whether the source has not reported the symbol yet, so that prices may be missing up to now. */
  isWaiting(symbolId: number): boolean {
    return (this.#states.get(symbolId)?.waitsSince ?? null) !== null
  }

  /** The holes of a symbol, ascending, that overlap bars which were open when this process began. */
  of(symbolId: number): readonly TickHole[] {
    return this.#states.get(symbolId)?.holes ?? []
  }

  /** Removes and returns the holes to store and to send to other servers, in the order they were found. */
  take(): readonly TickHole[] {
    return this.#pending.length === 0 ? NONE : this.#pending.splice(0)
  }

  /** Notes that prices from this time were dropped before they reached the log. */
  lost(hole: TickHole): void {
    const state = this.#states.get(hole.symbolId)
    if (state !== undefined) this.#tell(state, hole)
  }

  /** Notes a hole that another server found or extended. Messages may arrive twice, so a finished hole never begins again. */
  note(hole: TickHole): void {
    const state = this.#states.get(hole.symbolId)
    if (state === undefined || (hole.until === LASTS && hole.from === state.lastHoleFrom)) return
    if (state.holes.some(({ from, until }) => from === hole.from && until === hole.until)) return
    if (hole.until === LASTS) state.followedAt = null
    this.#put(state, hole)
  }

  /**
   * The hole includes the millisecond of `time`, because other ticks of that millisecond may be missing too. When the
   * trades were missed before the session, the hole ends where the session opens.
   */
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

  /** Stores a hole. A symbol has only one hole without an end: storing a hole with an end finishes it. */
  #put(state: State, hole: TickHole): void {
    if (hole.until !== LASTS) state.lastHoleFrom = hole.from
    const others = state.holes.filter(
      ({ from, until }) => until !== LASTS || (hole.until !== LASTS && from !== hole.from),
    )
    state.holes = hole.until > hole.from ? [...others, hole].toSorted((a, b) => a.from - b.from) : others
    this.#onChange(hole)
  }
}

/** Whether the session of `since` closed shortly before `now`. */
function isJustClosed(marketType: MarketType, since: Instant, now: Instant): boolean {
  return since <= now && now <= later(nextSession(marketType, since).close, NOTICED_WITHIN_MS)
}

/** Whether a hole has an end, so that it can be stored. */
export function isOver({ from, until }: TickHole): boolean {
  return until > from && until !== LASTS
}
