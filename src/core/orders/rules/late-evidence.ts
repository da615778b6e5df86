import type { JudgedRecord, RecordedLeftOut, RecordedPrice } from '#core/markets/sources/judge-record.ts'
import { firstMissing, type SourceLine } from '#core/orders/rules/source-line.ts'
import { type Instant, SECOND_MS } from '#core/time/instant.ts'

/**
 * 10 s: while the tick log has no trade after an expiry, the server reads the history of the source from this time after
 * the expiry on. The history may decide the expiry while the feed is silent.
 */
export const HISTORY_AFTER_MS = 10 * SECOND_MS

/** The trades around one expiry, according to a source's history. */
export type Evidence =
  /** The log lacks these `prices` and `leftOut` trades around the expiry. */
  | {
      readonly kind: 'found'
      readonly prices: readonly RecordedPrice[]
      readonly leftOut: readonly RecordedLeftOut[]
      /** The number of the source's newest trade, when the source has no trade after the expiry. */
      readonly newestRef: number | null
    }
  /** The log has a different price or time for the trade with the number `ref`. */
  | { readonly kind: 'differs'; readonly ref: number }
  /** The history begins after the expiry, or it ends before the expiry and may be incomplete. */
  | { readonly kind: 'short' }

/**
 * Compares a source's history with the log, and finds what the log lacks to decide an expiry: the last price before the
 * expiry, the first price after it, and the trades between them that are not prices. A trade that the log left out for
 * a final reason stays left out.
 */
export function evidenceFor(line: SourceLine, record: JudgedRecord, expiresAt: Instant): Evidence {
  const logged = new Map(line.prices.map((price) => [price.ref, price]))
  const differing = record.prices.find(({ ref, price, time }) => {
    const known = ref === null ? undefined : logged.get(ref)
    return known !== undefined && (known.price !== price || known.time !== time)
  })
  if (differing !== undefined) return { kind: 'differs', ref: differing.ref ?? 0 }
  const isLeftOut = (ref: number): boolean => line.leftOut.some(({ from, to }) => from <= ref && ref <= to)
  const prices = record.prices.filter(({ ref }) => ref !== null && !isLeftOut(ref))
  const nextAt = prices.findIndex(({ time }) => time > expiresAt)
  const next = prices[nextAt]
  const last = nextAt === -1 ? prices.at(-1) : prices[nextAt - 1]
  if (last === undefined || last.ref === null || (next === undefined && !record.isNewest)) return { kind: 'short' }
  const lastRef = last.ref
  const newestRef = Math.max(lastRef, record.leftOut.at(-1)?.to ?? 0)
  const end = next?.ref ?? newestRef + 1
  const lacking = [last, ...(next === undefined ? [] : [next])].filter(({ ref }) => ref !== null && !logged.has(ref))
  const leftOut = record.leftOut.filter(
    ({ from, to }) => from > lastRef && to < end && firstMissing(line, from - 1, to + 1) !== null,
  )
  // The last line of a late batch must be a price, so the last price is written even if the log already has it.
  const written = lacking.length === 0 && leftOut.length > 0 ? [last] : lacking
  return { kind: 'found', prices: written, leftOut, newestRef: next === undefined ? newestRef : null }
}

/** The pauses between requests for the history around an expiry: short ones first, then one every five minutes. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const
const LAST_PAUSE_MS = 300_000

/** Returns how long to wait after this many requests without a reply. */
export function pauseAfterQuestions(count: number): number {
  return PAUSES_MS[count - 1] ?? LAST_PAUSE_MS
}
