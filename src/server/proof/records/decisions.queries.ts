import { sql } from 'kysely'
import type { SourceClass } from '#core/markets/source-class.ts'
import { price } from '#core/money/price.ts'
import type { VoidReason } from '#core/orders/order.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The key of a decided price of rule 2 or later. */
export interface DecisionKey {
  readonly symbolId: number
  readonly source: string
  readonly expiresAt: Instant
  readonly maxTickAgeMs: number
  readonly rule: number
  readonly evidence: SourceClass
}

export const DECISION_COLUMNS = ['symbol_id', 'source', 'expires_ms', 'max_tick_age_ms', 'rule', 'evidence'] as const

export interface DecisionRow {
  readonly symbol_id: number
  readonly source: string
  readonly expires_ms: bigint
  readonly max_tick_age_ms: number
  readonly rule: number
  readonly evidence: string
}

export function toDecisionKey(row: DecisionRow): DecisionKey {
  return {
    symbolId: row.symbol_id,
    source: row.source,
    expiresAt: instant(row.expires_ms),
    maxTickAgeMs: row.max_tick_age_ms,
    rule: row.rule,
    evidence: row.evidence === 'ids' ? 'ids' : 'computed',
  }
}

export function decisionValues(key: DecisionKey) {
  return {
    symbol_id: key.symbolId,
    source: key.source,
    expires_ms: key.expiresAt,
    max_tick_age_ms: key.maxTickAgeMs,
    rule: key.rule,
    evidence: key.evidence,
  }
}

/** Returns the SQL condition that a row of the table `alias` has this key. */
export function isDecision(alias: string, key: DecisionKey) {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`${column('symbol_id')} = ${key.symbolId}::int4 and ${column('expires_ms')} = ${key.expiresAt}::int8
    and ${column('source')} = ${key.source} and ${column('max_tick_age_ms')} = ${key.maxTickAgeMs}::int4
    and ${column('rule')} = ${key.rule}::int4 and ${column('evidence')} = ${key.evidence}`
}

/** Finds the price, or the void reason, by which the orders of a decision ended. */
export async function findDecision(
  db: Db,
  key: DecisionKey,
): Promise<{ readonly settledBy: SettlementPrice; readonly decidedAt: Instant }> {
  const row = await db
    .selectFrom('decided_price as d')
    .select(['exit_price', 'void_reason', 'decided_ms'])
    .where(isDecision('d', key))
    .executeTakeFirstOrThrow()
  const settledBy =
    row.exit_price === null
      ? // The column contains only values of `VoidReason`, because only the settlement rules write it.
        ({ kind: 'void', reason: row.void_reason as VoidReason } as const)
      : ({ kind: 'price', exitPrice: price(row.exit_price) } as const)
  return { settledBy, decidedAt: instant(row.decided_ms) }
}
