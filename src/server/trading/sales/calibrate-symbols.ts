import { Worker } from 'node:worker_threads'
import { nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { BasisPoints } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { LengthReport } from '#core/orders/sale/calibration/calibrate.ts'
import { judgeCalibration } from '#core/orders/sale/calibration/judge-calibration.ts'
import type { CoursePrices } from '#core/orders/sale/price-course.ts'
import { MIN_SALE_LENGTH_MS } from '#core/orders/sale/sale-rule.ts'
import { DEFAULT_SCALES, readSaleTerms } from '#core/orders/sale/sale-terms.ts'
import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { hasReportSince, insertSaleReport } from '#server/market-data/catalogue/sale-reports.queries.ts'
import { beginningOfLog } from '#server/market-data/tick-log/log-times.queries.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** The input of the thread that calibrates one symbol. */
export interface CalibrationTask {
  readonly course: CoursePrices
  readonly marketType: MarketType
  readonly maxTickAgeMs: number
  readonly scale: number
  /** The durations on offer, with their payouts. */
  readonly lengths: readonly { readonly seconds: number; readonly payout: BasisPoints }[]
}

export interface CalibrationParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'known' | 'settings' | 'terms'>
}

const DAYS = 20
const EVERY_MS = 10 * MINUTE_MS
/** A report counts as fresh for 23 h, so that the next report is ready about a day after it. */
const FRESH_MS = DAY_MS - HOUR_MS
/** The log is read in pieces of 5 minutes. Reading such a piece of a busy log takes some milliseconds. */
const PIECE_MS = 5 * MINUTE_MS

/**
 * Calibrates the price of sales once a day, on the last days of the installation's own log. Covers each symbol whose
 * terms name selling back, even when they turn it off. Returns a function that stops it.
 */
export function calibratePeriodically(parts: CalibrationParts): () => Promise<void> {
  return runPeriodically(parts.ctx, {
    pauseMs: () => EVERY_MS,
    run: () => calibrateSymbols(parts),
    failure: 'the price of sales could not be calibrated',
  })
}

/** Makes the reports that are due. */
export async function calibrateSymbols({ ctx, catalogue }: CalibrationParts): Promise<void> {
  for (const code of catalogue.terms.subjects('sale')) {
    const symbol = catalogue.known.find((one) => one.code === code)
    if (symbol === undefined) continue
    for (const scale of scalesOf(catalogue, symbol)) {
      if (await hasReportSince(ctx.db, symbol.id, scale, later(ctx.now(), -FRESH_MS))) continue
      await calibrateSymbol({ ctx, catalogue }, symbol, scale)
    }
  }
}

/** Returns the scale of the newest terms of sale, or the scale of the market while no terms name a scale. */
function scalesOf({ terms }: Pick<MarketCatalogue, 'terms'>, { code, marketType }: ListedSymbol): ReadonlySet<number> {
  const announced = terms.steps('sale', code).flatMap(({ value }) => readSaleTerms(value)?.scale ?? [])
  return new Set([announced.at(-1) ?? DEFAULT_SCALES[marketType]])
}

async function calibrateSymbol(
  { ctx, catalogue }: CalibrationParts,
  symbol: ListedSymbol,
  scale: number,
): Promise<void> {
  const reportedAt = ctx.now()
  const from = later(reportedAt, -DAYS * DAY_MS)
  const course = await readCourse(ctx.db, symbol.id, from, reportedAt)
  const { marketType, maxTickAgeMs } = symbol
  const maxLengthMs = maxSessionMs(marketType, from, reportedAt)
  const lengths = catalogue.settings.filter(({ seconds }) => {
    return seconds * SECOND_MS >= MIN_SALE_LENGTH_MS && seconds * SECOND_MS < maxLengthMs
  })
  const task = {
    course,
    marketType,
    maxTickAgeMs,
    scale,
    lengths: lengths.map(({ seconds, payout }) => ({ seconds, payout })),
  }
  const reports = await computeReports(task)
  const days = new Set(course.times.map((time) => Math.floor(time / DAY_MS))).size
  const { minFee, faults } = judgeCalibration(reports, days)
  await insertSaleReport(ctx.db, {
    symbolId: symbol.id,
    scale,
    reportedAt,
    from,
    days,
    prices: course.times.length,
    minFee: Math.round(minFee * 100),
    isFair: faults.length === 0 && lengths.length > 0,
    report: JSON.stringify({ lengths: reports, faults: faults.map(({ why }) => why) }),
  })
}

/**
 * No order is longer than a session. So a duration that is longer than every session of these days needs no
 * calibration.
 */
function maxSessionMs(marketType: MarketType, from: Instant, to: Instant): number {
  let maxMs = 0
  for (let at = from; at < to; ) {
    const { open, close } = nextSession(marketType, at)
    maxMs = Math.max(maxMs, close - open)
    at = close
  }
  return maxMs
}

/** Reads the prices of the symbol's most frequent source, in the order of the log. */
async function readCourse(db: Db, symbolId: number, from: Instant, to: Instant): Promise<CoursePrices> {
  const bySource = new Map<string, { times: Instant[]; prices: Price[] }>()
  const beginning = (await beginningOfLog(db)) ?? to
  for (let at = from > beginning ? from : beginning; at < to; at = later(at, PIECE_MS)) {
    const end = later(at, Math.min(PIECE_MS, to - at) - 1)
    for (const { source, time, price } of await loggedTicks(db, at, end, symbolId)) {
      const known = bySource.get(source) ?? { times: [], prices: [] }
      known.times.push(time)
      known.prices.push(price)
      bySource.set(source, known)
    }
  }
  const [most] = [...bySource.values()].toSorted((a, b) => b.times.length - a.times.length)
  return most ?? { times: [], prices: [] }
}

/**
 * The built server has the thread as JavaScript. In development and in tests, another file loads it from its TypeScript
 * source.
 */
const WORKER = import.meta.url.endsWith('.mjs') ? './calibration-worker.mjs' : './calibration-worker-source.mjs'

async function computeReports(task: CalibrationTask): Promise<LengthReport[]> {
  // An explicitly empty execArgv: flags of the main thread (a loader, a debugger's port) must not apply to this thread.
  const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: task, execArgv: [] })
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', resolve)
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('the thread that calibrates ended without a report')))
    })
  } finally {
    await worker.terminate()
  }
}
