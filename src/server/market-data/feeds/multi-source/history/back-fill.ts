import type { MarketSymbol } from '#core/markets/market.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Reach, Reached } from '#server/market-data/feeds/multi-source/history/backward-paging.ts'

/** The number of newest bars of each symbol and interval that are fetched before a user requests any. */
const NEWEST_BARS = 1_000
/** Order of fetching. Five-minute bars come first, because the day figures of the market list use them. */
const IN_TURN: readonly ChartInterval[] = ['5m', '1m', '1h', '30m', '1d']
/** Pause between two queries, to leave the sources room for requests of users. */
const PAUSE_MS = 250
const FIRST_RETRY_MS = 5 * SECOND_MS
const MAX_RETRY_MS = 15 * MINUTE_MS

interface Job extends Reach {
  readonly failures: number
  readonly due: Instant
}

/** Fetches the newest history of every symbol in the background, one query at a time. */
export interface BackFill {
  start(): void
  stop(): Promise<void>
  /** Fetches all intervals of a symbol. */
  add(symbol: MarketSymbol): void
  /** Fetches these bars once they are due, with the same retries. */
  want(reach: Reach, due: Instant): void
}

export function createBackFill(
  ctx: Pick<Ctx, 'clock' | 'now' | 'log'>,
  reachBack: (reach: Reach) => Promise<Reached>,
): BackFill {
  const jobs: Job[] = []
  let isRunning = false
  let working: Promise<void> | null = null
  let cancel: (() => void) | null = null

  function schedule(): void {
    if (!isRunning || working !== null) return
    cancel?.()
    const due = Math.min(...jobs.map((job) => job.due))
    cancel = jobs.length === 0 ? null : ctx.clock.after(Math.max(PAUSE_MS, due - ctx.now()), work)
  }

  function work(): void {
    cancel = null
    const at = jobs.findIndex(({ due }) => due <= ctx.now())
    const [job] = at < 0 ? [] : jobs.splice(at, 1)
    if (job === undefined) {
      schedule()
      return
    }
    working = reach(job).finally(() => {
      working = null
      schedule()
    })
  }

  async function reach(job: Job): Promise<void> {
    let reached: Reached = 'failed'
    try {
      reached = await reachBack(job)
    } catch (error) {
      if (isRunning) ctx.log.warn({ err: error, symbol: job.symbol.code }, 'history bars could not be stored')
    }
    if (reached === 'done' || !isRunning) return
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(job.failures, 20))
    jobs.push({ ...job, failures: job.failures + 1, due: later(ctx.now(), wait) })
  }

  return {
    start() {
      isRunning = true
      schedule()
    },
    async stop() {
      isRunning = false
      cancel?.()
      cancel = null
      await working
    },
    add(symbol) {
      const now = ctx.now()
      const all = IN_TURN.map((interval) => ({
        symbol,
        interval,
        before: now,
        bars: NEWEST_BARS,
        failures: 0,
        due: now,
      }))
      jobs.push(...all)
      // Five-minute bars of all symbols come before daily bars of any.
      jobs.sort((a, b) => a.failures - b.failures || IN_TURN.indexOf(a.interval) - IN_TURN.indexOf(b.interval))
      schedule()
    },
    want(reach, due) {
      jobs.unshift({ ...reach, failures: 0, due })
      schedule()
    },
  }
}
