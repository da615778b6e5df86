import type { Ctx } from '#server/context.ts'
import { type ClosedCandle, insertCandles } from '#server/ticks/candle.queries.ts'

const WRITE_EVERY_MS = 1_000
const MOST_IN_BATCH = 500

/**
 * Stores closed candles outside the path of the ticks. Nothing is lost by a crash in between: the ticks they are made
 * of are in the log, and the start folds the ones again that are missing.
 */
export class CandleWriter {
  private readonly ctx: Ctx
  private waiting: ClosedCandle[] = []
  private cancelTimer: (() => void) | null = null
  private writing: Promise<void> = Promise.resolve()
  private isWriting = false

  constructor(ctx: Ctx) {
    this.ctx = ctx
  }

  add(closed: ClosedCandle): void {
    this.waiting.push(closed)
    this.schedule()
  }

  /** Writes what waits, once. */
  async stop(): Promise<void> {
    this.cancelTimer?.()
    this.cancelTimer = null
    await this.writing
    await this.write()
  }

  private schedule(): void {
    if (this.cancelTimer !== null || this.isWriting) return
    this.cancelTimer = this.ctx.clock.after(WRITE_EVERY_MS, () => {
      this.cancelTimer = null
      this.writing = this.writeAndSchedule()
    })
  }

  private async writeAndSchedule(): Promise<void> {
    this.isWriting = true
    await this.write()
    this.isWriting = false
    if (this.waiting.length > 0) this.schedule()
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MOST_IN_BATCH)
      try {
        await insertCandles(this.ctx.db, batch)
      } catch (error) {
        this.ctx.log.warn(
          { err: error, candles: this.waiting.length },
          'closed candles could not be stored, trying again',
        )
        return
      }
      this.waiting.splice(0, batch.length)
    }
  }
}
