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
  const open = db
    .selectFrom('open_order')
    .where('expires_ms', '<=', BigInt(until))
    .where('evidence', 'in', ['ids', 'computed'])
    .where('max_tick_age_ms', 'is not', null)
  const sources = await open.select(['symbol_id', 'entry_source']).distinct().execute()
  const rows = []
  for (const { symbol_id: symbolId, entry_source: source } of sources) {
    const ofSource = open
      .select(['symbol_id', 'entry_source', 'expires_ms', 'max_tick_age_ms', 'evidence'])
      .distinct()
      .where('symbol_id', '=', symbolId)
      .where('entry_source', '=', source)
      .orderBy('expires_ms')
      .limit(MAX_EXPIRIES)
    rows.push(...(await ofSource.execute()))
  }
  const expiries = rows.map((row) => ({
    symbolId: row.symbol_id,
    source: row.entry_source,
    expiresAt: instant(Number(row.expires_ms)),
    maxTickAgeMs: Number(row.max_tick_age_ms),
    evidence: row.evidence === 'ids' ? ('ids' as const) : ('computed' as const),
  }))
  return expiries.toSorted((a, b) => a.expiresAt - b.expiresAt)
}
