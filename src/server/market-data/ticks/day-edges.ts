import { barOpenTime } from '#core/markets/candle.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { DayWindow } from '#server/market-data/ticks/day-stats.ts'
import { LoggedBar } from '#server/market-data/ticks/logged-bar.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'

const BAR_MS = intervalMs('5m')
const LOOK_EVERY_MS = 20 * SECOND_MS
/** 1 minute: how long before the beginning of the 24-hour window moves into a bar the ticks of this bar are loaded. */
const PRELOAD_MS = MINUTE_MS
const FIRST_PORTION_MS = 30 * SECOND_MS
/** Ticks are read in portions of about 2,000, because other work waits during a read. */
const TICKS_PER_PORTION = 2_000

/**
 * Reads the log again 24 hours later, so that the figures of the day begin at a tick and not at a bar. Keeps in memory
 * the ticks of the five-minute bar in which the window begins. Shortly before the window leaves that bar, the ticks of
 * the next bar are added.
 */
export class DayEdges {
  private readonly ctx: Ctx
  private readonly dayOf: (symbolId: number) => DayWindow | undefined
  private readonly read = new Set<Instant>()
  private portionMs = FIRST_PORTION_MS
  private looking: Promise<void> = Promise.resolve()
  private cancelTimer: (() => void) | null = null
  private isStopped = false

  constructor(ctx: Ctx, dayOf: (symbolId: number) => DayWindow | undefined) {
    this.ctx = ctx
    this.dayOf = dayOf
  }

  /** Reads the ticks needed now, and schedules later reads. */
  async start(): Promise<void> {
    this.schedule()
    await this.look()
  }

  /** Stops reading. Resolves when no read is running. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.cancelTimer?.()
    await this.looking
  }

  private schedule(): void {
    this.cancelTimer = this.ctx.clock.after(LOOK_EVERY_MS, () => {
      void this.look()
      this.schedule()
    })
  }

  private look(): Promise<void> {
    this.looking = this.looking.then(() => this.readNeeded())
    return this.looking
  }

  private async readNeeded(): Promise<void> {
    const begin = later(this.ctx.now(), -DAY_MS)
    const needed = new Set([barOpenTime(begin, '5m'), barOpenTime(later(begin, PRELOAD_MS), '5m')])
    for (const openTime of this.read) if (!needed.has(openTime)) this.read.delete(openTime)
    for (const openTime of needed) {
      if (this.read.has(openTime) || this.isStopped) continue
      try {
        await this.readBar(openTime)
        this.read.add(openTime)
      } catch (error) {
        this.ctx.log.warn({ err: error, openTime }, 'the ticks of 24 hours ago could not be read')
      }
    }
  }

  private async readBar(openTime: Instant): Promise<void> {
    const bars = new Map<number, LoggedBar>()
    const end = openTime + BAR_MS
    for (let from: number = openTime; from < end && !this.isStopped; ) {
      const until = Math.min(from + this.portionMs, end)
      const ticks = await loggedTicks(this.ctx.db, instant(from), instant(until - 1))
      for (const tick of ticks) {
        const bar = bars.get(tick.symbolId) ?? new LoggedBar(tick)
        bar.add(tick)
        bars.set(tick.symbolId, bar)
      }
      if (ticks.length > TICKS_PER_PORTION) this.portionMs = Math.max(SECOND_MS, Math.floor(this.portionMs / 2))
      else if (ticks.length < TICKS_PER_PORTION / 4) this.portionMs = Math.min(BAR_MS, this.portionMs * 2)
      from = until
    }
    for (const [symbolId, bar] of bars) this.dayOf(symbolId)?.cutWith(bar, this.ctx.now())
  }
}
