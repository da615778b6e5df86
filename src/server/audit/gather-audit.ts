import { toHex } from '#core/proof/bytes.ts'
import { makeEntry } from '#core/register/entry.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { GatheredEntry } from '#server/register/close-minute.ts'
import { newestFacts } from '#server/register/register.queries.ts'

/** The newest chained line of the audit log. Number 0 while the log is empty. */
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

/** Fixes the order of the audit log in the register, each hour that has new lines. Its content stays inside. */
export async function gatherAudit(tx: Tx, nowMs: number): Promise<readonly GatheredEntry[]> {
  const { atMs, facts } = await newestFacts(tx, 'audit')
  const head = await auditHead(tx)
  if (head.seq === facts['seq'] || nowMs - atMs < HOUR_MS) return []
  return [makeEntry('audit', { at_ms: nowMs, ...head })]
}
