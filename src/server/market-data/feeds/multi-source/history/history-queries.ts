import { SECOND_MS } from '#core/time/instant.ts'
import { createKeyedMutex } from '#server/platform/concurrency/keyed-mutex.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Reach, Reached } from '#server/market-data/feeds/multi-source/history/backward-paging.ts'

/** How long a user who pages back waits for a source. Bars that arrive later are returned by the next request. */
const PATIENCE_MS = 5 * SECOND_MS

/** Queries sources for history, one query at a time for each symbol and interval. */
export class HistoryQueries {
  readonly #ctx: Pick<Ctx, 'clock' | 'log'>
  readonly #reach: (wanted: Reach) => Promise<Reached>
  readonly #inTurn = createKeyedMutex()
  readonly #running = new Set<Promise<Reached>>()

  constructor(ctx: Pick<Ctx, 'clock' | 'log'>, reach: (wanted: Reach) => Promise<Reached>) {
    this.#ctx = ctx
    this.#reach = reach
  }

  /** Two concurrent requests for the same history query the source once: the second finds the bars stored. */
  async reachBack(wanted: Reach): Promise<Reached> {
    const reached = this.#inTurn(`${wanted.symbol.id}/${wanted.interval}`, () => this.#reach(wanted))
    this.#running.add(reached)
    return await reached.finally(() => this.#running.delete(reached))
  }

  /**
   * As `reachBack`, but resolves to `failed` when the source does not reply in time. The query continues in the
   * background.
   */
  async reachInTime(wanted: Reach): Promise<Reached> {
    return await new Promise<Reached>((resolve) => {
      const cancel = this.#ctx.clock.after(PATIENCE_MS, () => resolve('failed'))
      const fail = (error: unknown) => {
        this.#ctx.log.warn({ err: error, symbol: wanted.symbol.code }, 'history bars could not be stored')
        resolve('failed')
      }
      void this.reachBack(wanted).then(resolve, fail).finally(cancel)
    })
  }

  /** Resolves when the running queries have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
