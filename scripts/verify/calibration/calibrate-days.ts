import { basisPoints } from '#core/money/money.ts'
import { calibrate, type LengthReport } from '#core/orders/sale/calibration/calibrate.ts'
import type { Estimate } from '#core/orders/sale/calibration/clustered-mean.ts'
import {
  type Calibration,
  type CalibrationFault,
  judgeCalibration,
  MIN_DAYS,
  MIN_ORDERS,
} from '#core/orders/sale/calibration/judge-calibration.ts'
import { PriceCourse } from '#core/orders/sale/price-course.ts'
import { DEFAULT_SCALES, SALE_SCALES } from '#core/orders/sale/sale-terms.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { CannotCheck, COULD_NOT_CHECK, DIFFERS, LogDiffers, MATCHES } from '../check-verdict.ts'
import { readOptions } from '../read-options.ts'
import { readDays, readWhole } from './read-days.ts'

const USAGE =
  'Usage: npm run calibrate -- FILE.csv.gz|DIR [--symbol BTC] [--market us_fx] [--decimals 5] [--max-age SECONDS] [--lengths 300,1800] [--scale 90] [--payout 85] [--fee 4]'
const OPTIONS = ['symbol', 'market', 'decimals', 'max-age', 'lengths', 'scale', 'payout', 'fee'] as const

const DEFAULT_LENGTHS = '300,1800'
const [MIN_LENGTH_S, MAX_LENGTH_S] = [300, 86_400]
const DEFAULT_PAYOUT = 85
const MAX_PAYOUT = 100
const MAX_FEE = 50

/** Calibrates the price of sales on recorded days. Returns the exit code and the lines to print. */
export async function calibrateDays(
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly lines: readonly string[] }> {
  try {
    return await report(args)
  } catch (error) {
    if (error instanceof CannotCheck || error instanceof LogDiffers)
      return { exitCode: COULD_NOT_CHECK, lines: [error.message] }
    // `parseArgs` throws a TypeError with a code for an unknown option.
    if (error instanceof TypeError && 'code' in error)
      return { exitCode: COULD_NOT_CHECK, lines: [error.message, USAGE] }
    throw error
  }
}

async function report(args: readonly string[]): Promise<{ exitCode: number; lines: string[] }> {
  const { file, options } = readOptions(args, OPTIONS, USAGE)
  const recorded = await readDays(file, { ...options, maxAgeSeconds: options['max-age'] })
  const scale = readWhole('--scale', options.scale, SALE_SCALES.max) ?? DEFAULT_SCALES[recorded.marketType]
  if (scale < SALE_SCALES.min) throw new CannotCheck(`--scale is at least ${SALE_SCALES.min}.`)
  const payout = basisPoints(100 * (readWhole('--payout', options.payout, MAX_PAYOUT) ?? DEFAULT_PAYOUT))
  const fee = readWhole('--fee', options.fee, MAX_FEE)
  const lengths = readLengths(options.lengths ?? DEFAULT_LENGTHS)
  const course = new PriceCourse(recorded.course)
  const reports = lengths.map((length) => calibrate(course, { ...recorded, scale, payout }, length))
  const calibration = judgeCalibration(reports, recorded.days, fee)
  return {
    exitCode: calibration.faults.length === 0 ? MATCHES : DIFFERS,
    lines: [
      `${recorded.course.times.length} prices of ${recorded.days} days, scale ${scale} %, payout ${payout / 100} %.`,
      ...reports.flatMap(tableOf),
      '',
      ...verdictOf(calibration),
    ],
  }
}

function readLengths(text: string): number[] {
  return text.split(',').map((part) => {
    const seconds = readWhole('--lengths', part, MAX_LENGTH_S) ?? 0
    if (seconds < MIN_LENGTH_S) throw new CannotCheck(`Orders that can be sold last at least ${MIN_LENGTH_S} s.`)
    return seconds * SECOND_MS
  })
}

function tableOf({ lengthMs, orders, offered, tenths, sellers }: LengthReport): string[] {
  return [
    '',
    `## Orders of ${minutes(lengthMs)}: ${orders}, a sale offered at ${(offered * 100).toFixed(0)} % of the moments`,
    '',
    '| predicted | won | orders |',
    '|--:|--:|--:|',
    ...tenths
      .filter(({ predicted }) => predicted.count > 0)
      .map(({ predicted, won }) => `| ${predicted.mean.toFixed(1)} % | ${shown(won)} % | ${predicted.count} |`),
    '',
    '| who sells | the house keeps, % of the stake, before the fee | sales |',
    '|---|--:|--:|',
    ...sellers.map(({ name, houseGain, isOffered }) => {
      const note = isOffered ? '' : ' (not offered)'
      return `| ${name}${note} | ${houseGain.count === 0 ? '–' : shown(houseGain)} | ${houseGain.count} |`
    }),
  ]
}

function shown({ mean, error }: Estimate): string {
  return `${mean.toFixed(1)} ± ${Number.isFinite(error) ? error.toFixed(1) : '∞'}`
}

function verdictOf({ minFee, faults }: Calibration): string[] {
  const fee = `The least fee that covers every seller is ${minFee} % of the stake.`
  if (faults.length === 0) return [`Fair on these days. ${fee}`]
  return [`Not to be offered. ${fee}`, ...faults.map((fault) => `- ${faultText(fault)}`)]
}

function faultText(fault: CalibrationFault): string {
  if (fault.why === 'days') return `${fault.days} days are too few: ${MIN_DAYS} are needed.`
  const orders = `Orders of ${minutes(fault.lengthMs)}`
  if (fault.why === 'orders') return `${orders}: ${fault.orders} are too few: ${MIN_ORDERS} are needed.`
  if (fault.why === 'chance')
    return `${orders}: predicted ${fault.tenth.predicted.mean.toFixed(1)} %, won ${shown(fault.tenth.won)} %.`
  return `${orders}: the fee does not cover who sells ${fault.seller.name} (${shown(fault.seller.houseGain)}).`
}

function minutes(ms: number): string {
  return `${ms / MINUTE_MS} min`
}
