import {
  type TickRejectionReason,
  MAX_TICK_DELAY_MS,
  MAX_CLOCK_SKEW_MS,
  type SourceTick,
  type Tick,
} from '#core/markets/tick.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Log } from '#server/platform/runtime/ports.ts'

const LOG_EVERY_MS = 60_000
const SOURCE = /^[\x21-\x7e]{1,80}$/

/**
 * Decides which source ticks may enter the log. Source time never runs back within a symbol, neither before a tick nor before a heartbeat.
 * A late tick would change a result that is already decided. Equal times are allowed and keep their order.
 */
export class TickOrderGuard {
  readonly counts: Record<TickRejectionReason, number> = {
    unknown_symbol: 0,
    malformed: 0,
    runs_back: 0,
    ahead: 0,
    late: 0,
    repeated: 0,
  }
  private readonly newest = new Map<number, number>()
  /** For each symbol, the logged ticks of its newest time. A reconnected source may send them again. */
  private readonly repeatable = new Map<number, Tick[]>()
  private readonly known: Set<number>
  private readonly log: Log
  private floor = Number.NEGATIVE_INFINITY
  private loggedAt = Number.NEGATIVE_INFINITY

  constructor(symbolIds: Iterable<number>, log: Log) {
    this.known = new Set(symbolIds)
    this.log = log
  }

  /** Adds a symbol. */
  know(symbolId: number): void {
    this.known.add(symbolId)
  }

  /** Returns whether the tick may enter. Later ticks are compared with an admitted tick. */
  admitTick(tick: SourceTick, now: Instant): boolean {
    const rejection = isWellFormed(tick) ? this.reasonAgainst(tick.symbolId, tick.time, now) : 'malformed'
    if (rejection !== null) return this.keepOut(rejection, tick, now)
    if (this.repeatable.size > 0 && this.isRepeated(tick)) {
      this.counts.repeated += 1
      return false
    }
    this.newest.set(tick.symbolId, tick.time)
    return true
  }

  /** Call when a source is reconnected. It may send again these logged ticks, all of the newest time. */
  expectRepeats(symbolId: number, ticks: readonly Tick[]): void {
    this.repeatable.set(symbolId, [...ticks])
  }

  /** Decides whether a heartbeat may enter the log. A heartbeat that reports nothing new is not counted as rejected. */
  admitHeartbeat(symbolId: number, time: Instant, now: Instant): boolean {
    if (!Number.isSafeInteger(time) || !this.known.has(symbolId) || time > now + MAX_CLOCK_SKEW_MS) return false
    if (time <= (this.newest.get(symbolId) ?? Number.NEGATIVE_INFINITY)) return false
    this.newest.set(symbolId, time)
    return true
  }

  /**
   * Raises the floor to `MAX_TICK_DELAY_MS` before `now`. Ticks before the floor count as late, even when the clock is
   * set back, because their candles are closed.
   */
  raiseFloor(now: Instant): Instant {
    this.floor = Math.max(this.floor, now - MAX_TICK_DELAY_MS)
    return instant(this.floor)
  }

  /** Notes a time that the log already holds: at the start, or from another writer. */
  remember(symbolId: number, time: Instant): void {
    this.newest.set(symbolId, Math.max(time, this.newest.get(symbolId) ?? time))
  }

  private reasonAgainst(symbolId: number, time: Instant, now: Instant): TickRejectionReason | null {
    if (!this.known.has(symbolId)) return 'unknown_symbol'
    if (time > now + MAX_CLOCK_SKEW_MS) return 'ahead'
    if (time < now - MAX_TICK_DELAY_MS || time < this.floor) return 'late'
    if (time < (this.newest.get(symbolId) ?? Number.NEGATIVE_INFINITY)) return 'runs_back'
    return null
  }

  /** Each logged tick is matched once: a source may report two equal trades in a millisecond. */
  private isRepeated(tick: SourceTick): boolean {
    const logged = this.repeatable.get(tick.symbolId)
    if (logged === undefined) return false
    if (tick.time > (logged[0]?.time ?? 0)) {
      this.repeatable.delete(tick.symbolId)
      return false
    }
    const same = logged.findIndex((other) => isSamePrice(other, tick))
    if (same >= 0) logged.splice(same, 1)
    return same >= 0
  }

  private keepOut(reason: TickRejectionReason, tick: SourceTick, now: Instant): false {
    this.counts[reason] += 1
    if (now - this.loggedAt >= LOG_EVERY_MS) {
      this.loggedAt = now
      this.log.warn(
        { counts: { ...this.counts }, last: reason, symbolId: tick.symbolId, time: tick.time },
        'ticks rejected',
      )
    }
    return false
  }
}

/** Whether two reports describe the same price. */
export function isSamePrice(a: SourceTick, b: SourceTick): boolean {
  return a.time === b.time && a.price === b.price && a.volume === b.volume && a.source === b.source
}

function isWellFormed({ price, volume, time, source }: SourceTick): boolean {
  return (
    Number.isSafeInteger(price) &&
    price > 0 &&
    Number.isSafeInteger(volume) &&
    volume >= 0 &&
    Number.isSafeInteger(time) &&
    time >= 0 &&
    SOURCE.test(source)
  )
}
