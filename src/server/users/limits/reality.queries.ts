import { sql } from 'kysely'
import type { RealitySession } from '#core/accounts/reality-check.ts'
import { money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * A user's reality check: the interval, and the figures of the present session of trading. `session` is null when the
 * user is not trading.
 */
export interface RealityCheck {
  readonly minutes: number
  readonly session: RealitySession | null
}

/**
 * Returns the user's reality check, or null when it is off. `seen` is the due time of a check that the user has
 * answered. If exactly this check is due, the interval starts again.
 */
export async function findRealityCheck(
  db: Db,
  userId: string,
  { now, seen = null }: { readonly now: Instant; readonly seen?: number | null },
): Promise<RealityCheck | null> {
  const { rows } = await sql<{
    minutes: bigint
    from_ms: bigint | null
    due_ms: bigint | null
    ended: bigint
    staked: bigint
    net: bigint
    open: number
    open_stake: bigint
  }>`select * from reality_of(${userId}, ${now}, ${seen}::int8)`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const minutes = Number(row.minutes)
  if (row.from_ms === null || row.due_ms === null) return { minutes, session: null }
  return {
    minutes,
    session: {
      minutes,
      from: instant(row.from_ms),
      dueAt: instant(row.due_ms),
      closedOrders: Number(row.ended),
      staked: money(row.staked),
      net: money(row.net),
      openOrders: row.open,
      openStake: money(row.open_stake),
    },
  }
}

/** Returns which of these users have a reality check. */
export async function usersWithRealityCheck(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('self_limit')
    .select('user_id')
    .where('key', '=', 'reality_check')
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}
