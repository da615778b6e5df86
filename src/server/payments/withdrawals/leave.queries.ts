import { type Money, money } from '#core/money/money.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The leave of a blocked user: the request to withdraw all money and close the account. */
export interface Leave {
  readonly id: string
  readonly requestedAt: Instant
  /** `lifted` means that staff ended the block before all money was paid. */
  readonly state: 'open' | 'closed' | 'refused' | 'lifted'
  readonly finishedAt: Instant | null
  /** The time from which the user can request a leave again after a refusal, or null. */
  readonly againAt: Instant | null
}

/** Returns the newest leave of a user, or null when the user never requested one. */
export async function findLeave(db: Db | Tx, userId: string): Promise<Leave | null> {
  const row = await db
    .selectFrom('user_leave')
    .select(['id', 'asked_ms', 'state', 'ended_ms', 'again_ms'])
    .where('user_id', '=', userId)
    .orderBy('asked_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    requestedAt: instant(row.asked_ms),
    state: readState(row.state),
    finishedAt: row.ended_ms === null ? null : instant(row.ended_ms),
    againAt: row.again_ms === null ? null : instant(row.again_ms),
  }
}

function readState(text: string): Leave['state'] {
  if (text === 'open' || text === 'closed' || text === 'refused' || text === 'lifted') return text
  throw new Error(`unknown state of a leave: ${text}`)
}

export async function insertLeave(
  tx: Tx,
  leave: { readonly userId: string; readonly id: string; readonly at: Instant },
): Promise<void> {
  await tx.insertInto('user_leave').values({ user_id: leave.userId, id: leave.id, asked_ms: leave.at }).execute()
}

interface Ending {
  readonly userId: string
  readonly id: string
  readonly state: 'closed' | 'refused' | 'lifted'
  readonly at: Instant
  readonly againAt?: Instant
}

/** Ends a leave. Does nothing if it has already ended. The caller must hold the lock of the balance. */
export async function endLeave(tx: Tx, { userId, id, state, at, againAt }: Ending): Promise<void> {
  await tx
    .updateTable('user_leave')
    .set({ state, ended_ms: at, again_ms: againAt ?? null })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

/**
 * Ends the open leave that a withdrawal belongs to, because its money is back on the account. The user can request a
 * leave again from `againAt` on. Does nothing for an ordinary withdrawal.
 */
export async function refuseLeaveOf(
  tx: Tx,
  { userId, leaveId }: { readonly userId: string; readonly leaveId: string | null },
  times: { readonly at: Instant; readonly againAt: Instant },
): Promise<void> {
  if (leaveId !== null) await endLeave(tx, { userId, id: leaveId, state: 'refused', ...times })
}

/** Lists the leaves that have not ended, oldest first. */
export async function listOpenLeaves(
  db: Db,
): Promise<{ readonly userId: string; readonly id: string; readonly requestedAt: Instant }[]> {
  const rows = await db
    .selectFrom('user_leave')
    .select(['user_id', 'id', 'asked_ms'])
    .where('state', '=', 'open')
    .orderBy('asked_ms')
    .execute()
  return rows.map(({ user_id: userId, id, asked_ms: asked }) => ({ userId, id, requestedAt: instant(asked) }))
}

/** Returns the available cash of a user. */
export async function findCash(db: Db, userId: string): Promise<Money> {
  const row = await db
    .selectFrom('balance')
    .select('cash')
    .where('user_id', '=', userId)
    .where('currency', '=', BASE_CURRENCY)
    .executeTakeFirstOrThrow()
  return money(row.cash)
}

/**
 * Returns whether the user can only withdraw all money: staff have blocked the user's log-in, or an earlier leave
 * closed the account.
 */
export async function canOnlyLeave(db: Db | Tx, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('app_user as u')
    .select('u.id')
    .where('u.id', '=', userId)
    .where((by) =>
      by.or([
        by('u.sign_in_blocked', '=', true),
        by.exists(
          by
            .selectFrom('user_leave as l')
            .select('l.id')
            .whereRef('l.user_id', '=', 'u.id')
            .where('l.state', '=', 'closed'),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the number of the user's open orders, the money in pending withdrawals, and the credits. The caller must hold
 * the lock of the balance.
 */
export async function openAmounts(
  tx: Tx,
  userId: string,
): Promise<{ readonly openOrders: number; readonly withdrawing: Money; readonly credits: Money }> {
  const row = await tx
    .selectFrom('balance')
    .select(['open_orders', 'withdrawing', 'credits'])
    .where('user_id', '=', userId)
    .where('currency', '=', BASE_CURRENCY)
    .executeTakeFirstOrThrow()
  return {
    openOrders: row.open_orders,
    withdrawing: money(row.withdrawing),
    credits: money(row.credits),
  }
}
