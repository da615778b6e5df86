import { barOpenTime } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { Split } from '#core/markets/splits/splits.ts'
import { MAX_TICK_DELAY_MS, type Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { assert } from '#core/result.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { SuspectReason, Feed, FeedSink, HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import { TickOrderGuard } from '#server/market-data/tick-log/tick-order-guard.ts'
import { CandleStore } from '#server/market-data/candles/candle-store.ts'
import { GapTracker } from '#server/market-data/tick-log/gap-tracker.ts'
import { CandleWriter } from '#server/market-data/candles/candle-writer.ts'
import { DayEdges } from '#server/market-data/ticks/day-edges.ts'
import { DayWindow, type Newest } from '#server/market-data/ticks/day-stats.ts'
import { settledThrough } from '#server/market-data/tick-log/settled-through.queries.ts'
import { FeedLatency } from '#server/market-data/ticks/feed-latency.ts'
import { isOver, LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { restoreState, type RestoredState } from '#server/market-data/ticks/restore-state.ts'
import { type LogHead, loggedTicks, readHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { insertHoles, type TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'
import type { SharedTicks } from '#server/market-data/replication/shared-ticks.ts'
import { type Followed, TickFollower } from '#server/market-data/replication/tick-follower.ts'
import { type Committed, TickLog } from '#server/market-data/tick-log/tick-log.ts'
import { createTickRelay, type SourceReport } from '#server/market-data/replication/tick-relay.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'
import { TickRing } from '#server/market-data/ticks/tick-ring.ts'
import type { ClosedCandle, TickBatch, TickService } from '#server/market-data/ticks.ts'

export interface TicksOptions {
  /** Set where several servers share one log. Without it this server is the only writer. */
  readonly shared?: SharedTicks
  readonly ctx: Ctx
  readonly feed: Feed
  readonly symbols: readonly MarketSymbol[]
  /** The effective splits of a symbol, for the figures of the day. */
  readonly splitsOf?: (symbolId: number) => readonly Split[]
  /** Minimum time between two writes of ticks. */
  readonly flushMs?: number
  readonly maxBuffered?: number
}

const FLUSH_MS = 100
const SYMBOLS_AT_ONCE = 4
/** Bars of a longer absence are requested only when a user pages back to them. */
const MAX_MISSED_MS = 2 * DAY_MS
const NOTHING_NEW = { holes: [], ticks: [], heartbeats: new Map<number, Instant>(), floor: null }
/** A writer silent for 30 s is gone, and its unwritten prices with it. */
const MAX_WRITER_SILENCE_MS = 30 * SECOND_MS
/** How far a lookup around an instant searches for a tick on either side, near first. Ticks further away decide nothing. */
const LOOK_MS = [30 * SECOND_MS, 10 * MINUTE_MS] as const

/**
 * The stream of prices: the log first, then all state derived from it in memory. The state changes only after a commit and in one step, so
 * that no reader sees half a batch.
 */
export function createTicks(options: TicksOptions): TickService {
  const { ctx, feed, shared, flushMs = FLUSH_MS, maxBuffered, splitsOf = () => [] } = options
  const symbols = [...options.symbols]
  // Symbols added to this installation, which the source does not know from its own list.
  const own = new Set(feed.symbols.map(({ id }) => id))
  for (const symbol of symbols) if (!own.has(symbol.id) && feed.more?.knows(symbol)) feed.more.learn(symbol)()

  const orderGuard = new TickOrderGuard(
    symbols.map(({ id }) => id),
    ctx.log,
  )
  const rings = new Map(symbols.map(({ id }) => [id, new TickRing()]))
  const days = new Map(symbols.map(({ id }) => [id, new DayWindow(() => splitsOf(id))]))
  const edges = new DayEdges(ctx, days)
  const latencies = new Map(symbols.map(({ id }) => [id, new FeedLatency()]))
  const watermarks = new Map<number, Instant>()
  /** The state of the log when this process began. */
  const found = new Map<number, Pick<RestoredState, 'through' | 'closedThrough'>>()
  const doubts = new Map<number, { readonly why: SuspectReason }>()
  let head: LogHead = { lastSeq: 0, hash: GENESIS_HASH }
  let lastMessageAt: Instant | null = null
  let newestTime = Number.NEGATIVE_INFINITY
  const batchListeners = new Set<(batch: TickBatch) => void>()
  const closeListeners = new Set<(closed: ClosedCandle) => void>()
  const dayListeners = new Set<(symbolId: number) => void>()
  const pastListeners = new Set<(stretch: HistoryRange) => void>()
  /** Whether this server writes the log; if not, it follows. */
  let isLeader = shared === undefined
  const writer = new CandleWriter(ctx, () => isLeader)
  const gaps = new GapTracker(
    ctx,
    (gap) => {
      for (const interval of CHART_INTERVALS) invalidateHistory({ ...gap, interval })
    },
    () => isLeader,
  )
  /** The current minute. When it ends, its missed prices may have become known. */
  let minute = barOpenTime(ctx.now(), '1m')
  const coverage = new LogCoverage((hole) => {
    candles.reconsider(hole.symbolId)
    if (isLeader && isOver(hole))
      feed.missed?.({ ...hole, from: instant(Math.max(hole.from, hole.until - MAX_MISSED_MS)) })
  })
  const candles = new CandleStore({
    ctx,
    feed,
    writer,
    coverage,
    onClosed(closed, isWhole) {
      const { symbolId, interval, candle } = closed
      if (interval === '5m') {
        if (isWhole) days.get(symbolId)?.add(candle)
        else void fillDay(symbolId)
      }
      // A bar that ended before this process began was never followed, so only complete ones are reported.
      if (isWhole || candle.openTime + intervalMs(interval) > beganAt) tell(closeListeners, closed)
    },
  })
  const sink: FeedSink = {
    tick: (tick) => log.tick(tick),
    heartbeat: (symbolId, time) => log.heartbeat(symbolId, time),
    doubt: setSuspect,
    misses: (symbolId, from) => coverage.misses(symbolId, from, ctx.now()),
    // A tick older than this would be too late to be accepted.
    begins: (symbolId, since) =>
      coverage.begins(symbolId, instant(Math.max(since, ctx.now() - MAX_TICK_DELAY_MS + SECOND_MS))),
  }
  let log = openLog(null)
  const relay = shared && createTickRelay({ ctx, shared, sources: ownSources })
  let follower: TickFollower | null = null
  let stopped = false
  let rebuilding: Promise<void> = Promise.resolve()
  let beganAt = ctx.now()

  function openLog(fence: Fence | null): TickLog {
    return new TickLog({
      ctx,
      orderGuard,
      coverage,
      flushMs,
      fence,
      ...(maxBuffered !== undefined && { maxBuffered }),
      onCommitted(committed) {
        if (fence !== null) relay?.tell(fence, head, committed, doubts)
        onCommitted(committed)
        if (fence !== null) relay?.keep(fence, head, watermarks, doubts)
      },
    })
  }

  function onCommitted({ ticks, heartbeats, floor, head: end }: Committed): void {
    const moved = new Set<number>()
    head = end
    lastMessageAt = ctx.now()
    for (const tick of ticks) accept(tick, moved)
    for (const [symbolId, time] of heartbeats) raise(symbolId, time, moved)
    for (const { id } of symbols) {
      // Without a message from the source since the start, it is unknown which prices the last bar lacks.
      const through = Math.max(watermarks.get(id) ?? 0, coverage.isWaiting(id) ? 0 : (floor ?? 0))
      candles.closeThrough(id, instant(through))
    }
    if (barOpenTime(lastMessageAt, '1m') !== minute) endMinute(lastMessageAt)
    if (moved.size > 0) tell(batchListeners, { ticks, moved })
  }

  /** Applies ticks that another server wrote. */
  function onFollowed({ doubts: receivedDoubts, ...committed }: Followed): void {
    // Some of these ticks may have been read at the start.
    const ticks = committed.ticks.filter(({ symbolId, seq }) => seq > (rings.get(symbolId)?.last?.seq ?? 0))
    for (const { symbolId, time } of ticks) orderGuard.remember(symbolId, time)
    for (const [symbolId, time] of committed.heartbeats) orderGuard.remember(symbolId, time)
    if (receivedDoubts !== null) {
      doubts.clear()
      for (const [symbolId, why] of receivedDoubts) doubts.set(symbolId, { why })
    }
    for (const hole of committed.holes) coverage.note(hole)
    onCommitted({ ...committed, ticks })
  }

  async function lead(fence: Fence): Promise<void> {
    assert(follower, 'a log that is shared is followed first')
    await follower.stop()
    const end = await follower.catchUp()
    follower.moveTo(end, fence.token)
    // Suspect flags from another server's sources do not apply to this server's sources.
    doubts.clear()
    log = openLog(fence)
    log.begin(end)
    isLeader = true
    writer.flushHeld()
    await rememberSettled()
    await listenTo(symbols, fence)
    relay?.tell(fence, head, { ...NOTHING_NEW, head, holes: coverage.take() }, doubts)
    await feed.start(sink)
  }

  async function follow(): Promise<void> {
    if (isLeader) {
      isLeader = false
      coverage.rest()
      await feed.stop()
      follower?.moveTo(await log.abandon(), 0n)
      if (!stopped) await feed.renew?.()
    }
    if (!stopped) follower?.start()
  }

  function accept(tick: Tick, moved: Set<number>): void {
    newestTime = Math.max(newestTime, tick.time)
    rings.get(tick.symbolId)?.push(tick)
    latencies.get(tick.symbolId)?.note(tick)
    candles.fold(tick)
    moved.add(tick.symbolId)
    raise(tick.symbolId, tick.time, moved)
  }

  function raise(symbolId: number, time: Instant, moved: Set<number>): void {
    const before = watermarks.get(symbolId)
    if (before !== undefined && time <= before) return
    watermarks.set(symbolId, time)
    moved.add(symbolId)
    gaps.advance(symbolId, time)
    if (!isLeader) coverage.advance(symbolId, time)
  }

  /**
   * A suspect flag takes effect immediately. The log must have the prices that resolve the flag before it is cleared, so that no order is
   * taken on an earlier price.
   */
  function setSuspect(symbolId: number, why: SuspectReason | null): void {
    if (why !== null) {
      doubts.set(symbolId, { why })
      if (log.fence !== null) relay?.tell(log.fence, head, { ...NOTHING_NEW, head }, doubts)
      return
    }
    const resolvedDoubt = doubts.get(symbolId)
    log.afterCommit(() => {
      if (doubts.get(symbolId) === resolvedDoubt) doubts.delete(symbolId)
    })
  }

  function tell<T>(listeners: ReadonlySet<(value: T) => void>, value: T): void {
    for (const listener of listeners) {
      try {
        listener(value)
      } catch (error) {
        ctx.log.error({ err: error }, 'a price listener failed')
      }
    }
  }

  function invalidateHistory(stretch: HistoryRange): void {
    candles.forgetPast(stretch.symbolId, stretch.interval)
    tell(pastListeners, stretch)
  }

  const stopHearing = ctx.subscribe((announcement) => {
    if (announcement.kind !== 'candles-rebuilt') return
    rebuilding = rebuilding
      .then(() => readRebuilt(announcement))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'rebuilt candles could not be read'))
  })

  feed.onHistoryChanged?.((stretch) => {
    invalidateHistory(stretch)
    const { symbolId, interval, until } = stretch
    const since = days.get(symbolId)?.knownSince() ?? null
    // A time before a complete window changes nothing.
    if (since !== null && until <= since && since <= ctx.now() - DAY_MS) return
    if ((interval === '5m' || interval === '1m') && until >= ctx.now() - 2 * DAY_MS) void fillDay(symbolId)
  })

  /** The missed part of a bar may be known once it has ended. */
  function endMinute(now: Instant): void {
    minute = barOpenTime(now, '1m')
    for (const { id } of symbols) if (candles.hasEndedInHole(id, minute)) void fillDay(id)
  }

  /** Completes the open bars and the day's figures of a symbol from newly known history. */
  async function fillDay(symbolId: number): Promise<void> {
    const window = days.get(symbolId)
    if (window === undefined) return
    try {
      const bars = await candles.complete(symbolId, (from) => ticksSince(symbolId, from))
      window.load(bars)
      // Ticks may be slightly ahead of the clock, and may have closed a bar that is still open by the clock.
      const last = bars.at(-1)?.openTime ?? 0
      for (const closed of candles.of(symbolId)['5m'].closed) if (closed.openTime > last) window.add(closed)
      tell(dayListeners, symbolId)
    } catch (error) {
      ctx.log.warn({ err: error, symbolId }, 'the figures of the day could not be computed')
    }
  }

  function ownSources(): SourceReport {
    return {
      sources: feed.sources?.() ?? [],
      unplaced: feed.unplaced?.() ?? [],
      keptOut: { ...orderGuard.counts },
    }
  }

  function ticksSince(symbolId: number, from: Instant): readonly Tick[] {
    return rings.get(symbolId)?.between(from, instant(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) ?? []
  }

  function currentBar(symbolId: number) {
    const bar = candles.of(symbolId)['5m'].running
    return bar !== null && bar.openTime <= ctx.now() ? bar : null
  }

  function newestOf(symbolId: number): Newest {
    const tick = rings.get(symbolId)?.last ?? null
    const missedUntil = coverage.of(symbolId).at(-1)?.until ?? instant(0)
    return { tick, openBar: currentBar(symbolId), canBeSuperseded: tick !== null && tick.time < missedUntil }
  }

  async function aroundInstant(symbolId: number, at: Instant) {
    const ring = rings.get(symbolId)
    if (ring === undefined || ring.last === null) return { last: null, next: null }
    const near = ring.around(at)
    if (near.last !== null) return near
    let last: Tick | null = null
    let next: Tick | null = null
    for (const look of LOOK_MS) {
      const found = await loggedTicks(ctx.db, later(at, -look), later(at, look), symbolId)
      last = found.findLast((tick) => tick.time <= at) ?? null
      next = found.find((tick) => tick.time > at) ?? null
      if (last !== null && next !== null) break
    }
    return { last, next }
  }

  function applyRestored(resumed: ReadonlyMap<number, RestoredState>): void {
    for (const [symbolId, { ticks, closedThrough }] of resumed) {
      if (closedThrough !== null) orderGuard.remember(symbolId, closedThrough)
      if (ticks.length === 0) rings.get(symbolId)?.beginLog()
      for (const tick of ticks) {
        newestTime = Math.max(newestTime, tick.time)
        rings.get(symbolId)?.push(tick)
        latencies.get(symbolId)?.note(tick)
        orderGuard.remember(symbolId, tick.time)
        watermarks.set(symbolId, tick.time)
      }
    }
  }

  /**
   * Keeps settled results final. An expiry may have been decided by a heartbeat, which the log does not hold. Without this a lagging source
   * could add a tick before that expiry after a restart.
   */
  async function rememberSettled(): Promise<void> {
    const ids = symbols.map(({ id }) => id)
    for (const [symbolId, expiresAt] of await settledThrough(ctx.db, ids, later(ctx.now(), -MAX_TICK_DELAY_MS)))
      orderGuard.remember(symbolId, later(expiresAt, 1))
  }

  /** Makes this server the writer of these symbols' prices. Sources may send known ticks again. */
  async function listenTo(some: readonly MarketSymbol[], fence: Fence | null): Promise<void> {
    // Bars that can get no more ticks are stored first, because a start reads back only the newest ticks.
    const old = some
      .map(({ id }) => listenToSymbol(id))
      .filter(({ symbolId, until }) => candles.hasEnded(symbolId, until))
    if (old.length === 0) return
    const holes = old.filter(isOver)
    if (holes.length > 0) await insertHoles(ctx.db, holes, fence)
    for (const { symbolId, until } of old) candles.closeThrough(symbolId, until)
    if (await writer.flush()) for (const { symbolId } of old) candles.forgetClosed(symbolId)
  }

  /** Returns the time in which prices are certainly missing: later reports about it are too late. */
  function listenToSymbol(symbolId: number): TickHole {
    const { through = null, closedThrough = null } = found.get(symbolId) ?? {}
    const watermark = watermarks.get(symbolId) ?? null
    const known =
      watermark !== null && through !== null ? instant(Math.max(watermark, through)) : (watermark ?? through)
    const minUntil = instant(Math.max(closedThrough ?? 0, ctx.now() - MAX_TICK_DELAY_MS))
    const last = rings.get(symbolId)?.last ?? null
    if (last !== null) orderGuard.expectRepeats(symbolId, ticksSince(symbolId, last.time))
    return coverage.listen(symbolId, { through: known, minUntil, now: ctx.now() })
  }

  function readBack(some: readonly MarketSymbol[]): Promise<Map<number, RestoredState>> {
    return restoreState({
      ctx,
      symbols: some,
      series: (symbolId) => candles.of(symbolId),
      store: (closed) => writer.add(closed),
      newest: (symbolId) => ticksSince(symbolId, instant(0)),
    })
  }

  /** Stored candles were folded again from the log, so the copies in memory are reloaded. */
  async function readRebuilt({
    symbolIds,
    from,
    until,
  }: Extract<DomainEvent, { kind: 'candles-rebuilt' }>): Promise<void> {
    const some = symbols.filter(({ id }) => symbolIds.includes(id))
    await writer.flush()
    for (const [, { holes }] of await readBack(some)) for (const hole of holes) coverage.note(hole)
    for (const { id } of some) {
      for (const interval of CHART_INTERVALS) invalidateHistory({ symbolId: id, interval, from, until })
      await fillDay(id)
    }
  }

  async function restoreSymbols(some: readonly MarketSymbol[]): Promise<void> {
    const resumed = await readBack(some)
    for (const [symbolId, { through, closedThrough }] of resumed) found.set(symbolId, { through, closedThrough })
    applyRestored(resumed)
    for (const symbol of some) {
      const { holes = [], through = null } = resumed.get(symbol.id) ?? {}
      coverage.know(symbol, holes, through ?? instant(0))
      if (!isLeader) coverage.follow(symbol.id, through, ctx.now())
    }
    if (isLeader) await listenTo(some, log.fence)
    for (const batch of chunk(some, SYMBOLS_AT_ONCE)) await Promise.all(batch.map(({ id }) => fillDay(id)))
  }

  function expectPrices(symbol: MarketSymbol): void {
    const watermark = watermarks.get(symbol.id)
    if (watermark !== undefined) gaps.track(symbol, watermark)
    // For a symbol without any price, the time before today's first one counts as missed, unless the feed has its history.
    else if (feed.onHistoryChanged !== undefined) gaps.track(symbol, barOpenTime(ctx.now(), '1d'))
    else gaps.track(symbol, ctx.now())
  }

  return {
    source: feed.name,
    sources: () => relay?.remoteSources(isLeader) ?? ownSources(),
    knows: (symbol) => feed.more?.knows(symbol) ?? false,
    async add(symbol) {
      if (rings.has(symbol.id)) return
      rings.set(symbol.id, new TickRing())
      latencies.set(symbol.id, new FeedLatency())
      days.set(symbol.id, new DayWindow(() => splitsOf(symbol.id)))
      const speak = feed.more?.learn(symbol)
      await restoreSymbols([symbol])
      symbols.push(symbol)
      expectPrices(symbol)
      orderGuard.know(symbol.id)
      speak?.()
    },
    async start() {
      beganAt = ctx.now()
      // Read before the ticks, because another server may be writing.
      const before = shared && (await readHead(ctx.db))
      await restoreSymbols(symbols)
      // Orders do not wait for the day's figures.
      void edges.start()
      for (const symbol of symbols) expectPrices(symbol)
      if (shared === undefined || before === undefined) {
        head = await log.start()
        await rememberSettled()
        return await feed.start(sink)
      }
      head = before
      follower = new TickFollower({ ctx, shared, onFollowed }, before)
      await follower.catchUp()
      follower.start()
      if (shared.mayLead) shared.seek({ lead, follow })
    },
    async stop() {
      stopped = true
      stopHearing()
      await rebuilding
      if (isLeader) await feed.stop()
      await follower?.stop()
      await edges.stop()
      await log.stop()
      await relay?.idle()
      await writer.stop()
      await gaps.stop()
    },
    lastMessageAt: () => lastMessageAt,
    aheadOfClockMs: () => newestTime - ctx.now(),
    isLeader: () => isLeader,
    waiting: () => log.waiting,
    waitUntilCaughtUp: async () => {
      if (!isLeader) await follower?.catchUp()
    },
    waitingSince(symbolId) {
      if (isLeader) return log.waitingSince(symbolId)
      const through = follower?.through ?? null
      return through !== null && ctx.now() - through <= MAX_WRITER_SILENCE_MS ? through : null
    },
    writerToken: () => (shared === undefined ? null : isLeader ? (log.fence?.token ?? 0n) : (follower?.token ?? 0n)),
    latest: (symbolId) => rings.get(symbolId)?.last ?? null,
    watermark: (symbolId) => watermarks.get(symbolId) ?? null,
    head: () => head,
    doubt: (symbolId) => doubts.get(symbolId)?.why ?? null,
    feedDelayMs: (symbolId) => latencies.get(symbolId)?.ms ?? 0,
    aroundInstant,
    async between(symbolId, from, to, limit) {
      const ring = rings.get(symbolId)
      if (ring === undefined || limit <= 0) return []
      if (ring.reaches(from)) return ring.between(from, to, limit)
      return (await loggedTicks(ctx.db, from, to, symbolId)).slice(-limit)
    },
    recent: (symbolId) => rings.get(symbolId)?.all() ?? { ticks: [], isWhole: false },
    quote: (symbolId) => days.get(symbolId)?.quote(ctx.now(), newestOf(symbolId)) ?? null,
    day: (symbolId) => days.get(symbolId)?.stats(ctx.now(), newestOf(symbolId)) ?? null,
    candles: async (query) => (await candles.shown(query)).map(({ candle }) => candle),
    shownCandles: (query, onPartial) => candles.shown(query, onPartial),
    onHistoryChanged: (listener) => subscribe(pastListeners, listener),
    openCandle: (symbolId, interval) => candles.of(symbolId)[interval].running,
    onBatch: (listener) => subscribe(batchListeners, listener),
    onCandleClosed: (listener) => subscribe(closeListeners, listener),
    onDayKnown: (listener) => subscribe(dayListeners, listener),
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
