import type { SourceClass } from '#core/markets/source-class.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { SourceExpiry } from '#server/trading/evidence/history-question.queries.ts'

/** An expiry with open orders that the log has not decided. */
export interface UndecidedExpiry extends SourceExpiry {
  readonly maxTickAgeMs: number
  readonly evidence: Exclude<SourceClass, 'none'>
}

/** Of each symbol and source, so that an unreachable source leaves room for the expiries of the other sources. */
const MAX_EXPIRIES = 2_000

/**
 * Lists expiries up to `until` that have open orders whose source keeps a public record or computes its prices,
 * earliest first.
 */
export async function undecidedExpiries(db: Db, until: Instant): Promise<UndecidedExpiry[]> {
  const expiries = db
    .selectFrom('open_order')
    .select(['symbol_id', 'entry_source', 'expires_ms', 'max_tick_age_ms', 'evidence'])
    .distinct()
    .where('expires_ms', '<=', BigInt(until))
    .where('evidence', 'in', ['ids', 'computed'])
    .where('max_tick_age_ms', 'is not', null)
  const numbered = db
    .selectFrom(expiries.as('e'))
    .selectAll()
    .select(({ fn }) =>
      fn
        .agg<bigint>('row_number')
        .over((over) => over.partitionBy(['symbol_id', 'entry_source']).orderBy('expires_ms'))
        .as('nth'),
    )
  const rows = await db
    .selectFrom(numbered.as('n'))
    .selectAll()
    .where('nth', '<=', BigInt(MAX_EXPIRIES))
    .orderBy('expires_ms')
    .execute()
  return rows.map((row) => ({
    symbolId: row.symbol_id,
    source: row.entry_source,
    expiresAt: instant(Number(row.expires_ms)),
    maxTickAgeMs: Number(row.max_tick_age_ms),
    evidence: row.evidence === 'ids' ? 'ids' : 'computed',
  }))
}
