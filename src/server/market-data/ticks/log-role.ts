import { assert } from '#core/result.ts'
import { MAX_TICK_DELAY_MS } from '#core/markets/tick.ts'
import { instant, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Feed, FeedSink, SuspectReason } from '#server/market-data/feeds/base/feed.ts'
import type { SharedTicks } from '#server/market-data/replication/shared-ticks.ts'
import { type Followed, TickFollower } from '#server/market-data/replication/tick-follower.ts'
import { createTickRelay, type SourceReport, type TickRelay } from '#server/market-data/replication/tick-relay.ts'
import type { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { type LogHead, readHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { LateBatch } from '#server/market-data/tick-log/late-batch.ts'
import { type Committed, TickLog } from '#server/market-data/tick-log/tick-log.ts'
import type { TickOrderGuard } from '#server/market-data/tick-log/tick-order-guard.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'
import type { SymbolRecovery } from '#server/market-data/ticks/symbol-recovery.ts'
import type { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'

export interface LogRoleParts {
  readonly ctx: Ctx
  readonly feed: Feed
  /** Set where several servers share one log. */
  readonly shared: SharedTicks | undefined
  readonly states: SymbolStates
  readonly orderGuard: TickOrderGuard
  readonly coverage: LogCoverage
  readonly recovery: SymbolRecovery
  readonly flushMs: number
  readonly maxBuffered?: number | undefined
  /** Applies to memory what has been committed to the log. */
  readonly apply: (committed: Committed) => void
}

/** 30 s: after a longer silence the writer counts as gone, so no price waits at it any more. */
const MAX_WRITER_SILENCE_MS = 30 * SECOND_MS
const NOTHING_NEW = { holes: [], ticks: [], payload: '', heartbeats: new Map<number, Instant>(), floor: null }

/**
 * Whether this server writes the tick log or follows it. A server alone always writes. Where several share the log, the leaseholder listens
 * to the sources and writes, and the others follow. Only this class knows the fence of the lease.
 */
export class LogRole {
  readonly #parts: LogRoleParts
  readonly #relay: TickRelay | null
  readonly #sink: FeedSink
  #isLeader: boolean
  #log: TickLog
  #follower: TickFollower | null = null
  #head: LogHead = { lastSeq: 0, hash: GENESIS_HASH }
  #isStopped = false

  constructor(parts: LogRoleParts) {
    const { ctx, coverage, shared, states } = parts
    this.#parts = parts
    this.#isLeader = shared === undefined
    this.#relay =
      shared === undefined
        ? null
        : createTickRelay({
            ctx,
            shared,
            sources: () => this.#ownSources(),
            suspects: () => states.suspects(),
            watermarks: () => states.watermarks(),
          })
    this.#log = this.#openLog(null)
    this.#sink = {
      tick: (tick) => this.#log.tick(tick),
      heartbeat: (symbolId, time) => this.#log.heartbeat(symbolId, time),
      sources: (hash) => this.#log.notes.useSources(hash),
      note: (note) => this.#log.notes.add(note),
      doubt: (symbolId, why) => this.#setSuspect(symbolId, why),
      misses: (symbolId, from) => coverage.misses(symbolId, from, ctx.now()),
      // The log would reject older ticks as too late, so the log cannot be complete from an earlier time on.
      begins: (symbolId, since) =>
        coverage.begins(symbolId, instant(Math.max(since, ctx.now() - MAX_TICK_DELAY_MS + SECOND_MS))),
    }
  }

  /** Whether this server writes the log. */
  get isLeader(): boolean {
    return this.#isLeader
  }

  /** The lease under which this server writes; null where no other server can. */
  get fence(): Fence | null {
    return this.#log.fence
  }

  /** The end of the log when the newest tick was accepted. */
  get head(): LogHead {
    return this.#head
  }

  /** The number of ticks that wait to be written. */
  get waiting(): number {
    return this.#log.waiting
  }

  /** Reads the end of a shared log. Call before the state is restored, because another server may be writing. */
  async findEnd(): Promise<void> {
    if (this.#parts.shared !== undefined) this.#head = await readHead(this.#parts.ctx.db)
  }

  /** Begins to write the log, or to follow it from the end that `findEnd` found. Call when the state is restored. */
  async start(): Promise<void> {
    const { ctx, feed, shared, recovery } = this.#parts
    if (shared === undefined) {
      this.#head = await this.#log.start()
      await recovery.rememberSettled()
      await feed.start(this.#sink)
      return
    }
    const onFollowed = (followed: Followed): void => this.#takeFollowed(followed)
    this.#follower = new TickFollower({ ctx, shared, onFollowed }, this.#head)
    await this.#follower.catchUp()
    this.#follower.start()
    if (shared.mayLead) shared.seek({ lead: (fence) => this.#lead(fence), follow: () => this.#follow() })
  }

  /** Stops the feed, and writes the waiting ticks. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#isLeader) await this.#parts.feed.stop()
    await this.#follower?.stop()
    await this.#log.stop()
    await this.#relay?.idle()
  }

  /** See `TickService.appendLate`. */
  async appendLate(batch: Omit<LateBatch, 'sources'>): Promise<boolean> {
    return this.#isLeader && (await this.#log.appendLate(batch)) !== null
  }

  /** See `Ticks.waitUntilCaughtUp`. */
  async waitUntilCaughtUp(): Promise<void> {
    if (!this.#isLeader) await this.#follower?.catchUp()
  }

  /** See `Ticks.waitingSince`. */
  waitingSince(symbolId: number): Instant | null {
    if (this.#isLeader) return this.#log.waitingSince(symbolId)
    const through = this.#follower?.through ?? null
    return through !== null && this.#parts.ctx.now() - through <= MAX_WRITER_SILENCE_MS ? through : null
  }

  /** See `Ticks.writerToken`. */
  writerToken(): bigint | null {
    if (this.#parts.shared === undefined) return null
    return (this.#isLeader ? this.fence?.token : this.#follower?.token) ?? 0n
  }

  /** The state of the sources as reported by the server that listens to them. */
  sources(): SourceReport {
    return this.#relay?.remoteSources(this.#isLeader) ?? this.#ownSources()
  }

  async #lead(fence: Fence): Promise<void> {
    const { feed, states, coverage, recovery } = this.#parts
    const follower = this.#follower
    assert(follower, 'a log that is shared is followed first')
    await follower.stop()
    const end = await follower.catchUp()
    follower.moveTo(end, fence.token)
    // Suspect flags from another server's sources do not apply to this server's sources.
    states.setSuspects([])
    this.#log = this.#openLog(fence)
    this.#log.begin(end)
    this.#isLeader = true
    await recovery.takeOver(fence)
    this.#relay?.tell(fence, this.#head, { ...NOTHING_NEW, head: this.#head, holes: coverage.take() })
    await feed.start(this.#sink)
  }

  async #follow(): Promise<void> {
    const { feed, coverage } = this.#parts
    if (this.#isLeader) {
      this.#isLeader = false
      coverage.rest()
      await feed.stop()
      this.#follower?.moveTo(await this.#log.abandon(), 0n)
      if (!this.#isStopped) await feed.renew?.()
    }
    if (!this.#isStopped) this.#follower?.start()
  }

  #openLog(fence: Fence | null): TickLog {
    const { ctx, orderGuard, coverage, flushMs, maxBuffered } = this.#parts
    return new TickLog({
      ctx,
      orderGuard,
      coverage,
      flushMs,
      fence,
      ...(maxBuffered !== undefined && { maxBuffered }),
      onCommitted: (committed) => {
        if (fence !== null) this.#relay?.tell(fence, this.#head, committed)
        this.#apply(committed)
        if (fence !== null) this.#relay?.keep(fence, this.#head)
      },
    })
  }

  /** Applies what another server wrote. */
  #takeFollowed({ doubts, ...committed }: Followed): void {
    const { states, orderGuard, coverage } = this.#parts
    // Some of these ticks may have been read at the start.
    const ticks = committed.ticks.filter(({ symbolId, seq }) => seq > (states.latest(symbolId)?.seq ?? 0))
    for (const { symbolId, time } of ticks) orderGuard.remember(symbolId, time)
    for (const [symbolId, time] of committed.heartbeats) orderGuard.remember(symbolId, time)
    if (doubts !== null) states.setSuspects(doubts)
    for (const hole of committed.holes) coverage.note(hole)
    this.#apply({ ...committed, ticks })
  }

  #apply(committed: Committed): void {
    this.#head = committed.head
    this.#parts.apply(committed)
  }

  /**
   * A suspect flag takes effect immediately. The flag is cleared only after the prices that resolve it are in the log,
   * so that no order is accepted on an earlier price.
   */
  #setSuspect(symbolId: number, why: SuspectReason | null): void {
    const state = this.#parts.states.get(symbolId)
    if (state === undefined) return
    if (why !== null) {
      state.suspect = { why }
      if (this.fence !== null) this.#relay?.tell(this.fence, this.#head, { ...NOTHING_NEW, head: this.#head })
      return
    }
    const resolved = state.suspect
    this.#log.afterCommit(() => {
      if (state.suspect === resolved) state.suspect = null
    })
  }

  #ownSources(): SourceReport {
    const { feed, orderGuard } = this.#parts
    return {
      sources: feed.sources?.() ?? [],
      unplaced: feed.unplaced?.() ?? [],
      keptOut: { ...orderGuard.counts },
    }
  }
}
