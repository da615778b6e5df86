import type { SourceClass } from '#core/markets/source-class.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { SourceExpiry } from '#server/trading/evidence/history-question.queries.ts'

/** An expiry with open orders that the log has not decided. */
export interface UndecidedExpiry extends SourceExpiry {
  readonly maxTickAgeMs: number
  readonly evidence: Exclude<SourceClass, 'none'>
}

const MAX_EXPIRIES = 2_000

/**
 * Lists expiries up to `until` that have open orders whose source keeps a public record or computes its prices,
 * earliest first.
 */
export async function undecidedExpiries(db: Db, until: Instant): Promise<UndecidedExpiry[]> {
  const rows = await db
    .selectFrom('open_order')
    .select(['symbol_id', 'entry_source', 'expires_ms', 'max_tick_age_ms', 'evidence'])
    .distinct()
    .where('expires_ms', '<=', BigInt(until))
    .where('evidence', 'in', ['ids', 'computed'])
    .where('max_tick_age_ms', 'is not', null)
    .orderBy('expires_ms')
    .limit(MAX_EXPIRIES)
    .execute()
  return rows.map((row) => ({
    symbolId: row.symbol_id,
    source: row.entry_source,
    expiresAt: instant(Number(row.expires_ms)),
    maxTickAgeMs: Number(row.max_tick_age_ms),
    evidence: row.evidence === 'ids' ? 'ids' : 'computed',
  }))
}
