import type { Ctx } from '#server/platform/context/context.ts'
import { insertCandles } from '#server/market-data/candles/candle.queries.ts'
import type { ClosedCandle } from '#server/market-data/ticks.ts'

const WRITE_EVERY_MS = 1_000
const MAX_BATCH_CANDLES = 500
/**
 * When more than twice this number of candles are held back, the oldest 5,000 are dropped. By then the writing server
 * has stored them.
 */
const MAX_HELD_CANDLES = 5_000

/**
 * Stores closed candles in the background, so that ticks need not wait. A crash before the write loses no candle: the
 * ticks are in the log, and the next start folds the missing candles again.
 */
export class CandleWriter {
  private readonly ctx: Ctx
  private readonly mayWrite: () => boolean
  private held: ClosedCandle[] = []
  private waiting: ClosedCandle[] = []
  private cancelTimer: (() => void) | null = null
  private writing: Promise<void> = Promise.resolve()
  private isWriting = false
  private isStopped = false

  /** While `mayWrite` returns false, another server writes. Candles that it may not have stored yet are held back. */
  constructor(ctx: Ctx, mayWrite: () => boolean) {
    this.ctx = ctx
    this.mayWrite = mayWrite
  }

  add(closed: ClosedCandle): void {
    if (!this.mayWrite()) {
      this.held.push(closed)
      if (this.held.length > 2 * MAX_HELD_CANDLES) this.held.splice(0, MAX_HELD_CANDLES)
      return
    }
    this.waiting.push(closed)
    this.schedule()
  }

  /**
   * Writes the candles that were held while another server was the writer. Call it when this server becomes the writer.
   * A stored candle is never changed.
   */
  flushHeld(): void {
    for (const closed of this.held.splice(0)) this.add(closed)
  }

  /** Makes one attempt to write the waiting candles. Returns whether all of them are written. */
  async flush(): Promise<boolean> {
    this.cancelTimer?.()
    this.cancelTimer = null
    await this.writing
    this.writing = this.writeAndSchedule()
    await this.writing
    return this.waiting.length === 0
  }

  /** Makes one last attempt to write the waiting candles, and starts no timer again. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.flush()
  }

  private schedule(): void {
    if (this.cancelTimer !== null || this.isWriting || this.isStopped) return
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
      const batch = this.waiting.slice(0, MAX_BATCH_CANDLES)
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
