import type { SourceTick, Tick } from '#core/markets/tick.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createCancellableSleep, type CancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import { BatchWriter } from '#server/market-data/tick-log/batch-writer.ts'
import { ForeignTicks } from '#server/market-data/tick-log/foreign-ticks.ts'
import { type BufferedTick, TickBuffer } from '#server/market-data/tick-log/tick-buffer.ts'
import type { TickOrderGuard } from '#server/market-data/tick-log/tick-order-guard.ts'
import { type LogHead, readHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { type LateBatch, lateText } from '#server/market-data/tick-log/late-batch.ts'
import { LogEnd } from '#server/market-data/tick-log/log-end.ts'
import { LogNotes } from '#server/market-data/tick-log/log-notes.ts'
import { isOver, type LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { insertHoles, type TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'
import { textToTicks } from '#server/market-data/tick-log/tick-text.ts'

/** The content of one commit, in this order: holes, ticks, heartbeats. No tick before `floor` will be accepted. */
export interface Committed {
  readonly holes: readonly TickHole[]
  readonly ticks: readonly Tick[]
  /** The canonical text of the ticks; empty when there are no ticks. */
  readonly payload: string
  readonly heartbeats: ReadonlyMap<number, Instant>
  readonly floor: Instant | null
  /** The new end of the log. */
  readonly head: LogHead
}

export interface TickLogOptions {
  readonly ctx: Ctx
  readonly orderGuard: TickOrderGuard
  readonly coverage: Pick<LogCoverage, 'admitted' | 'lost' | 'take'>
  readonly flushMs: number
  readonly maxBuffered?: number
  readonly onCommitted: (committed: Committed) => void
  /** The lease under which the log is written, where several servers may write in turn. */
  readonly fence?: Fence | null
}

interface WaitingLate {
  readonly batch: Omit<LateBatch, 'sources'>
  readonly settle: (head: LogHead | null) => void
}

const MAX_BUFFERED_TICKS = 50_000
const NOTHING_WRITTEN = { ticks: [], payload: '' }
const NO_CHANGES = { ...NOTHING_WRITTEN, holes: [], heartbeats: new Map<number, Instant>(), floor: null }
const DROPPED_AT_ONCE = 1_000
/**
 * 0.5 s between two messages when there are no new ticks. So followers know early enough that they have every tick, and
 * no order has to wait.
 */
const IDLE_MS = 500
const MAX_RETRY_WAIT_MS = 2_000

/**
 * The write-ahead tick log: one writer, one batch at a time, in order of arrival. No tick is published before its batch
 * is committed. A failed batch is retried until it succeeds, while new ticks wait. When too many ticks wait, the oldest
 * are dropped. This is safe, because these ticks were never published.
 */
export class TickLog {
  private readonly ctx: Ctx
  private readonly orderGuard: TickOrderGuard
  private readonly coverage: Pick<LogCoverage, 'admitted' | 'lost' | 'take'>
  private readonly flushMs: number
  private readonly maxBuffered: number
  private readonly onCommitted: (committed: Committed) => void
  /** The lease under which the log is written; null where no other server can write it. */
  readonly fence: Fence | null
  private readonly end: LogEnd
  private readonly buffer = new TickBuffer()
  private heartbeats = new Map<number, Instant>()
  private afterwards: (() => void)[] = []
  private readonly late: WaitingLate[] = []
  /** The source time of each symbol's first tick that was left out while the clock was untrusted. */
  private readonly doubtedSince = new Map<number, Instant>()
  private writing: Promise<void> | null = null
  private lastFlush = Number.NEGATIVE_INFINITY
  private readonly foreign = new ForeignTicks()
  private readonly writer = new BatchWriter()
  readonly notes = new LogNotes()
  private timer: { due: number; cancel: () => void } | null = null
  private readonly retryPause: CancellableSleep
  private stopping = false

  constructor({
    ctx,
    orderGuard,
    coverage,
    flushMs,
    maxBuffered = MAX_BUFFERED_TICKS,
    onCommitted,
    fence = null,
  }: TickLogOptions) {
    this.ctx = ctx
    this.retryPause = createCancellableSleep(ctx.clock)
    this.orderGuard = orderGuard
    this.coverage = coverage
    this.flushMs = flushMs
    this.maxBuffered = maxBuffered
    this.onCommitted = onCommitted
    this.fence = fence
    this.end = new LogEnd({ ctx, fence, onForeign: (payload) => this.takeForeign(payload) })
  }

  /** Returns the end of the log. */
  async start(): Promise<LogHead> {
    this.begin(await readHead(this.ctx.db))
    return this.end.head
  }

  /** Does the same as `start`, but continues from a known end of the log. */
  begin(head: LogHead): void {
    this.end.head = head
    this.schedule()
  }

  /** Writes the waiting ticks with one attempt and ends. Ticks that cannot be written were never accepted. */
  async stop(): Promise<void> {
    this.stopping = true
    this.timer?.cancel()
    this.timer = null
    this.retryPause.wake()
    await this.writing
    while (this.buffer.length > 0) await this.flush()
    this.refuseLate()
  }

  /**
   * Ends immediately, because another server writes the log now. Waiting ticks are dropped, because they were never
   * published. Returns the last known end of the log.
   */
  async abandon(): Promise<LogHead> {
    this.stopping = true
    this.buffer.clear()
    this.timer?.cancel()
    this.timer = null
    this.retryPause.wake()
    await this.writing
    this.refuseLate()
    return this.end.head
  }

  get waiting(): number {
    return this.buffer.length
  }

  /** Receipt time of a symbol's oldest price that is not known to be in the log; null when all are logged. */
  waitingSince(symbolId: number): Instant | null {
    return this.buffer.waitingSince(symbolId)
  }

  tick(tick: SourceTick): void {
    const now = this.ctx.now()
    if (this.stopping || this.isDoubted(tick) || !this.orderGuard.admitTick(tick, now)) return
    this.covered(tick.symbolId, tick.time)
    const { symbolId, price, volume, time, source, ref } = tick
    this.buffer.add({ symbolId, price, volume, time, source, ref, receivedAt: now, ...this.notes.take() })
    if (this.buffer.length > this.maxBuffered) this.dropOldest()
    this.schedule()
  }

  heartbeat(symbolId: number, time: Instant): void {
    if (this.stopping || !this.ctx.clock.isTrusted()) return
    if (!this.orderGuard.admitHeartbeat(symbolId, time, this.ctx.now())) return
    this.covered(symbolId, time)
    this.heartbeats.set(symbolId, time)
    this.schedule()
  }

  /** While the clock is untrusted, no tick enters the log: a tick from the future could not be removed. */
  private isDoubted({ symbolId, time }: SourceTick): boolean {
    if (this.ctx.clock.isTrusted()) return false
    if (!this.doubtedSince.has(symbolId)) this.doubtedSince.set(symbolId, time)
    return true
  }

  /** Appends late evidence. Resolves to the new end of the log, or to null when this server stops writing first. */
  async appendLate(batch: Omit<LateBatch, 'sources'>): Promise<LogHead | null> {
    return await new Promise((settle) => {
      if (this.stopping) return settle(null)
      this.late.push({ batch, settle })
      this.schedule()
    })
  }

  private refuseLate(): void {
    for (const { settle } of this.late.splice(0)) settle(null)
  }

  private covered(symbolId: number, time: Instant): void {
    const since = this.doubtedSince.get(symbolId)
    if (since !== undefined) {
      this.doubtedSince.delete(symbolId)
      if (since < time) this.coverage.lost({ symbolId, from: since, until: time })
    }
    this.coverage.admitted(symbolId, time)
  }

  /** Calls `run` once all ticks and heartbeats that the feed reported before are in the log and have been passed on. */
  afterCommit(run: () => void): void {
    this.afterwards.push(run)
    this.schedule()
  }

  private schedule(): void {
    if (this.writing !== null || this.stopping) return
    const isWaiting =
      this.buffer.length > 0 || this.late.length > 0 || this.heartbeats.size > 0 || this.afterwards.length > 0
    const wait = isWaiting ? this.flushMs : IDLE_MS
    const now = this.ctx.clock.steady()
    const due = Math.max(now, this.lastFlush + wait)
    if (this.timer !== null) {
      if (this.timer.due <= due) return
      this.timer.cancel()
    }
    const cancel = this.ctx.clock.after(due - now, () => {
      this.timer = null
      void this.flush()
    })
    this.timer = { due, cancel }
  }

  private flush(): Promise<void> {
    this.lastFlush = this.ctx.clock.steady()
    const batch = this.buffer.takeBatch()
    // A heartbeat confirms the ticks before it, so heartbeats wait until all these ticks are written.
    const takesAll = this.buffer.length === 0
    const heartbeats = takesAll ? this.heartbeats : new Map<number, Instant>()
    if (takesAll) this.heartbeats = new Map()
    const afterwards = takesAll ? this.afterwards.splice(0) : []
    const floor = takesAll ? this.orderGuard.raiseFloor(this.ctx.now()) : null
    const holes = this.coverage.take()
    if (batch.length === 0 && holes.length === 0 && this.late.length === 0) {
      this.tell({ holes, ticks: [], payload: '', heartbeats, floor })
      for (const run of afterwards) run()
      this.schedule()
      return Promise.resolve()
    }
    this.writing = this.writeAndTell(batch, { holes, heartbeats, floor }, afterwards)
    return this.writing
  }

  private async writeAndTell(
    batch: BufferedTick[],
    rest: Pick<Committed, 'holes' | 'heartbeats' | 'floor'>,
    afterwards: readonly (() => void)[],
  ): Promise<void> {
    const isMarked = rest.holes.length === 0 || (await this.writeHoles(rest.holes.filter(isOver)))
    const written = isMarked ? await this.write(batch) : null
    this.buffer.endBatch()
    if (written !== null) {
      this.tell({ ...rest, ...written })
      for (const run of afterwards) run()
    }
    for (const late of this.late.splice(0)) await this.writeLateBatch(late)
    this.writing = null
    this.schedule()
  }

  /** Writes holes before the ticks that follow them, so a start finds both. Returns false when the log stops first. */
  private async writeHoles(holes: readonly TickHole[]): Promise<boolean> {
    for (let attempt = 0; holes.length > 0; attempt += 1) {
      try {
        await insertHoles(this.ctx.db, holes, this.fence)
        return true
      } catch (error) {
        this.ctx.log.warn({ err: error, attempt }, 'holes of the tick log could not be written')
      }
      if (this.stopping) return false
      await this.pauseAfter(attempt)
    }
    return true
  }

  private pauseAfter(attempt: number): Promise<void> {
    return this.retryPause.sleep(Math.min(MAX_RETRY_WAIT_MS, this.flushMs * 2 ** Math.min(attempt, 10)))
  }

  /** Writes ticks and returns them with their sequence numbers and text. Null when the log stops first. */
  private async write(buffered: BufferedTick[]): Promise<Pick<Committed, 'ticks' | 'payload'> | null> {
    let waiting = buffered
    if (waiting.length === 0) return NOTHING_WRITTEN
    for (let attempt = 0; ; attempt += 1) {
      const { ticks, payload, commit } = this.writer.draft(waiting, this.end.nextSeq)
      const times = ticks.map(({ time }) => time)
      const outcome = await this.end.append(times, payload, attempt)
      if (outcome === 'refused') {
        this.expelled()
        return null
      }
      if (outcome === 'written') {
        commit()
        return { ticks, payload }
      }
      waiting = waiting.filter((tick) => !this.foreign.supersedes(tick))
      if (waiting.length === 0) return NOTHING_WRITTEN
      if (this.stopping) return null
      await this.pauseAfter(attempt)
    }
  }

  /** Writes late evidence. Settles its promise with the end of the log, or with null when the log stops first. */
  private async writeLateBatch({ batch: late, settle }: WaitingLate): Promise<void> {
    for (let attempt = 0; !this.stopping; attempt += 1) {
      const { times, payload } = lateText({ ...late, sources: this.notes.sources }, this.end.nextSeq, this.ctx.now())
      const outcome = await this.end.append(times, payload, attempt)
      if (outcome === 'refused') this.expelled()
      if (outcome === 'written') {
        this.tell({ ...NO_CHANGES, payload })
        return settle(this.end.head)
      }
      await this.pauseAfter(attempt)
    }
    settle(null)
  }

  /** Another server holds the lease now. The lease service will notify this server too. */
  private expelled(): void {
    this.stopping = true
    this.buffer.clear()
  }

  private takeForeign(payload: string): void {
    const ticks = textToTicks(payload)
    for (const tick of ticks) {
      this.orderGuard.remember(tick.symbolId, tick.time)
      this.foreign.add(tick)
    }
    this.writer.take(ticks)
    this.tell({ ...NO_CHANGES, ticks, payload })
  }

  private tell(committed: Omit<Committed, 'head'>): void {
    try {
      this.onCommitted({ ...committed, head: this.end.head })
    } catch (error) {
      this.ctx.log.error({ err: error }, 'accepted ticks could not be delivered')
    }
  }

  private dropOldest(): void {
    for (const hole of this.buffer.dropOldest(DROPPED_AT_ONCE)) this.coverage.lost(hole)
    this.ctx.log.error(
      { dropped: DROPPED_AT_ONCE, buffered: this.buffer.length },
      'ticks dropped: the log cannot be written',
    )
  }
}
