import { type Gain, gainOf, LATENESS_IGNORED, playInformed } from './strategies/latency-arbitrage.ts'
import { MUTANTS, plant } from './mutants/mutants.ts'
import { playRestarts } from './restarts/play-restarts.ts'
import { drawRestartPlan } from './restarts/restart-plan.ts'
import { playSales } from './sales/play-sales.ts'
import { drawSalePlan } from './sales/sale-plan.ts'
import { simulate } from './simulate.ts'
import { UNMODIFIED } from './simulation/injection-points.ts'
import { drawCappedPlan, drawPlan } from './simulation/plan.ts'

export interface Job {
  readonly seed: number
  readonly minutes: number
  /** Runs the seed twice. Both traces must be equal. */
  readonly twice?: boolean
  /** The version of the rules. By default the seed decides. */
  readonly rule?: 1 | 2
  /** The name of a planted bug. */
  readonly mutant?: string
  /** Runs a simulation with caps. */
  readonly isCapped?: boolean
  /** Tests starts and stops of a server around the boundaries of bars, instead of a normal run. */
  readonly isRestarts?: boolean
  /** Runs a simulation with sellers, after 20 minutes of prices, instead of a normal run. */
  readonly isOfSales?: boolean
}

/** A simulation of users who sell orders back, and who see the market `leadMs` ms before our sources report it. */
export interface InformedSellersJob {
  readonly seed: number
  readonly minutes: number
  readonly leadMs: number
  /** Plants the bug that lets informed sellers profit. */
  readonly isAtNewestPrice?: boolean
}

/** A simulation of users who place orders, and who see the market `lateMs` ms before our sources report it. */
export interface InformedJob {
  readonly seed: number
  readonly orders: number
  readonly lateMs: number
  /** Plants the bug that lets informed users profit. */
  readonly ignoresLateness?: boolean
}

/** The report of a seed. */
export interface RunReport {
  readonly seed: number
  readonly violations: readonly string[]
  readonly hash: string
  readonly settled: number
  /** The number of compared candles. */
  readonly compared: number
  /** CPU time of all threads. */
  readonly processorMs: number
}

export async function play(job: Job): Promise<RunReport> {
  const before = process.cpuUsage()
  const isOfSales = job.isOfSales === true || (job.mutant !== undefined && MUTANTS[job.mutant]?.isOfSales === true)
  const playJob = job.isRestarts === true ? playPlan : isOfSales ? playSaleLife : playLife
  const report = await playJob(job)
  const { user, system } = process.cpuUsage(before)
  return { ...report, processorMs: (user + system) / 1_000 }
}

async function playPlan({ seed }: Job): Promise<Omit<RunReport, 'processorMs'>> {
  const { compared, differences } = await playRestarts(drawRestartPlan(seed))
  return { seed, violations: differences, hash: '', settled: 0, compared }
}

async function playSaleLife({ seed, minutes, mutant }: Job): Promise<Omit<RunReport, 'processorMs'>> {
  const { violations, settled, sold } = await playSales(drawSalePlan({ seed, minutes }), partsWith(mutant))
  return { seed, violations, hash: '', settled: settled + sold, compared: sold }
}

async function playLife(job: Job): Promise<Omit<RunReport, 'processorMs'>> {
  const { seed, minutes, rule, twice = false, mutant } = job
  const planted = mutant === undefined ? undefined : MUTANTS[mutant]
  const isCapped = job.isCapped === true || planted?.isCapped === true
  const plan = isCapped
    ? drawCappedPlan(seed, minutes)
    : drawPlan(seed, minutes, rule ?? (planted === undefined ? undefined : (planted.rule ?? 1)))
  const parts = partsWith(mutant)
  const { violations, hash, settled } = await simulate(plan, { parts })
  const again = twice ? await simulate(plan, { parts }) : null
  const differs = again !== null && again.hash !== hash ? [`R2: played twice it went ${hash} and ${again.hash}`] : []
  return { seed, violations: [...violations, ...differs], hash, settled, compared: 0 }
}

/** Simulates sales of better informed users, with or without the planted bug. Their gain is before the fee. */
export async function playInformedSellers({
  seed,
  minutes,
  leadMs,
  isAtNewestPrice,
}: InformedSellersJob): Promise<Gain> {
  const plan = drawSalePlan({ seed, minutes, lateMs: leadMs, isCalm: true })
  const parts = partsWith(isAtNewestPrice === true ? 'sale-at-newest-price' : undefined)
  const { gains, violations } = await playSales(plan, parts, { isAudited: isAtNewestPrice !== true })
  if (violations.length > 0) throw new Error(violations.join('; '))
  return gainOf(gains)
}

/** Simulates orders of better informed users, with or without the planted bug. */
export function playInformedJob({ ignoresLateness = false, ...options }: InformedJob): Promise<Gain> {
  return playInformed({ ...options, ...(ignoresLateness && { parts: LATENESS_IGNORED }) })
}

function partsWith(name: string | undefined) {
  if (name === undefined) return UNMODIFIED
  const mutant = MUTANTS[name]
  if (mutant === undefined)
    throw new Error(`There is no planted bug ${name}; there are ${Object.keys(MUTANTS).join(', ')}.`)
  return plant(mutant)
}
