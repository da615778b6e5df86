import type { Tick } from '#core/markets/tick.ts'
import type { Instant } from '#core/time/instant.ts'
import type { RecentTicks } from '#server/market-data/ticks.ts'

export const RING_WINDOW_MS = 180_000

/**
 * The newest ticks of one symbol, ascending in source time and in log order. The ring has every tick that the log has
 * from the ring's first tick on. So any time at or after this tick can be read without the database.
 */
export class TickRing {
  private ticks: Tick[] = []
  /** Index of the first valid tick. Earlier entries are removed from time to time. */
  private start = 0
  private isWhole = false

  push(tick: Tick): void {
    this.ticks.push(tick)
    const oldest = tick.time - RING_WINDOW_MS
    // One tick from before the window stays, because its price is the valid one when the window begins.
    for (let next = this.ticks[this.start + 1]; next !== undefined && next.time < oldest; ) {
      this.start += 1
      this.isWhole = false
      next = this.ticks[this.start + 1]
    }
    if (this.start > 1024 && this.start * 2 > this.ticks.length) {
      this.ticks = this.ticks.slice(this.start)
      this.start = 0
    }
  }

  get last(): Tick | null {
    return this.ticks.at(-1) ?? null
  }

  /** Notes that the log has no older ticks of the symbol. */
  beginLog(): void {
    this.isWhole = true
  }

  /** Returns the valid ticks, and whether there are no older ticks. */
  all(): RecentTicks {
    return { ticks: this.ticks.slice(this.start), isWhole: this.isWhole }
  }

  /** Whether every logged tick at or after `from` is here. */
  reaches(from: Instant): boolean {
    const first = this.ticks[this.start]
    return first !== undefined && first.time < from
  }

  /** The last tick with source time <= `at` and the first after it. */
  around(at: Instant): { last: Tick | null; next: Tick | null } {
    const next = this.firstAfter(at)
    return { last: next > this.start ? (this.ticks[next - 1] ?? null) : null, next: this.ticks[next] ?? null }
  }

  /** Ticks with from <= source time <= to, the newest `limit`. */
  between(from: Instant, to: Instant, limit: number): Tick[] {
    const end = this.firstAfter(to)
    const begin = this.firstAfter((from - 1) as Instant)
    return this.ticks.slice(Math.max(begin, end - limit), end)
  }

  private firstAfter(at: Instant): number {
    let low = this.start
    let high = this.ticks.length
    while (low < high) {
      const middle = (low + high) >> 1
      const tick = this.ticks[middle]
      if (tick !== undefined && tick.time <= at) low = middle + 1
      else high = middle
    }
    return low
  }
}
