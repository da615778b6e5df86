import { volumeNumber } from '#core/money/price.ts'
import { toKlines } from '#server/market-data/candles/kline-rows.ts'
import { CandleAudit, type ShownMoment } from '#test/support/candle-audit.ts'
import { readLog } from '#test/support/fold-log.ts'
import { Kernel } from '../kernel/kernel.ts'
import { MemoryDatabase } from '../memory-store/memory-database.ts'
import { memoryDialect } from '../memory-store/memory-dialect.ts'
import { createRestartMarket } from './restart-feeds.ts'
import type { RestartPlan } from './restart-plan.ts'
import { RestartRun } from './restart-run.ts'

export interface RestartOutcome {
  readonly seed: number
  /** The number of compared closed candles. */
  readonly compared: number
  readonly differences: readonly string[]
}

/** 1,200 steps are a minute of virtual time. Every operation of a server takes less. */
const MAX_STEPS = 1_200
const STEP_MS = 50
const BARS = 300

/** Starts, stops and kills a server as planned, on a virtual clock, and compares every candle it shows. */
export async function playRestarts(plan: RestartPlan): Promise<RestartOutcome> {
  const kernel = new Kernel()
  const database = new MemoryDatabase()
  const dialect = memoryDialect(database)
  const shared = { driver: dialect.createDriver(), compiler: () => dialect.createQueryCompiler() }
  const market = createRestartMarket(plan, (work) => kernel.outside(work))
  const audit = new CandleAudit(market)
  const log = () => database.rows('tick_batch').flatMap(({ payload }) => readLog(String(payload)))
  const beginAt = plan.runs[0]?.startAt ?? 0
  const worldNow = () => beginAt + kernel.now
  const runUntil = (at: number) => kernel.runUntil(Math.max(kernel.now, at - beginAt))

  for (const [at, run] of plan.runs.entries()) {
    await runUntil(run.startAt)
    const server = new RestartRun({
      kernel,
      plan,
      run,
      market,
      shared,
      name: `run ${at}`,
      worldNow,
      onKline: (said) => audit.hear(said),
    })
    const startedAt = server.now()
    const starting = watch(server.start())
    await runUntil(run.endAt)
    if (starting.isOver()) {
      await starting.result
      const { ticks } = server
      const moment: ShownMoment = {
        now: server.now(),
        startedAt,
        log: () => Promise.resolve(log()),
        async show({ id, decimals }, interval) {
          const shown = await ticks.shownCandles({ symbolId: id, interval, limit: BARS })
          return toKlines(shown, { interval, decimals, isIncomplete: false })
        },
        dayVolume({ id }) {
          const day = ticks.day(id)
          return Promise.resolve(day && volumeNumber(day.volume))
        },
      }
      await pass(kernel, audit.look(moment))
    }
    if (run.isKilled && at < plan.runs.length - 1) server.kill()
    else {
      await pass(kernel, starting.result)
      await pass(kernel, server.stop())
    }
  }
  await audit.finish(log())
  return { seed: plan.seed, compared: audit.compared, differences: audit.differences }
}

/** Advances virtual time until the work is done. */
async function pass<T>(kernel: Kernel, work: Promise<T>): Promise<T> {
  const { isOver, result } = watch(work)
  for (let step = 0; !isOver() && step < MAX_STEPS; step += 1) await kernel.runUntil(kernel.now + STEP_MS)
  if (!isOver()) throw new Error('the server does not answer within a minute')
  return await result
}

function watch<T>(work: Promise<T>): { readonly result: Promise<T>; readonly isOver: () => boolean } {
  let isOver = false
  const note = () => {
    isOver = true
  }
  work.then(note, note)
  return { result: work, isOver: () => isOver }
}
