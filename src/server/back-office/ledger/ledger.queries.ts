import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'
import { type LedgerRow, LEDGER_COLUMNS } from '#server/back-office/ledger/newest-transfers.queries.ts'

/** The order, deposit or withdrawal that a transfer belongs to. */
export interface Subject {
  readonly kind: 'order' | 'deposit' | 'withdrawal'
  readonly trx: string
  readonly userId: string
  readonly id: string
}

/** Lists all transfers of one subject, oldest first. The transfers of a deposit belong to its arrivals. */
export async function transfersOf(db: Db, userId: string, ref: string): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ${LEDGER_COLUMNS} from transfer t left join app_user u on u.id = t.user_id
    where t.user_id = ${userId}::uuid and (t.ref = ${ref}::uuid or t.ref in (
      select a.id from arrival a where a.user_id = ${userId}::uuid and a.deposit_id = ${ref}::uuid))
    order by t.created_ms, t.step desc`.execute(db)
  return rows
}

/** Finds the subject with this reference, or null. */
export async function findSubject(db: Db, trx: string): Promise<Subject | null> {
  return firstSubject(db, sql`trx = ${trx}`)
}

/**
 * Finds the subject of a user's transfers with this `ref`. Returns null for transfers without a subject, such as an
 * adjustment or a bonus.
 */
export async function subjectOf(db: Db, userId: string, ref: string): Promise<Subject | null> {
  return firstSubject(
    db,
    sql`user_id = ${userId}::uuid and id = coalesce((
      select a.deposit_id from arrival a where a.id = ${ref}::uuid and a.user_id = ${userId}::uuid), ${ref}::uuid)`,
  )
}

async function firstSubject(db: Db, isIt: RawBuilder<unknown>): Promise<Subject | null> {
  const { rows } = await sql<{ kind: Subject['kind']; trx: string; user_id: string; id: string }>`
    select 'order' as kind, trx, user_id, id from open_order where ${isIt}
    union all select 'order', trx, user_id, id from order_history where ${isIt}
    union all select 'deposit', trx, user_id, id from deposit where ${isIt}
    union all select 'withdrawal', trx, user_id, id from withdrawal where ${isIt}
    limit 1`.execute(db)
  const [row] = rows
  return row ? { kind: row.kind, trx: row.trx, userId: row.user_id, id: row.id } : null
}
