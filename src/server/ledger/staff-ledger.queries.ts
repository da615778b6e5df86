import { type RawBuilder, sql } from 'kysely'
import { type Account, isUserAccount } from '#core/ledger/account.ts'
import type { Cursor } from '#server/back-office/cursor.ts'
import type { Period } from '#server/back-office/period.ts'
import type { Db } from '#server/db/tables.ts'

/** What a movement was for. */
export interface Subject {
  readonly kind: 'order' | 'deposit' | 'withdrawal'
  readonly trx: string
  readonly userId: string
  readonly id: string
}

export interface TransferFilters {
  readonly userId: string | null
  readonly kind: string | null
  readonly account: Account | null
  readonly subject: Subject | null
  readonly period: Period
}

export interface LedgerRow {
  readonly user_id: string
  readonly username: string
  readonly ref: string
  readonly step: string
  readonly kind: string
  readonly from_account: string
  readonly to_account: string
  readonly currency: string
  readonly amount: bigint
  readonly created_ms: bigint
}

const COLUMNS = sql`
  t.user_id, coalesce(u.username, '') as username, t.ref, t.step, t.kind, t.from_account, t.to_account, t.currency, t.amount,
  t.created_ms`

/** Movements of money, newest first; `after` holds time, ref and step of the last one read. */
export async function listTransfers(
  db: Db,
  filters: TransferFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ${COLUMNS} from transfer t left join app_user u on u.id = t.user_id
    where ${sql.join([...conditions(filters, after), sql`true`], sql` and `)}
    order by t.created_ms desc, t.ref desc, t.step desc limit ${limit}`.execute(db)
  return rows
}

/** Every movement for one thing, the first one first. */
export async function transfersOf(db: Db, userId: string, ref: string): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ${COLUMNS} from transfer t left join app_user u on u.id = t.user_id
    where t.user_id = ${userId}::uuid and t.ref = ${ref}::uuid
    order by t.created_ms, t.step desc`.execute(db)
  return rows
}

/** What has this reference, or null. */
export async function findSubject(db: Db, trx: string): Promise<Subject | null> {
  return firstSubject(db, sql`trx = ${trx}`)
}

/** What a transfer of this user was for, or null: a correction, a bonus. */
export async function subjectOf(db: Db, userId: string, ref: string): Promise<Subject | null> {
  return firstSubject(db, sql`user_id = ${userId}::uuid and id = ${ref}::uuid`)
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

function* conditions(
  { userId, kind, account, subject, period }: TransferFilters,
  after: Cursor | null,
): Generator<RawBuilder<unknown>> {
  if (userId !== null) yield sql`t.user_id = ${userId}::uuid`
  if (kind !== null) yield ofKind(kind)
  if (account !== null) yield touching(account)
  if (subject !== null) yield sql`t.user_id = ${subject.userId}::uuid and t.ref = ${subject.id}::uuid`
  if (period.from !== null) yield sql`t.created_ms >= ${period.from}::int8`
  if (period.until !== null) yield sql`t.created_ms < ${period.until}::int8`
  if (after !== null) {
    const [time, ref, step] = after
    yield sql`(t.created_ms, t.ref, t.step) < (${Number(time)}::int8, ${String(ref)}::uuid, ${String(step)})`
  }
}

/** Most transfers are of one of these: found in the list of all soon enough. The others have an index. */
const COMMON_KINDS = ['order_stake', 'order_win', 'order_lose', 'order_profit']

/** Written as the index is, or it would not be used. */
function ofKind(kind: string): RawBuilder<unknown> {
  const isIt = sql`t.kind = ${kind}`
  return COMMON_KINDS.includes(kind)
    ? isIt
    : sql`${isIt} and t.kind not in (${sql.join(COMMON_KINDS.map((common) => sql.lit(common)))})`
}

/**
 * Those from or to an account. The user's rarer two and those of the house, but for trading, have indexes of their own;
 * written as the indexes are, or they would not be used.
 */
function touching(account: Account): RawBuilder<unknown> {
  const isEither = sql`(t.from_account = ${account} or t.to_account = ${account})`
  if (account === 'withdrawing' || account === 'credits')
    return sql`${isEither} and (t.from_account in ('withdrawing', 'credits') or t.to_account in ('withdrawing', 'credits'))`
  if (isUserAccount(account) || account === 'house:trading') return isEither
  return sql`(case when t.from_account like 'house:%' then t.from_account else t.to_account end) = ${account}
    and (t.from_account like 'house:%' or t.to_account like 'house:%')
    and t.from_account <> 'house:trading' and t.to_account <> 'house:trading'`
}
