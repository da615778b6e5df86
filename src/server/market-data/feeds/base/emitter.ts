import type { SourceTick } from '#core/markets/tick.ts'
import { instant, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { FeedSink } from '#server/market-data/feeds/base/feed.ts'

/** The ticks of one symbol, available for any time range. */
export interface TickSource {
  readonly symbolId: number
  /**
   * How far back, in ms, the first round reaches after a start or after a pause, such as a sleeping machine. The time
   * must be long enough for an immediate price, and short enough to avoid a flood of ticks.
   */
  readonly catchUpMs: number
  /** Ticks with `after` < time <= `until`, in the source's order. */
  ticksBetween(after: Instant, until: Instant): readonly SourceTick[]
}

const ROUND_MS = 100

export interface Emitter {
  start(sink: FeedSink): void
  /** Adds a source, which emits from the next round on. */
  add(source: TickSource): void
  stop(): void
}

/**
 * Emits ticks as they fall due, ordered by time over all symbols, and a heartbeat for every symbol once a second. All
 * ticks up to the heartbeat's time have been emitted, so no earlier tick can follow. Symbols of a closed market get
 * heartbeats too. Otherwise the feed could never pass an expiry at the close.
 */
export function createEmitter(clock: Clock, first: readonly TickSource[]): Emitter {
  const sources = [...first]
  let cancel: (() => void) | null = null
  let doneUntil = instant(0)
  let beatAt = -Infinity
  const begun = new Set<number>()

  function round(sink: FeedSink): void {
    const now = clock.now()
    if (now > doneUntil) {
      for (const source of sources) tellBeginning(sink, source, now)
      for (const tick of dueTicks(sources, doneUntil, now)) sink.tick(tick)
      doneUntil = now
    }
    if (doneUntil >= beatAt + SECOND_MS) {
      for (const { symbolId } of sources) sink.heartbeat(symbolId, doneUntil)
      beatAt = doneUntil
    }
  }

  /** Reports where the gapless prices of a source begin: at the first round, and after a pause. */
  function tellBeginning(sink: FeedSink, { symbolId, catchUpMs }: TickSource, now: Instant): void {
    if (begun.has(symbolId) && now - catchUpMs <= doneUntil) return
    begun.add(symbolId)
    sink.begins?.(symbolId, instant(Math.max(doneUntil, now - catchUpMs) + 1))
  }

  return {
    start(sink) {
      if (cancel !== null) return
      begun.clear()
      const again = () => {
        cancel = clock.after(ROUND_MS, again)
        round(sink)
      }
      again()
    },
    add(source) {
      sources.push(source)
    },
    stop() {
      cancel?.()
      cancel = null
    },
  }
}

/** Sorting is stable, so ticks of one source within one millisecond keep their order. */
function dueTicks(sources: readonly TickSource[], after: Instant, until: Instant): SourceTick[] {
  return sources
    .flatMap((source) => source.ticksBetween(instant(Math.max(after, until - source.catchUpMs)), until))
    .toSorted((a, b) => a.time - b.time)
}
