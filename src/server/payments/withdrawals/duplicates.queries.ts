import { sql } from 'kysely'
import { DAY_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** A sign that a withdrawal is a duplicate, or that its destination is in doubt. */
interface Duplicate {
  readonly check: 'same_request' | 'destination_shared' | 'just_returned'
  /**
   * For `destination_shared`: the number of other users with a withdrawal to this destination that was not rejected or
   * cancelled.
   */
  readonly count: number | null
  /** Whether staff must give a reason to approve the withdrawal. */
  readonly asksReason: boolean
}

/**
 * Finds signs of duplicates of each of these withdrawals, by reference. Each of three facts is a sign: the user
 * requested the same amount to the same destination within 24 h; another user has the same destination; the user's last
 * payment to the destination failed or came back.
 */
export async function findDuplicates(
  db: Db | Tx,
  references: readonly string[],
): Promise<ReadonlyMap<string, readonly Duplicate[]>> {
  if (references.length === 0) return new Map()
  const { rows } = await sql<{ trx: string; same: boolean; others: number; last: string | null }>`
    select w.trx,
      exists (select from withdrawal s where s.user_id = w.user_id and s.id <> w.id and s.destination = w.destination
        and s.amount = w.amount and (w.leave_id is null or s.leave_id is distinct from w.leave_id) and abs(s.created_ms - w.created_ms) < ${DAY_MS}::int8
        and s.state not in ('rejected', 'cancelled', 'failed', 'returned')) as same,
      (select count(distinct o.user_id)::int4 from withdrawal o where o.destination = w.destination
        and o.user_id <> w.user_id and o.state not in ('rejected', 'cancelled')) as others,
      (select l.state from withdrawal l where l.user_id = w.user_id and l.destination = w.destination
        and l.decided_ms is not null and l.state in ('paid', 'failed', 'returned')
        order by l.decided_ms desc, l.id desc limit 1) as last
    from withdrawal w where w.trx = any(${[...references]}::text[]) and w.destination is not null`.execute(db)
  return new Map(rows.map((row) => [row.trx, duplicatesOf(row)]))
}

function duplicatesOf({ same, others, last }: { same: boolean; others: number; last: string | null }): Duplicate[] {
  const found: Duplicate[] = []
  if (same) found.push({ check: 'same_request', count: null, asksReason: true })
  if (others > 0) found.push({ check: 'destination_shared', count: others, asksReason: true })
  if (last === 'failed' || last === 'returned') found.push({ check: 'just_returned', count: null, asksReason: false })
  return found
}
