import { sql } from 'kysely'
import type { OwnRuleKey } from '#core/accounts/self-limits.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** A change of a limit that a user set, with its outcome. */
export interface LimitChange {
  readonly id: string
  readonly key: OwnRuleKey
  /**
   * The value in its stored form: minor units of an amount, minutes of a reality check, or 1 for a withdrawal lock that
   * is on.
   */
  readonly from: bigint | null
  readonly to: bigint | null
  readonly direction: 'tighter' | 'looser'
  readonly requestedAt: Instant
  readonly readyAt: Instant
  readonly lapsesAt: Instant
  readonly outcome: 'confirmed' | 'dropped' | 'lapsed' | 'waiting' | 'in_force'
  readonly isReady: boolean
}

const NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`
/** Locks a user's limits against other changes, and against orders that are being accepted. */
export async function lockLimits(tx: Tx, userId: string): Promise<void> {
  await sql`select lock_self_rules(${userId})`.execute(tx)
}

/** Finds the limits of a user that are in force. This does not compute how much of each limit is used. */
export async function limitsInForce(db: Db, userId: string): Promise<Map<OwnRuleKey, bigint>> {
  const rows = await db.selectFrom('self_limit').select(['key', 'amount']).where('user_id', '=', userId).execute()
  return new Map(rows.map(({ key, amount }) => [key, amount]))
}

/**
 * Lists the newest changes of a user's limits, or only the change `id`. With `waiting`, lists only looser changes that
 * have not ended or lapsed.
 */
export async function listChanges(
  db: Db,
  userId: string,
  { limit, id, waiting = false }: { readonly limit: number; readonly id?: string; readonly waiting?: boolean },
): Promise<LimitChange[]> {
  const rows = await db
    .selectFrom('self_limit_change as c')
    .leftJoin('self_limit_change_end as e', (join) =>
      join.onRef('e.user_id', '=', 'c.user_id').onRef('e.id', '=', 'c.id'),
    )
    .selectAll('c')
    .select(['e.outcome', NOW.as('now_ms')])
    .where('c.user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('c.id', '=', id ?? ''))
    .$if(waiting, (query) =>
      query.where('c.direction', '=', 'looser').where('e.id', 'is', null).where('c.lapses_ms', '>', NOW),
    )
    .orderBy('c.asked_ms', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    from: row.from_amount,
    to: row.to_amount,
    direction: row.direction,
    requestedAt: instant(row.asked_ms),
    readyAt: instant(row.ready_ms),
    lapsesAt: instant(row.lapses_ms),
    outcome:
      row.outcome ?? (row.direction === 'tighter' ? 'in_force' : row.now_ms < row.lapses_ms ? 'waiting' : 'lapsed'),
    isReady: row.now_ms >= row.ready_ms,
  }))
}

/** 50: more changes than can wait, because at most one waits for each limit. */
const MAX_WAITING = 50

/** Lists the looser changes that wait for the end of their 24 hours, or for the user's confirmation. */
export function listWaitingChanges(db: Db, userId: string): Promise<LimitChange[]> {
  return listChanges(db, userId, { limit: MAX_WAITING, waiting: true })
}

/** Adds a change. The database decides whether it takes effect at once or waits. */
export async function insertChange(
  tx: Tx,
  change: { readonly userId: string; readonly id: string; readonly key: OwnRuleKey; readonly to: bigint | null },
): Promise<void> {
  await tx
    .insertInto('self_limit_change')
    .values({ user_id: change.userId, id: change.id, key: change.key, to_amount: change.to })
    .execute()
}

export interface ChangeEnd {
  readonly userId: string
  readonly id: string
  readonly outcome: 'confirmed' | 'dropped'
}

/**
 * Ends a waiting change. Returns its outcome, which the database decides: a change that is confirmed too late is
 * `lapsed`.
 */
export async function endChange(
  tx: Tx,
  { userId, id, outcome }: ChangeEnd,
): Promise<'confirmed' | 'dropped' | 'lapsed'> {
  const row = await tx
    .insertInto('self_limit_change_end')
    .values({ user_id: userId, id, outcome })
    .returning('outcome')
    .executeTakeFirstOrThrow()
  return row.outcome
}
