import type { VoidReason } from '#core/orders/order.ts'
import { firstMissing, type LinePrice, type SourceLine } from '#core/orders/rules/source-line.ts'
import { type Instant, later } from '#core/time/instant.ts'

/**
 * The reply of the provider's public history for an expiry.
 * - `none`: no reply yet.
 * - `quiet`: at the time `coveredUntil`, the provider's newest trade had the number `newestRef`.
 * - `rests`: no trade for ten minutes after the expiry. `newestRef` is the provider's newest trade.
 * - `unavailable`: no reply for a day, with requests during at least an hour of that day.
 * - `contradicts`: for a day, the provider reported a different trade for a number than the log.
 */
export type HistoryAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'quiet'; readonly newestRef: number; readonly coveredUntil: Instant }
  | { readonly kind: 'rests'; readonly newestRef: number }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'contradicts' }

export interface LineFacts {
  readonly expiresAt: Instant
  readonly maxTickAgeMs: number
  readonly history: HistoryAnswer
}

/**
 * The numbers that are missing for a decision. Both ends of the range are exclusive. An end is null when it is unknown
 * where the missing trades begin or end.
 */
export interface Hole {
  readonly afterRef: number | null
  readonly beforeRef: number | null
}

export type LineDecision =
  | { readonly kind: 'price'; readonly exit: LinePrice; readonly next: LinePrice | null }
  /** `last` is the last price before `next` if the order is void because this price is too old, else null. */
  | {
      readonly kind: 'void'
      readonly reason: VoidReason
      readonly last: LinePrice | null
      readonly next: LinePrice | null
    }
  | { readonly kind: 'wait'; readonly hole: Hole }

/**
 * Decides an expiry by the trades of the source that gave its orders their entry prices. The exit is the last price
 * before the first trade after the expiry. Every number between both must be accounted for, so a decision never depends
 * on what the log happened to receive. Without a trade after the expiry, the history must state that there is none.
 */
export function decideByLine(line: SourceLine, { expiresAt, maxTickAgeMs, history }: LineFacts): LineDecision {
  const nextAt = line.prices.findIndex(({ time }) => time > expiresAt)
  const next = line.prices[nextAt] ?? null
  const last = (nextAt === -1 ? line.prices.at(-1) : line.prices[nextAt - 1]) ?? null
  const end = next?.ref ?? endByHistory(history, expiresAt)
  const missing = last === null || end === null ? null : firstMissing(line, last.ref, end)
  if (last !== null && end !== null && missing === null) {
    if (last.time >= later(expiresAt, -maxTickAgeMs)) return { kind: 'price', exit: last, next }
    return { kind: 'void', reason: 'no_trade_before_expiry', last, next }
  }
  if (history.kind === 'unavailable') return { kind: 'void', reason: 'history_unavailable', last: null, next: null }
  if (history.kind === 'contradicts') return { kind: 'void', reason: 'history_contradicts', last: null, next: null }
  const afterRef = missing === null ? (last?.ref ?? null) : missing - 1
  return { kind: 'wait', hole: { afterRef, beforeRef: next?.ref ?? null } }
}

/**
 * The number that the next trade of the source will have, when the history states that it has no trade after the expiry
 * yet.
 */
function endByHistory(history: HistoryAnswer, expiresAt: Instant): number | null {
  if (history.kind === 'rests') return history.newestRef + 1
  return history.kind === 'quiet' && history.coveredUntil > expiresAt ? history.newestRef + 1 : null
}
