import type { Ctx } from '#server/platform/context/context.ts'

/**
 * Repeats a heartbeat until it is stopped. The first heartbeat runs at once, each later heartbeat `pauseMs` after the
 * end of the previous one.
 */
export class LeaseLoop {
  readonly #ctx: Pick<Ctx, 'clock' | 'log'>
  readonly #pauseMs: number
  readonly #round: () => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #cancel: (() => void) | null = null
  #isStopped = false

  constructor(ctx: Pick<Ctx, 'clock' | 'log'>, pauseMs: number, round: () => Promise<void>) {
    this.#ctx = ctx
    this.#pauseMs = pauseMs
    this.#round = round
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Resolves when the running heartbeat has finished. */
  settled(): Promise<void> {
    return this.#running
  }

  start(): Promise<void> {
    this.#running = this.#runOnce()
    return this.#running
  }

  async #runOnce(): Promise<void> {
    try {
      await this.#round()
    } catch (error) {
      if (!this.#isStopped) this.#ctx.log.warn({ err: error }, 'leases could not be prolonged')
    }
    if (!this.#isStopped) this.#cancel = this.#ctx.clock.after(this.#pauseMs, () => void this.start())
  }

  /** Prevents further heartbeats, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    await this.#running
  }
}
