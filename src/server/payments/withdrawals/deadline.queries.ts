import { sql } from 'kysely'
import { type Money, money, ZERO } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { closesDeposits, REPEAT_WITHIN_MS } from '#core/wallet/withdrawal-deadline.ts'
import { PAID, PENDING } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The status of a credited deposit. The API specification fixes this number. */
const CREDITED = 1

/**
 * Returns whether a withdrawal has been pending for more than ten days. This stops all deposits of the site, and no
 * setting can change it.
 */
export async function areDepositsClosedLate(db: Db, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawal')
    .select('clock_ms')
    .where('status', '=', PENDING)
    .orderBy('clock_ms')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && closesDeposits(instant(row.clock_ms), now)
}

/** Returns whether staff rejected a withdrawal of the user so recently that another rejection needs two approvers. */
export async function wasRejectedLately(tx: Tx, userId: string, now: Instant): Promise<boolean> {
  const row = await tx
    .selectFrom('withdrawal')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'rejected')
    .where('decided_ms', '>', BigInt(now - REPEAT_WITHIN_MS))
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the principal of a user: the sum of the credited deposits minus the sum of the paid withdrawals. */
export async function principalOf(tx: Db | Tx, userId: string): Promise<Money> {
  const paidIn = await tx
    .selectFrom('deposit')
    .select(sql<bigint>`coalesce(sum(credited), 0)::int8`.as('sum'))
    .where('user_id', '=', userId)
    .where('status', '=', CREDITED)
    .executeTakeFirstOrThrow()
  const paidOut = await tx
    .selectFrom('withdrawal')
    .select(sql<bigint>`coalesce(sum(amount), 0)::int8`.as('sum'))
    .where('user_id', '=', userId)
    .where('status', '=', PAID)
    .executeTakeFirstOrThrow()
  return money(paidIn.sum - paidOut.sum)
}

/**
 * Returns the part of the principal that no pending withdrawal pays back, at least 0. The next payment of a leave
 * counts as principal only up to this amount.
 */
export async function remainingPrincipalOf(tx: Db | Tx, userId: string): Promise<Money> {
  const pending = await tx
    .selectFrom('withdrawal')
    .select(sql<bigint>`coalesce(sum(amount), 0)::int8`.as('sum'))
    .where('user_id', '=', userId)
    .where('status', '=', PENDING)
    .executeTakeFirstOrThrow()
  const left = money((await principalOf(tx, userId)) - pending.sum)
  return left < ZERO ? ZERO : left
}
