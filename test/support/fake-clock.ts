import { instant, type Instant } from '#core/time/instant.ts'
import type { MachineClock } from '#server/platform/runtime/ports.ts'

interface Timer {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

/** A clock that stands still until a test moves it. Timers fire in the order of their time, then of their creation. */
export class FakeClock implements MachineClock {
  /** Whether the clock reports itself as reliable. */
  trusted = true
  /** How far each reading moves the wall clock, in milliseconds. */
  perReadingMs = 0
  private current: number
  /** How far the wall clock is ahead of the elapsed time. */
  private steppedMs = 0
  private timers = new Set<Timer>()
  private timerCount = 0

  constructor(startAt: Instant | number) {
    this.current = startAt
  }

  now(): Instant {
    this.steppedMs += this.perReadingMs
    return instant(this.current + this.steppedMs)
  }

  steady(): number {
    return this.current
  }

  sleptMs(): number {
    return 0
  }

  isTrusted(): boolean {
    return this.trusted
  }

  /** Moves the wall clock forwards or back without elapsed time. */
  step(ms: number): void {
    this.steppedMs += ms
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { due: this.current + Math.max(0, ms), order: this.timerCount, run }
    this.timerCount += 1
    this.timers.add(timer)
    return () => {
      this.timers.delete(timer)
    }
  }

  /** Lets `ms` elapse and fires each timer that falls due, including timers set by timers. */
  advance(ms: number): void {
    const until = this.current + ms
    for (let next = this.earliest(until); next !== null; next = this.earliest(until)) {
      this.timers.delete(next)
      this.current = Math.max(this.current, next.due)
      next.run()
    }
    this.current = until
  }

  /** Lets time elapse at once, like a sleeping machine: overdue timers fire late, at the new time. */
  jump(ms: number): void {
    this.current += ms
    this.advance(0)
  }

  get pendingTimers(): number {
    return this.timers.size
  }

  private earliest(until: number): Timer | null {
    let found: Timer | null = null
    for (const timer of this.timers) {
      if (timer.due > until) continue
      if (found === null || timer.due < found.due || (timer.due === found.due && timer.order < found.order))
        found = timer
    }
    return found
  }
}
