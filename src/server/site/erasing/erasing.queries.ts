import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import type { ErasedAccount } from '#server/site/erasing/erased-file.ts'

const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::int8`

/** 100 accounts: a round takes seconds, so that the job can stop when the server stops. */
const PER_ROUND = 100

/** The closing of an account whose waiting time is over, and that no money, order or payment prevents. */
export interface DueClosing {
  readonly userId: string
  readonly id: string
}

/** Lists at most 100 closings whose accounts can be erased now, the longest due first. */
export async function listDueClosings(db: Db): Promise<DueClosing[]> {
  const { rows } = await sql<{ user_id: string; id: string }>`
    select c.user_id, c.id from account_closing c cross join lateral account_obstacles(c.user_id) o
    where c.state = 'closing' and c.erase_ms <= ${NOW}
      and (o.open_orders, o.withdrawals, o.deposits, o.decisions, o.cash, o.withdrawing) = (0, 0, 0, 0, 0, 0)
      and not exists (select from money_step s where s.user_id = c.user_id and s.batch_id is null)
    order by c.erase_ms limit ${PER_ROUND}`.execute(db)
  return rows.map(({ user_id: userId, id }) => ({ userId, id }))
}

/** Lists the keys of all steps of a user's payments. Each step has its own receipt. */
export async function listStepsOf(tx: Tx, userId: string): Promise<OrderKey[]> {
  const rows = await tx.selectFrom('money_step').select('id').where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(({ id }) => ({ userId, orderId: id }))
}

interface Erasing {
  readonly userId: string
  readonly name: string
  readonly passwordHash: string
  readonly steps: readonly OrderKey[]
  /** For each step, in the same sequence, the hash of its owner that stays in the receipt. */
  readonly ownerHashes: readonly string[]
  /**
   * The encrypted record that the law requires the operator to keep, with the time until which it is kept. Null when
   * the operator keeps none.
   */
  readonly record: { readonly sealed: string; readonly untilMs: number } | null
  /** If a restored backup brought the user back: the time when the account was first erased. Otherwise null. */
  readonly erasedAt: number | null
}

/**
 * Erases the data of a user. The database refuses while the account has money, open orders or pending payments. Returns
 * the names of the user's uploaded files.
 */
export async function eraseRows(tx: Tx, erasing: Erasing): Promise<string[]> {
  const { userId, name, passwordHash, steps, ownerHashes, record, erasedAt } = erasing
  const { rows } = await sql<{ files: string[] }>`
    select erase_account(${userId}::uuid, ${name}, ${passwordHash}, ${steps.map(({ orderId }) => orderId)}::uuid[],
      ${ownerHashes}::text[], ${record?.sealed ?? null}, ${record?.untilMs ?? null}::int8, ${erasedAt}::int8) as files`.execute(
    tx,
  )
  return rows[0]?.files ?? []
}

/** Lists all erased accounts. */
export async function listErased(db: Db | Tx): Promise<ErasedAccount[]> {
  const rows = await db.selectFrom('erased_account').select(['user_id', 'erased_ms']).execute()
  return rows.map((row) => ({ userId: row.user_id, erasedAt: Number(row.erased_ms) }))
}

/** Returns those of the given ids that belong to an account. */
export async function knownUsers(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('app_user').select('id').where(sql<boolean>`id = any (${ids}::uuid[])`).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns the kept record of an erased account, encrypted. */
export async function findRecord(
  db: Db | Tx,
  userId: string,
): Promise<{ readonly sealed: string; readonly untilMs: number } | null> {
  const row = await db
    .selectFrom('kept_record')
    .select(['sealed', 'until_ms'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? { sealed: row.sealed, untilMs: Number(row.until_ms) } : null
}

/** Deletes the kept records whose time is over. */
export async function deleteOldRecords(db: Db): Promise<void> {
  await sql`delete from kept_record where until_ms <= ${NOW}`.execute(db)
}
