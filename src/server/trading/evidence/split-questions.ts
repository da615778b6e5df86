import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import { splitByTime } from '#core/time/split-by-time.ts'

/** One request covers expiries that are at most a minute apart. */
export const MAX_QUESTION_MS = MINUTE_MS

/** Groups expiries by symbol and source, in their order. */
export function groupBySource<Expiry extends { readonly symbolId: number; readonly source: string }>(
  expiries: readonly Expiry[],
): Expiry[][] {
  const groups = new Map<string, Expiry[]>()
  for (const expiry of expiries) {
    const key = `${expiry.symbolId} ${expiry.source}`
    groups.set(key, [...(groups.get(key) ?? []), expiry])
  }
  return [...groups.values()]
}

/** Splits expiries of one source, earliest first, so that each request for its record covers a short time. */
export function splitQuestions<Expiry extends { readonly expiresAt: Instant }>(
  expiries: readonly Expiry[],
): Expiry[][] {
  return splitByTime(expiries, ({ expiresAt }) => expiresAt, MAX_QUESTION_MS)
}
