import type { LeftOutReason } from '#core/markets/log-text.ts'
import type { PriceDistance } from '#core/markets/sources/price-distance.ts'
import { readQuotePrice, readQuoteVolume } from '#core/markets/sources/read-quote.ts'
import { SpikeFilter } from '#core/markets/sources/spike-filter.ts'
import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** A trade in a source's history that is a price. */
export interface RecordedPrice {
  /** The source's number of the trade. Null when the source computes its prices. */
  readonly ref: number | null
  readonly price: Price
  readonly volume: Volume
  readonly time: Instant
}

/** Trade numbers in a source's history that are not prices, first and last number inclusive. */
export interface RecordedLeftOut {
  readonly from: number
  readonly to: number
  readonly why: Extract<LeftOutReason, 'number' | 'back' | 'spike' | 'absent'>
}

/**
 * A judged range of a source's history. Each trade number in the range is either a price or left out for a final
 * reason.
 */
export interface JudgedRecord {
  /** The trades that are prices, in ascending order. */
  readonly prices: readonly RecordedPrice[]
  /** The numbers that are not prices, in ascending order. */
  readonly leftOut: readonly RecordedLeftOut[]
  /** Whether the source had no later trade when it replied. */
  readonly isNewest: boolean
  /**
   * Whether the last trade could be judged. A price far from all earlier prices can be judged only with the trade after
   * it.
   */
  readonly isSettled: boolean
}

interface RecordToJudge {
  readonly trades: readonly {
    readonly ref: number
    readonly price: string
    readonly volume: string
    readonly time: Instant
  }[]
  readonly absent: readonly { readonly from: number; readonly to: number }[]
  readonly isNewest: boolean
}

/** How the prices of a symbol are read and judged. */
export interface RecordLimits {
  readonly decimals: number
  readonly spike: PriceDistance
  readonly maxTickAgeMs: number
}

/**
 * Judges the trades of a source's history as the prices of a stream are judged: times never run backwards, and no
 * single price is far from the prices around it. Prices are compared only with prices of the same source.
 * `requestedAt`: when the source replied.
 */
export function judgeRecord(record: RecordToJudge, limits: RecordLimits, requestedAt: Instant): JudgedRecord {
  const filter = new SpikeFilter(limits.spike, limits.maxTickAgeMs)
  const prices: RecordedPrice[] = []
  const leftOut: RecordedLeftOut[] = record.absent.map((range) => ({ ...range, why: 'absent' }))
  const leave = (ref: number, why: RecordedLeftOut['why']): void => void leftOut.push({ from: ref, to: ref, why })
  let newest = Number.NEGATIVE_INFINITY
  /** The price that the filter holds. */
  let held: (RecordedPrice & { readonly ref: number }) | null = null
  const drop = (): void => {
    if (held !== null) leave(held.ref, 'spike')
    held = null
  }
  for (const { ref, time, ...text } of record.trades) {
    const price = readQuotePrice(text.price, limits.decimals)
    const volume = readQuoteVolume(text.volume)
    if (price === null || volume === null) leave(ref, 'number')
    else if (time < newest) leave(ref, 'back')
    else {
      newest = time
      const trade = { ref, price, volume, time }
      if (filter.expire(time) !== null) drop()
      const { confirmed, dropped } = filter.take({ price, volume, time, receivedAt: time })
      if (dropped !== null) drop()
      if (confirmed.length === 0) held = trade
      else {
        prices.push(...(held === null ? [] : [held]), trade)
        held = null
      }
    }
  }
  if (record.isNewest && filter.expire(requestedAt) !== null) drop()
  const isSettled = held === null
  return {
    prices,
    leftOut: leftOut.toSorted((a, b) => a.from - b.from),
    isNewest: record.isNewest && isSettled,
    isSettled,
  }
}
