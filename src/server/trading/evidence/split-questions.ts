import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'

/** One question covers expiries up to this far apart. */
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

/** Splits expiries of one source, earliest first, so that each question to its record covers a short time. */
export function splitQuestions<Expiry extends { readonly expiresAt: Instant }>(
  expiries: readonly Expiry[],
): Expiry[][] {
  const questions: Expiry[][] = []
  for (const expiry of expiries) {
    const question = questions.at(-1)
    const begins = question?.[0]?.expiresAt
    if (question === undefined || begins === undefined || expiry.expiresAt > later(begins, MAX_QUESTION_MS))
      questions.push([expiry])
    else question.push(expiry)
  }
  return questions
}
