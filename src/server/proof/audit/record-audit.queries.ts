import { sql } from 'kysely'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import type { Db } from '#server/platform/database/tables.ts'
import {
  DECISION_COLUMNS,
  type DecisionKey,
  type DecisionRow,
  decisionValues,
  isDecision,
  toDecisionKey,
} from '#server/proof/records/decisions.queries.ts'
import { readHeads } from '#server/proof/receipts/order-rows.queries.ts'

/** One in 100 decided prices is compared with the record of its source. */
const ONE_OF = 100
/** 1 minute: a decision is stored within this time. So a choice leaves younger decisions to the next choice. */
const STORED_AFTER_MS = MINUTE_MS
/** Uses 8 hexadecimal digits of the hash, which are 32 bits. */
const DIGITS = 8

/**
 * Chooses among the prices that were decided since the last choice, if the last choice was at least `everyMs` ago. The
 * choice depends on the hash of the tick log at the decision, so the choice cannot be predicted.
 */
export async function chooseForAudit(db: Db, now: Instant, everyMs: number): Promise<void> {
  const mark = await db.selectFrom('record_audit_mark').select('decided_ms').executeTakeFirst()
  const until = now - STORED_AFTER_MS
  const last = mark === undefined ? null : Number(mark.decided_ms)
  // A mark from the future was stored before a clock that was ahead was set back.
  const since = last === null || last > now ? until - everyMs : last
  if (until < since + everyMs) return
  const { rows } = await sql<DecisionRow & { head_seq: bigint }>`
    select ${sql.join(DECISION_COLUMNS.map((name) => sql.ref(name)))}, head_seq from decided_price
    where decided_ms > ${since}::int8 and decided_ms <= ${until}::int8 and evidence <> 'none'
      and void_reason is distinct from 'history_unavailable' and void_reason is distinct from 'history_contradicts'`.execute(
    db,
  )
  const heads = await readHeads(
    db,
    rows.map(({ head_seq }) => Number(head_seq)),
  )
  const chosen = rows.filter((row) => isChosen(heads.get(Number(row.head_seq)) ?? '', Number(row.expires_ms)))
  await db.transaction().execute(async (tx) => {
    for (const row of chosen) {
      await tx
        .insertInto('record_audit')
        .values({ ...decisionValues(toDecisionKey(row)), chosen_ms: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await tx
      .insertInto('record_audit_mark')
      .values({ id: 1, decided_ms: until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ decided_ms: until }))
      .execute()
  })
}

/**
 * Whether the decided price of an expiry is chosen for the audit. The choice depends on a hash of two values: the head
 * of the tick log at the decision, and the expiry.
 */
export function isChosen(head: string, expiresMs: number): boolean {
  return Number.parseInt(sha256OfText(`${head}${expiresMs}`).slice(0, DIGITS), 16) % ONE_OF === 0
}

/** Lists chosen prices that are not compared yet and whose record has not been requested since `before`. */
export async function listOpenAudits(db: Db, before: Instant, limit: number): Promise<DecisionKey[]> {
  const rows = await db
    .selectFrom('record_audit')
    .select(DECISION_COLUMNS)
    .where('is_equal', 'is', null)
    .where((either) => either.or([either('asked_ms', 'is', null), either('asked_ms', '<', BigInt(before))]))
    .orderBy('chosen_ms')
    .orderBy('expires_ms')
    .limit(limit)
    .execute()
  return rows.map(toDecisionKey)
}

/** Stores the outcome of a comparison. `isEqual` is null when the record could not be read. */
export async function storeAudit(db: Db, key: DecisionKey, now: Instant, isEqual: boolean | null): Promise<void> {
  await db
    .updateTable('record_audit')
    .set({ asked_ms: now, is_equal: isEqual })
    .where(isDecision('record_audit', key))
    .where('is_equal', 'is', null)
    .execute()
}

/** Counts the prices that were chosen for the audit since an instant, by the outcome of their comparison. */
export async function countAudits(
  db: Db,
  since: Instant,
): Promise<{ readonly chosen: number; readonly equal: number; readonly different: number }> {
  const row = await db
    .selectFrom('record_audit')
    .select(({ fn }) => [
      fn.countAll<bigint>().as('chosen'),
      fn.countAll<bigint>().filterWhere('is_equal', '=', true).as('equal'),
      fn.countAll<bigint>().filterWhere('is_equal', '=', false).as('different'),
    ])
    .where('chosen_ms', '>=', BigInt(since))
    .executeTakeFirstOrThrow()
  return { chosen: Number(row.chosen), equal: Number(row.equal), different: Number(row.different) }
}
