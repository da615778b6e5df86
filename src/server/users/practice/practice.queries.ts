import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { NOT_OF_ORDERS } from '#server/ledger/not-of-orders.ts'
import { openBalance } from '#server/ledger/open-balance.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface PracticeAccount {
  readonly id: string
  readonly balance: Money
  readonly openOrders: number
  readonly granted: Money
  /** The latest reset. Null before the first one. */
  readonly resetAt: Instant | null
}

/** Finds the practice account of a user. Null when it is not open. */
export async function findPractice(db: Db | Tx, ownerId: string): Promise<PracticeAccount | null> {
  const { rows } = await sql<{
    id: string
    cash: bigint
    open_orders: number
    granted: bigint
    reset_ms: bigint | null
  }>`
    select p.id, b.cash, b.open_orders, g.granted, g.reset_ms
    from app_user p join balance b on b.user_id = p.id
    cross join lateral (
      select coalesce(sum(case t.kind when 'practice_grant' then t.amount else -t.amount end), 0)::int8 as granted,
        max(t.created_ms) filter (where t.ref <> t.user_id) as reset_ms
      from transfer t
      where t.user_id = p.id and ${NOT_OF_ORDERS} and t.kind in ('practice_grant', 'practice_return')
    ) g
    where p.practice_of = ${ownerId}::uuid`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    balance: money(row.cash),
    openOrders: row.open_orders,
    granted: money(row.granted),
    resetAt: row.reset_ms === null ? null : instant(row.reset_ms),
  }
}

/** Makes openings of the practice account of one user run one after the other. */
export async function lockOwner(tx: Tx, ownerId: string): Promise<void> {
  await tx.selectFrom('app_user').select('id').where('id', '=', ownerId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Locks the balance, so that no order opens before the transaction ends. */
export async function lockBalance(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('balance').select('cash').where('user_id', '=', userId).forUpdate().executeTakeFirstOrThrow()
}

/**
 * Inserts a practice account without a password and without contacts. The database copies the rights of the owner. No
 * user can choose a name with a colon.
 */
export async function insertPractice(
  tx: Tx,
  { id, ownerId, now }: { readonly id: string; readonly ownerId: string; readonly now: Instant },
): Promise<void> {
  const none = { email: null, pin_hash: null, image_path: null, invitation_code: null }
  await tx
    .insertInto('app_user')
    .values({
      ...none,
      id,
      practice_of: ownerId,
      username: `practice:${ownerId}`,
      mobile: '',
      password_hash: '',
      created_ms: now,
    })
    .execute()
  await openBalance(tx, id)
}

/** Whether the transfer of a reset was posted. */
export async function isPosted(tx: Tx, userId: string, ref: string): Promise<boolean> {
  const row = await tx
    .selectFrom('transfer')
    .select('amount')
    .where('user_id', '=', userId)
    .where('ref', '=', ref)
    .where('step', '=', 'grant')
    .executeTakeFirst()
  return row !== undefined
}
