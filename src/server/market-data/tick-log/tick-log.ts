import type { SourceTick, Tick } from '#core/markets/tick.ts'
import { instant, type Instant, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createNap, type Nap } from '#server/platform/concurrency/cancellable-sleep.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import { type Admission, isSamePrice } from '#server/market-data/tick-log/tick-order-guard.ts'
import {
  BATCH_SPAN_MS,
  batchesAfter,
  insertBatch,
  type LogHead,
  readHead,
} from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import { isOver, type LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { insertHoles, type TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'
import { batchHash, GENESIS_HASH, sameHash, textToTicks, ticksToText } from '#server/market-data/tick-log/tick-text.ts'

/** What has just become true, in this order: the holes, the ticks, the heartbeats, and that nothing before `floor` will come. */
export interface Committed {
  readonly holes: readonly TickHole[]
  readonly ticks: readonly Tick[]
  readonly heartbeats: ReadonlyMap<number, Instant>
  readonly floor: Instant | null
  /** The log now ends here. */
  readonly head: LogHead
}

export interface TickLogOptions {
  readonly ctx: Ctx
  readonly admission: Admission
  readonly coverage: Pick<LogCoverage, 'admitted' | 'lost' | 'take'>
  readonly flushMs: number
  readonly mostBuffered?: number
  readonly onCommitted: (committed: Committed) => void
  /** The right to write, where several servers may have it in turn. */
  readonly fence?: Fence | null
}

const MOST_IN_BATCH = 5_000
const MOST_BUFFERED = 50_000
const DROPPED_AT_ONCE = 1_000
/** Half a second: servers that follow know no later that all was told than an order waits for it. */
const IDLE_MS = 500
const LONGEST_WAIT_MS = 2_000

type Buffered = Omit<Tick, 'seq'>

/**
 * The write-ahead tick log: one writer, one batch at a time, in the order of arrival. Nobody hears of a tick before its
 * batch is committed. A batch that fails is tried again for as long as it takes; meanwhile new ticks wait, and when too
 * many wait the oldest of them are given up: nobody has seen them.
 */
export class TickLog {
  private readonly ctx: Ctx
  private readonly admission: Admission
  private readonly coverage: Pick<LogCoverage, 'admitted' | 'lost' | 'take'>
  private readonly flushMs: number
  private readonly mostBuffered: number
  private readonly onCommitted: (committed: Committed) => void
  /** The right under which it writes; null where the log is nobody else's. */
  readonly fence: Fence | null
  private head: LogHead = { lastSeq: 0, hash: GENESIS_HASH }
  private buffer: Buffered[] = []
  private heartbeats = new Map<number, Instant>()
  private afterwards: (() => void)[] = []
  /** The first tick of each symbol that was left out while the time was in doubt. */
  private readonly doubtedSince = new Map<number, Instant>()
  private writing: Promise<void> | null = null
  /** What is being written. */
  private underWay: readonly Buffered[] = []
  /** When the oldest price of each symbol was received that is in neither the log nor given up. */
  private readonly waitingSinceOf = new Map<number, Instant>()
  private lastFlush = Number.NEGATIVE_INFINITY
  /** Of each symbol the ticks of the newest source time that another writer logged. */
  private readonly foreign = new Map<number, Tick[]>()
  private timer: { due: number; cancel: () => void } | null = null
  private readonly nap: Nap
  private stopping = false

  constructor({
    ctx,
    admission,
    coverage,
    flushMs,
    mostBuffered = MOST_BUFFERED,
    onCommitted,
    fence = null,
  }: TickLogOptions) {
    this.ctx = ctx
    this.nap = createNap(ctx.clock)
    this.admission = admission
    this.coverage = coverage
    this.flushMs = flushMs
    this.mostBuffered = mostBuffered
    this.onCommitted = onCommitted
    this.fence = fence
  }

  /** Answers where the log ends. */
  async start(): Promise<LogHead> {
    this.begin(await readHead(this.ctx.db))
    return this.head
  }

  /** As `start`, from an end of the log that is known. */
  begin(head: LogHead): void {
    this.head = head
    this.schedule()
  }

  /** Writes what waits, trying once, and ends. What cannot be written was never accepted. */
  async stop(): Promise<void> {
    this.stopping = true
    this.timer?.cancel()
    this.timer = null
    this.nap.end()
    await this.writing
    while (this.buffer.length > 0) await this.flush()
  }

  /** Ends at once: the log is another's now. What waits is given up, nobody has seen it. Answers where we know it to end. */
  async abandon(): Promise<LogHead> {
    this.stopping = true
    this.buffer = []
    this.noteAllWaiting()
    this.timer?.cancel()
    this.timer = null
    this.nap.end()
    await this.writing
    return this.head
  }

  get waiting(): number {
    return this.buffer.length
  }

  /** When the oldest price of a symbol was received that is not known to be in the log; null when all of them are. */
  waitingSince(symbolId: number): Instant | null {
    return this.waitingSinceOf.get(symbolId) ?? null
  }

  /** Asked about with every order, so it is not searched for then. */
  private noteWaiting({ symbolId, receivedAt }: Buffered): void {
    if (!this.waitingSinceOf.has(symbolId)) this.waitingSinceOf.set(symbolId, receivedAt)
  }

  private noteAllWaiting(): void {
    this.waitingSinceOf.clear()
    for (const tick of this.underWay) this.noteWaiting(tick)
    for (const tick of this.buffer) this.noteWaiting(tick)
  }

  tick(tick: SourceTick): void {
    const now = this.ctx.now()
    if (this.stopping || this.isDoubted(tick) || !this.admission.admitTick(tick, now)) return
    this.covered(tick.symbolId, tick.time)
    const { symbolId, price, volume, time, source } = tick
    const buffered = { symbolId, price, volume, time, source, receivedAt: now }
    this.buffer.push(buffered)
    this.noteWaiting(buffered)
    if (this.buffer.length > this.mostBuffered) this.dropOldest()
    this.schedule()
  }

  heartbeat(symbolId: number, time: Instant): void {
    if (this.stopping || !this.ctx.clock.isTrusted()) return
    if (!this.admission.admitHeartbeat(symbolId, time, this.ctx.now())) return
    this.covered(symbolId, time)
    this.heartbeats.set(symbolId, time)
    this.schedule()
  }

  /** While the time is in doubt nothing comes in: a tick of a time to come could not be taken back. */
  private isDoubted({ symbolId, time }: SourceTick): boolean {
    if (this.ctx.clock.isTrusted()) return false
    if (!this.doubtedSince.has(symbolId)) this.doubtedSince.set(symbolId, time)
    return true
  }

  private covered(symbolId: number, time: Instant): void {
    const since = this.doubtedSince.get(symbolId)
    if (since !== undefined) {
      this.doubtedSince.delete(symbolId)
      if (since < time) this.coverage.lost({ symbolId, from: since, until: time })
    }
    this.coverage.admitted(symbolId, time)
  }

  /** Calls back once everybody has heard of all that was said before this. */
  whenHeard(run: () => void): void {
    this.afterwards.push(run)
    this.schedule()
  }

  private schedule(): void {
    if (this.writing !== null || this.stopping) return
    const isWaiting = this.buffer.length > 0 || this.heartbeats.size > 0 || this.afterwards.length > 0
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
    const taken = this.takeBatch()
    // A heartbeat says something about the ticks before it, so it waits until all of those are written.
    const takesAll = this.buffer.length === 0
    const heartbeats = takesAll ? this.heartbeats : new Map<number, Instant>()
    if (takesAll) this.heartbeats = new Map()
    const afterwards = takesAll ? this.afterwards.splice(0) : []
    const floor = takesAll ? this.admission.raiseFloor(this.ctx.now()) : null
    const holes = this.coverage.take()
    if (taken.length === 0 && holes.length === 0) {
      this.tell({ holes, ticks: [], heartbeats, floor })
      for (const run of afterwards) run()
      this.schedule()
      return Promise.resolve()
    }
    this.underWay = taken
    this.writing = this.writeAndTell(taken, { holes, heartbeats, floor }, afterwards)
    return this.writing
  }

  private async writeAndTell(
    taken: Buffered[],
    rest: Pick<Committed, 'holes' | 'heartbeats' | 'floor'>,
    afterwards: readonly (() => void)[],
  ): Promise<void> {
    const isMarked = rest.holes.length === 0 || (await this.writeHoles(rest.holes.filter(isOver)))
    const ticks = isMarked ? await this.write(taken) : null
    this.underWay = []
    this.noteAllWaiting()
    if (ticks !== null) {
      this.tell({ ...rest, ticks })
      for (const run of afterwards) run()
    }
    this.writing = null
    this.schedule()
  }

  private takeBatch(): Buffered[] {
    let first = Number.POSITIVE_INFINITY
    let last = Number.NEGATIVE_INFINITY
    let count = 0
    for (const { time } of this.buffer) {
      if (count === MOST_IN_BATCH || Math.max(last, time) - Math.min(first, time) > BATCH_SPAN_MS) break
      first = Math.min(first, time)
      last = Math.max(last, time)
      count += 1
    }
    return this.buffer.splice(0, count)
  }

  /** Before the ticks that come after them, so that no start finds the ticks alone. False when we stop before that. */
  private async writeHoles(holes: readonly TickHole[]): Promise<boolean> {
    for (let attempt = 0; holes.length > 0; attempt += 1) {
      try {
        await insertHoles(this.ctx.db, holes, this.fence)
        return true
      } catch (error) {
        this.ctx.log.warn({ err: error, attempt }, 'times without prices could not be written')
      }
      if (this.stopping) return false
      await this.pauseAfter(attempt)
    }
    return true
  }

  private pauseAfter(attempt: number): Promise<void> {
    return this.nap.take(Math.min(LONGEST_WAIT_MS, this.flushMs * 2 ** Math.min(attempt, 10)))
  }

  /** Answers the ticks with their places in the log once they are in it; null when we stop before that. */
  private async write(buffered: Buffered[]): Promise<Tick[] | null> {
    let waiting = buffered
    if (waiting.length === 0) return []
    for (let attempt = 0; ; attempt += 1) {
      const { batch, ticks } = this.makeBatch(waiting)
      try {
        if (!(await insertBatch(this.ctx.db, batch, this.fence))) {
          this.expelled(ticks.length)
          return null
        }
        this.head = { lastSeq: batch.lastSeq, hash: batch.hash }
        return ticks
      } catch (error) {
        this.ctx.log.warn({ err: error, attempt, ticks: ticks.length }, 'a batch of ticks could not be written')
      }
      const isThere = await this.catchUp(batch).catch(() => false)
      if (isThere) return ticks
      waiting = waiting.filter((tick) => !this.overtaken(tick))
      if (waiting.length === 0) return []
      if (this.stopping) return null
      await this.pauseAfter(attempt)
    }
  }

  /** Somebody else has the right to write now. Whoever gave us ours will tell us so too. */
  private expelled(ticks: number): void {
    this.stopping = true
    this.buffer = []
    this.ctx.log.warn({ ticks }, 'a batch of ticks was refused: another server writes the log')
  }

  private makeBatch(buffered: readonly Buffered[]): { batch: BatchRow & { payload: string }; ticks: Tick[] } {
    const firstSeq = this.head.lastSeq + 1
    const ticks = buffered.map((tick, index) => ({ seq: firstSeq + index, ...tick }))
    const payload = ticksToText(ticks)
    const times = ticks.map((tick) => tick.time)
    const batch = {
      firstSeq,
      lastSeq: this.head.lastSeq + ticks.length,
      firstTime: instant(Math.min(...times)),
      lastTime: instant(Math.max(...times)),
      writtenAt: this.ctx.now(),
      payload,
      previousHash: this.head.hash,
      hash: batchHash(this.head.hash, payload),
    }
    return { batch, ticks }
  }

  /**
   * After a failure only the log knows what happened: our batch may have been committed although the answer got lost, or
   * another writer went on from the same head. What others wrote is taken over; true when our batch is there.
   */
  private async catchUp(ours: BatchRow): Promise<boolean> {
    const rows = await batchesAfter(this.ctx.db, this.head.lastSeq, 1_000)
    for (const row of rows) {
      this.head = { lastSeq: row.lastSeq, hash: row.hash }
      if (sameHash(row.hash, ours.hash)) return true
      this.ctx.log.warn({ firstSeq: row.firstSeq }, 'another writer added to the tick log')
      // What was written just now still has its payload: retention waits for days.
      const ticks = textToTicks(row.payload ?? '')
      for (const tick of ticks) {
        this.admission.remember(tick.symbolId, tick.time)
        const newest = this.foreign.get(tick.symbolId)
        if (newest?.[0]?.time === tick.time) newest.push(tick)
        else this.foreign.set(tick.symbolId, [tick])
      }
      this.tell({ holes: [], ticks, heartbeats: new Map(), floor: null })
    }
    return false
  }

  /** Whether another writer has logged a later price of the symbol, or this very one. */
  private overtaken(tick: Buffered): boolean {
    const newest = this.foreign.get(tick.symbolId)
    const time = newest?.[0]?.time
    if (newest === undefined || time === undefined || tick.time > time) return false
    if (tick.time < time) return true
    const same = newest.findIndex((other) => isSamePrice(other, tick))
    if (same >= 0) newest.splice(same, 1)
    return same >= 0
  }

  private tell(committed: Omit<Committed, 'head'>): void {
    try {
      this.onCommitted({ ...committed, head: this.head })
    } catch (error) {
      this.ctx.log.error({ err: error }, 'accepted ticks could not be passed on')
    }
  }

  private dropOldest(): void {
    const lost = new Map<number, TickHole>()
    for (const { symbolId, time } of this.buffer.splice(0, DROPPED_AT_ONCE))
      lost.set(symbolId, { symbolId, from: lost.get(symbolId)?.from ?? time, until: later(time, 1) })
    this.noteAllWaiting()
    for (const hole of lost.values()) this.coverage.lost(hole)
    this.ctx.log.error(
      { dropped: DROPPED_AT_ONCE, buffered: this.buffer.length },
      'ticks given up: the log cannot be written',
    )
  }
}
