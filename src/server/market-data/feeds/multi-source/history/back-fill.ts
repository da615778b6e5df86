import type { MarketSymbol } from '#core/markets/market.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Reach, Reached } from '#server/market-data/feeds/multi-source/history/backward-paging.ts'

/** Bars that are there before anybody asks. */
const NEWEST_BARS = 1_000
/** The day's figures of the market list are made of five minutes, so those come first. */
const IN_TURN: readonly ChartInterval[] = ['5m', '1m', '1h', '30m', '1d']
/** Between two questions, so that sources have room for those of people who wait. */
const PAUSE_MS = 250
const FIRST_RETRY_MS = 5 * SECOND_MS
const LONGEST_RETRY_MS = 15 * MINUTE_MS

interface Job extends Reach {
  readonly failures: number
  readonly due: Instant
}

/** Fetches the newest past of every symbol behind everything else, one question at a time. */
export interface BackFill {
  start(): void
  stop(): Promise<void>
  /** Everything of a symbol. */
  add(symbol: MarketSymbol): void
  /** These bars, once they are due; retried like all others. */
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
      if (isRunning) ctx.log.warn({ err: error, symbol: job.symbol.code }, 'bars of the past could not be kept')
    }
    if (reached === 'done' || !isRunning) return
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(job.failures, 20))
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
      // Every symbol's five minutes before anybody's days.
      jobs.sort((a, b) => a.failures - b.failures || IN_TURN.indexOf(a.interval) - IN_TURN.indexOf(b.interval))
      schedule()
    },
    want(reach, due) {
      jobs.unshift({ ...reach, failures: 0, due })
      schedule()
    },
  }
}
