import { sql } from 'kysely'
import type { HistoryAnswer } from '#core/orders/rules/rule-2.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An expiry of orders whose entry prices are of one source. */
export interface SourceExpiry {
  readonly symbolId: number
  readonly source: string
  readonly expiresAt: Instant
}

/** The reply of a source about an expiry, and since when the record was requested. */
export interface HistoryQuestion extends SourceExpiry {
  /** Null until the record was requested for this expiry. */
  readonly firstRequestedAt: Instant | null
  readonly differsSince: Instant | null
  readonly answer: HistoryAnswer
}

/** Finds the replies about expiries of one symbol and source, by expiry. */
export async function historyQuestions(
  db: Db,
  { symbolId, source }: Pick<SourceExpiry, 'symbolId' | 'source'>,
  expiries: readonly Instant[],
): Promise<ReadonlyMap<Instant, HistoryQuestion>> {
  if (expiries.length === 0) return new Map()
  const rows = await db
    .selectFrom('history_question')
    .selectAll()
    .where('symbol_id', '=', symbolId)
    .where('source', '=', source)
    .where('expires_ms', 'in', expiries.map(BigInt))
    .execute()
  return new Map(
    rows.map((row) => {
      const expiresAt = instant(Number(row.expires_ms))
      const differsSince = row.differs_since_ms === null ? null : instant(Number(row.differs_since_ms))
      const firstRequestedAt = instant(Number(row.first_requested_ms))
      return [expiresAt, { symbolId, source, expiresAt, firstRequestedAt, differsSince, answer: toAnswer(row) }]
    }),
  )
}

/** Finds the reply of a source about one expiry. */
export async function findHistoryAnswer(db: Db, question: SourceExpiry): Promise<HistoryAnswer> {
  const found = await historyQuestions(db, question, [question.expiresAt])
  return found.get(question.expiresAt)?.answer ?? { kind: 'none' }
}

function toAnswer(row: {
  outcome: string | null
  newest_ref: bigint | null
  covered_until_ms: bigint | null
}): HistoryAnswer {
  const newestRef = Number(row.newest_ref)
  switch (row.outcome) {
    case 'quiet':
      return { kind: 'quiet', newestRef, coveredUntil: instant(Number(row.covered_until_ms)) }
    case 'rests':
      return { kind: 'rests', newestRef }
    case 'unavailable':
    case 'contradicts':
      return { kind: row.outcome }
    default:
      return { kind: 'none' }
  }
}

/** The result of one request about an expiry. */
export interface RequestedExpiry extends SourceExpiry {
  readonly differsSince: Instant | null
  readonly answer: HistoryAnswer
  /** The time up to which the source has no trade after the expiry. Null for any other result. */
  readonly coveredUntil: Instant | null
}

/**
 * Stores the results of requests made at `now`. An earlier result is replaced, because the source has sent more since.
 */
export async function noteAsked(db: Db, asked: readonly RequestedExpiry[], now: Instant): Promise<void> {
  if (asked.length === 0) return
  const newestRefOf = ({ answer }: RequestedExpiry) => ('newestRef' in answer ? answer.newestRef : null)
  await sql`
    insert into history_question (symbol_id, source, expires_ms, first_requested_ms, last_requested_ms, differs_since_ms,
      outcome, newest_ref, covered_until_ms)
    select symbol_id, source, expires_ms, ${now}::int8, ${now}::int8, differs_since_ms, outcome, newest_ref, covered_until_ms
    from unnest(
      ${asked.map(({ symbolId }) => symbolId)}::int4[],
      ${asked.map(({ source }) => source)}::text[],
      ${asked.map(({ expiresAt }) => expiresAt)}::int8[],
      ${asked.map(({ differsSince }) => differsSince)}::int8[],
      ${asked.map(({ answer }) => (answer.kind === 'none' ? null : answer.kind))}::text[],
      ${asked.map(newestRefOf)}::int8[],
      ${asked.map(({ coveredUntil }) => coveredUntil)}::int8[]
    ) as a (symbol_id, source, expires_ms, differs_since_ms, outcome, newest_ref, covered_until_ms)
    on conflict (symbol_id, source, expires_ms) do update set last_requested_ms = excluded.last_requested_ms,
      differs_since_ms = excluded.differs_since_ms, outcome = excluded.outcome, newest_ref = excluded.newest_ref,
      covered_until_ms = excluded.covered_until_ms`.execute(db)
}
