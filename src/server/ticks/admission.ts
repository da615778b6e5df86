import { type KeptOutReason, MOST_AHEAD_MS, type SourceTick } from '#core/markets/tick.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Log } from '#server/context.ts'

/** How late a tick may come. Older ones are no prices any more: what they could have moved is closed or void. */
export const MOST_LATE_MS = 60_000
const LOG_EVERY_MS = 60_000
const SOURCE = /^[\x21-\x7e]{1,40}$/

/**
 * Decides which source ticks may enter the log. Per symbol source time never runs back, neither behind a tick nor behind
 * a heartbeat, because a late tick must never change what was decided by then; equal times are fine and keep their order.
 */
export class Admission {
  readonly counts: Record<KeptOutReason, number> = { unknown_symbol: 0, malformed: 0, runs_back: 0, ahead: 0, late: 0 }
  private readonly newest = new Map<number, number>()
  private readonly known: Set<number>
  private readonly log: Log
  private floor = Number.NEGATIVE_INFINITY
  private loggedAt = Number.NEGATIVE_INFINITY

  constructor(symbolIds: Iterable<number>, log: Log) {
    this.known = new Set(symbolIds)
    this.log = log
  }

  /** One more symbol. */
  know(symbolId: number): void {
    this.known.add(symbolId)
  }

  /** True when the tick may enter; then later ones are measured against it. */
  admitTick(tick: SourceTick, now: Instant): boolean {
    const kept = isWellFormed(tick) ? this.reasonAgainst(tick.symbolId, tick.time, now) : 'malformed'
    if (kept !== null) return this.keepOut(kept, tick, now)
    this.newest.set(tick.symbolId, tick.time)
    return true
  }

  /** The same for a heartbeat. One that says nothing new is not counted as kept out. */
  admitHeartbeat(symbolId: number, time: Instant, now: Instant): boolean {
    if (!Number.isSafeInteger(time) || !this.known.has(symbolId) || time > now + MOST_AHEAD_MS) return false
    if (time <= (this.newest.get(symbolId) ?? Number.NEGATIVE_INFINITY)) return false
    this.newest.set(symbolId, time)
    return true
  }

  /** Ticks before this are late from now on, even when the clock is set back: candles before it are closed. */
  raiseFloor(now: Instant): Instant {
    this.floor = Math.max(this.floor, now - MOST_LATE_MS)
    return instant(this.floor)
  }

  /** Takes over what the log already holds: at the start, or when another writer was there. */
  remember(symbolId: number, time: Instant): void {
    this.newest.set(symbolId, Math.max(time, this.newest.get(symbolId) ?? time))
  }

  private reasonAgainst(symbolId: number, time: Instant, now: Instant): KeptOutReason | null {
    if (!this.known.has(symbolId)) return 'unknown_symbol'
    if (time > now + MOST_AHEAD_MS) return 'ahead'
    if (time < now - MOST_LATE_MS || time < this.floor) return 'late'
    if (time < (this.newest.get(symbolId) ?? Number.NEGATIVE_INFINITY)) return 'runs_back'
    return null
  }

  private keepOut(kept: KeptOutReason, tick: SourceTick, now: Instant): false {
    this.counts[kept] += 1
    if (now - this.loggedAt >= LOG_EVERY_MS) {
      this.loggedAt = now
      this.log.warn(
        { counts: { ...this.counts }, last: kept, symbolId: tick.symbolId, time: tick.time },
        'ticks kept out',
      )
    }
    return false
  }
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
