import type { MarketType } from '#core/markets/market.ts'
import { type BasisPoints, basisPoints } from '#core/money/money.ts'

/** The published terms of selling orders on a symbol back. */
export interface SaleTerms {
  /** Scale of the movement in percent (`sale-price.ts`). */
  readonly scale: number
  /** The fee of a sale, in basis points of the stake. */
  readonly fee: BasisPoints
}

/** The value of the terms when orders on a symbol cannot be sold back. */
export const SALE_OFF = 'off'

/**
 * The scale in percent that each market has by default. Stocks have the lowest scale, because their last trades bounce
 * between bid and ask and so exaggerate moves.
 */
export const DEFAULT_SCALES: Readonly<Record<MarketType, number>> = { us_fx: 90, us_stocks: 80, crypto: 90 }
/** The allowed scales, in percent. */
export const SALE_SCALES = { min: 70, max: 110 } as const
/** The allowed fees, in basis points: 2 to 50 % of the stake. */
export const SALE_FEES = { min: 200, max: 5_000 } as const

/** Formats the terms as a value of the trade terms: the model, the scale and the fee in basis points. */
export function saleTermsValue({ scale, fee }: SaleTerms): string {
  return `m1c${scale}f${fee}`
}

const VALUE = /^m1c([1-9]\d{1,2})f([1-9]\d{2,3})$/

/** Parses a value of the trade terms. Returns null for `off` and for other text. */
export function readSaleTerms(value: string): SaleTerms | null {
  const [, scaleText, feeText] = VALUE.exec(value) ?? []
  const [scale, fee] = [Number(scaleText), Number(feeText)]
  const isInRange = scale >= SALE_SCALES.min && scale <= SALE_SCALES.max && fee >= SALE_FEES.min && fee <= SALE_FEES.max
  return isInRange ? { scale, fee: basisPoints(fee) } : null
}
