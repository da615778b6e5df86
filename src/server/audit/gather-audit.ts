import { toHex } from '#core/proof/bytes.ts'
import { makeEntry } from '#core/register/entry.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { GatheredEntry } from '#server/register/close-minute.ts'
import { newestFacts } from '#server/register/register.queries.ts'

/**
 * Returns the number and the hash of the newest entry of the audit log. The number is 0 while the audit log is empty.
 */
export async function auditHead(db: Db): Promise<{ readonly seq: number; readonly hash: string }> {
  const row = await db
    .selectFrom('admin_action')
    .select(['seq', 'hash'])
    .where('seq', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { seq: Number(row?.seq ?? 0), hash: toHex(row?.hash ?? new Uint8Array()) }
}

/**
 * Adds the last number and hash of the audit log to the register, at most once an hour and only when the log has new
 * entries. This fixes the order of the log without publishing its content.
 */
export async function gatherAudit(tx: Tx, nowMs: number): Promise<readonly GatheredEntry[]> {
  const { atMs, facts } = await newestFacts(tx, 'audit')
  const head = await auditHead(tx)
  if (head.seq === facts['seq'] || nowMs - atMs < HOUR_MS) return []
  return [makeEntry('audit', { at_ms: nowMs, ...head })]
}
