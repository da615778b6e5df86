import { type ClosedRefusal, closingRefusal } from '#core/accounts/closing.ts'
import { breakRefusal } from '#core/accounts/self-limits.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { findOwnerId } from '#server/ledger/practice-accounts.queries.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An account closure that waits for the erasure of the account. */
interface Closing {
  readonly id: string
  readonly requestedAt: Instant
  /** The earliest time of the erasure. Until then the user can cancel the closure. */
  readonly erasesAt: Instant
}

/** Finds the pending closure of an account. Null when there is none. */
export async function findClosing(db: Db, userId: string): Promise<Closing | null> {
  const row = await db
    .selectFrom('account_closing')
    .select(['id', 'asked_ms', 'erase_ms'])
    .where('user_id', '=', userId)
    .where('state', '=', 'closing')
    .executeTakeFirst()
  return row ? { id: row.id, requestedAt: instant(row.asked_ms), erasesAt: instant(row.erase_ms) } : null
}

/**
 * Returns why the user's own choice blocks every order and deposit. Null when nothing is blocked. For a practice
 * account, the choice of its owner counts.
 */
export async function findClosedRefusal(db: Db, accountId: string): Promise<ClosedRefusal | null> {
  const userId = await findOwnerId(db, accountId)
  const closing = await findClosing(db, userId)
  if (closing !== null) return closingRefusal(closing.erasesAt)
  const own = await findBreak(db, userId)
  return own && breakRefusal(own)
}
