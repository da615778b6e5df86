import { sql } from 'kysely'
import type { AccountObstacles } from '#core/accounts/closing.ts'
import { money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Inserts the closing of an account. The database sets its times. */
export async function insertClosing(
  tx: Tx,
  { userId, id, reason }: { readonly userId: string; readonly id: string; readonly reason: string },
): Promise<void> {
  await tx.insertInto('account_closing').values({ user_id: userId, id, reason }).execute()
}

/** Cancels a closing. The database refuses the cancellation when it is too late, and during an exclusion. */
export async function cancelClosing(tx: Tx, userId: string, id: string): Promise<void> {
  await tx
    .updateTable('account_closing')
    .set({ state: 'cancelled' })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** The end of an account: it is closing, and will be erased at `erasesAt`, or it is erased. */
export interface AccountEnd {
  readonly state: 'closing' | 'erased'
  readonly erasesAt: Instant
}

/** Returns whether an account is closing or erased. Returns null when it is neither. */
export async function findAccountEnd(db: Db, userId: string): Promise<AccountEnd | null> {
  const row = await db
    .selectFrom('account_closing')
    .select(['state', 'erase_ms'])
    .where('user_id', '=', userId)
    .where('state', '<>', 'cancelled')
    .executeTakeFirst()
  if (row === undefined || row.state === 'cancelled') return null
  return { state: row.state, erasesAt: instant(row.erase_ms) }
}

/** Reads the obstacles to the erasing of a user's data: open orders, pending payments and decisions, and cash. */
export async function readObstacles(db: Db, userId: string): Promise<AccountObstacles> {
  const { rows } = await sql<{
    open_orders: number
    withdrawals: number
    deposits: number
    decisions: number
    cash: bigint
  }>`select * from account_obstacles(${userId})`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an account has a balance')
  const { open_orders: openOrders, withdrawals, deposits, decisions, cash } = row
  return { openOrders, withdrawals, deposits, decisions, cash: money(cash) }
}
