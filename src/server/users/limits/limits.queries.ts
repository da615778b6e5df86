import { sql } from 'kysely'
import type { OwnRuleKey } from '#core/accounts/self-limits.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** A change of an own limit, and how it ended if it had to wait. */
export interface LimitChange {
  readonly id: string
  readonly key: OwnRuleKey
  /** As stored: minor units of an amount, minutes of the reality check, 1 of the withdrawal lock. */
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

/** Finds the limits in force, without how much of each limit is used. */
export async function limitsInForce(db: Db, userId: string): Promise<Map<OwnRuleKey, bigint>> {
  const rows = await db.selectFrom('self_limit').select(['key', 'amount']).where('user_id', '=', userId).execute()
  return new Map(rows.map(({ key, amount }) => [key, amount]))
}

/** The newest changes of a user, or one change. Only changes without an end wait. */
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

/** More than the changes that can wait: one for each limit. */
const MAX_WAITING = 50

/** The looser changes that wait for their time or for the user's confirmation. */
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

/** Ends a change that waits. Returns how it ended: a change that was confirmed too late lapses. */
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
