import type { LengthReport, SellerResult, Tenth } from '#core/orders/sale/calibration/calibrate.ts'

/**
 * Why the calibration does not allow the site to offer sales of a symbol's orders. `seller` and `tenth` name the row of
 * the report.
 */
export type CalibrationFault =
  | { readonly why: 'days'; readonly days: number }
  | { readonly why: 'orders'; readonly lengthMs: number; readonly orders: number }
  | { readonly why: 'chance'; readonly lengthMs: number; readonly tenth: Tenth }
  | { readonly why: 'seller'; readonly lengthMs: number; readonly seller: SellerResult }

export interface Calibration {
  /** The smallest fee, in percent of the stake, that covers the mean gain of every seller. */
  readonly minFee: number
  readonly faults: readonly CalibrationFault[]
}

export const MIN_DAYS = 10
export const MIN_ORDERS = 2_000
const MIN_ORDERS_OF_A_TENTH = 200
const MAX_POINTS_OFF = 4
const MAX_ERRORS_OFF = 3
const MIN_FEE = 2
/** Fees are multiples of half a percent. */
const FEES_PER_PERCENT = 2

/**
 * Judges whether the price of a sale was fair on the recorded days. `fee` is in percent of the stake; the default is
 * the computed smallest fee.
 */
export function judgeCalibration(reports: readonly LengthReport[], days: number, fee?: number): Calibration {
  const offered = reports.flatMap(({ sellers }) => sellers.filter(({ isOffered }) => isOffered))
  const worst = Math.max(0, ...offered.map(({ houseGain }) => -houseGain.mean))
  const minFee = Math.max(MIN_FEE, Math.ceil(worst * FEES_PER_PERCENT) / FEES_PER_PERCENT)
  const faults: CalibrationFault[] = days < MIN_DAYS ? [{ why: 'days', days }] : []
  for (const { lengthMs, orders, tenths, sellers } of reports) {
    if (orders < MIN_ORDERS) faults.push({ why: 'orders', lengthMs, orders })
    for (const tenth of tenths) if (isOff(tenth)) faults.push({ why: 'chance', lengthMs, tenth })
    for (const seller of sellers)
      if (seller.isOffered && gains(seller, fee ?? minFee)) faults.push({ why: 'seller', lengthMs, seller })
  }
  return { minFee, faults }
}

function isOff({ predicted, won }: Tenth): boolean {
  const off = Math.abs(predicted.mean - won.mean)
  return predicted.count >= MIN_ORDERS_OF_A_TENTH && off > MAX_POINTS_OFF && off > MAX_ERRORS_OFF * won.error
}

function gains({ houseGain }: SellerResult, fee: number): boolean {
  return houseGain.count > 0 && houseGain.mean + fee < -houseGain.error
}
