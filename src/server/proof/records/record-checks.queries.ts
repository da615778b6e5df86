import { sql } from 'kysely'
import { price } from '#core/money/price.ts'
import type { ContradictedEntry, FirstReading, RecordReading, RecordTrade } from '#core/orders/rules/made-good.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import {
  type DecisionKey,
  type DecisionRow,
  decisionValues,
  isDecision,
  toDecisionKey,
} from '#server/proof/records/decisions.queries.ts'

/** A decided price for which the record of its source is requested. */
export interface RecordCheck extends DecisionKey {
  readonly notedAt: Instant
  readonly requestedAt: Instant | null
  /** The first reading of the record. Null before. */
  readonly first: FirstReading | null
}

/** Adds a check for each expiry that is void because the record was unavailable or contradicted the tick log. */
export async function noteVoids(db: Db, now: Instant): Promise<void> {
  await sql`
    insert into record_check (symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence, noted_ms)
    select d.symbol_id, d.source, d.expires_ms, d.max_tick_age_ms, d.rule, d.evidence, ${now}::int8 from decided_price d
    where d.void_reason in ('history_unavailable', 'history_contradicts') and d.evidence <> 'none'
      and not exists (select from record_check c where c.symbol_id = d.symbol_id and c.expires_ms = d.expires_ms
        and c.source = d.source and c.max_tick_age_ms = d.max_tick_age_ms and c.rule = d.rule and c.evidence = d.evidence)
    on conflict do nothing`.execute(db)
}

/** Adds a check for a decision that the record contradicts, with this reading of the record as its first reading. */
export async function noteDifference(db: Db, key: DecisionKey, reading: RecordReading, now: Instant): Promise<void> {
  const text = readingText(reading)
  await db
    .insertInto('record_check')
    .values({ ...decisionValues(key), noted_ms: now, asked_ms: now, first_ms: now, first_reading: text })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists the checks that are not finished, earliest expiry first. */
export async function listUnread(db: Db): Promise<RecordCheck[]> {
  const rows = await db
    .selectFrom('record_check')
    .selectAll()
    .where('read_ms', 'is', null)
    .orderBy('expires_ms')
    .orderBy('symbol_id')
    .orderBy('source')
    .execute()
  return rows.map((row) => ({
    ...toDecisionKey(row),
    notedAt: instant(row.noted_ms),
    requestedAt: row.asked_ms === null ? null : instant(row.asked_ms),
    first:
      row.first_ms === null || row.first_reading === null
        ? null
        : { at: instant(row.first_ms), reading: row.first_reading },
  }))
}

/** Counts the checks that are not finished. */
export async function countUnread(db: Db): Promise<number> {
  const row = await db
    .selectFrom('record_check')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('read_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * Stores that a record was requested, and the first reading. With `isRead`, the record has given this reading twice, so
 * the check is finished.
 */
export async function storeAnswer(
  db: Db,
  key: DecisionKey,
  { now, first, isRead }: { readonly now: Instant; readonly first: RecordCheck['first']; readonly isRead: boolean },
): Promise<void> {
  await db
    .updateTable('record_check')
    .set({
      asked_ms: now,
      first_ms: first?.at ?? null,
      first_reading: first?.reading ?? null,
      ...(isRead && first && { read_ms: now, reading: first.reading }),
    })
    .where(isDecision('record_check', key))
    .where('read_ms', 'is', null)
    .execute()
}

interface JsonTrade {
  readonly ref: number | null
  readonly price: number
  readonly time_ms: number
}

/** Formats a reading for comparing and storing. */
export function readingText({ last, next, entries }: RecordReading): string {
  const contradicted = entries.map(({ of, trade }) => ({ of, ...toJson(trade) }))
  return JSON.stringify({
    last: toJson(last),
    next: toJson(next),
    ...(entries.length > 0 && { entries: contradicted }),
  })
}

/** Parses a stored reading. A reading without `entries` contradicts no entry price. */
export function parseReading(text: string): RecordReading {
  const {
    last,
    next,
    entries = [],
  } = JSON.parse(text) as {
    last: JsonTrade | null
    next: JsonTrade | null
    entries?: (JsonTrade & { readonly of: number; readonly ref: number })[]
  }
  return { last: toTrade(last), next: toTrade(next), entries: entries.map(toEntry) }
}

function toEntry({ of, ...trade }: JsonTrade & { readonly of: number; readonly ref: number }): ContradictedEntry {
  return { of, trade: { ref: trade.ref, price: price(trade.price), time: instant(trade.time_ms) } }
}

function toJson(trade: RecordTrade | null): JsonTrade | null {
  return trade === null ? null : { ref: trade.ref, price: Number(trade.price), time_ms: trade.time }
}

function toTrade(trade: JsonTrade | null): RecordTrade | null {
  return trade === null ? null : { ref: trade.ref, price: price(trade.price), time: instant(trade.time_ms) }
}

/** A finished check, with the reading that the record gave twice. The payments for its orders are not computed yet. */
export interface ReadCheck extends DecisionKey {
  /** As text, so that an unreadable reading does not hide the other readings. */
  readonly reading: string
}

/** Lists the finished checks whose orders have all ended and for which no payments are computed yet. */
export async function listUnclosed(db: Db): Promise<ReadCheck[]> {
  const rows = await db
    .selectFrom('record_check as c')
    .selectAll()
    .where('read_ms', 'is not', null)
    .where('closed_ms', 'is', null)
    .where(
      sql<boolean>`not exists (select from open_order o where o.symbol_id = c.symbol_id and o.expires_ms = c.expires_ms
        and o.entry_source = c.source)`,
    )
    .orderBy('read_ms')
    .orderBy('expires_ms')
    .execute()
  return rows.map((row) => ({ ...toDecisionKey(row), reading: row.reading ?? '' }))
}

/** Notes that the payments for a check are computed. Returns false when another server did it. */
export async function closeCheck(tx: Tx, key: DecisionKey, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('record_check')
    .set({ closed_ms: now })
    .where(isDecision('record_check', key))
    .where('read_ms', 'is not', null)
    .where('closed_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Finds the reading of the record for a decision. */
export async function findReading(db: Db, row: DecisionRow): Promise<RecordReading> {
  const { reading } = await db
    .selectFrom('record_check as c')
    .select('reading')
    .where(isDecision('c', toDecisionKey(row)))
    .executeTakeFirstOrThrow()
  return parseReading(reading ?? '')
}
