import { type ClosedRefusal, closingRefusal } from '#core/accounts/closing.ts'
import { breakRefusal } from '#core/accounts/self-limits.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The closing of an account that waits for its erasing. */
interface Closing {
  readonly id: string
  readonly requestedAt: Instant
  /** The earliest time of the erasing. Until then the user can cancel. */
  readonly erasesAt: Instant
}

/** Returns the closing of an account. Null when the user does not close it. */
export async function findClosing(db: Db, userId: string): Promise<Closing | null> {
  const row = await db
    .selectFrom('account_closing')
    .select(['id', 'asked_ms', 'erase_ms'])
    .where('user_id', '=', userId)
    .where('state', '=', 'closing')
    .executeTakeFirst()
  return row ? { id: row.id, requestedAt: instant(row.asked_ms), erasesAt: instant(row.erase_ms) } : null
}

/** Returns why the user's own choice blocks every order and deposit. Null when nothing is blocked. */
export async function findClosedRefusal(db: Db, userId: string): Promise<ClosedRefusal | null> {
  const closing = await findClosing(db, userId)
  if (closing !== null) return closingRefusal(closing.erasesAt)
  const own = await findBreak(db, userId)
  return own && breakRefusal(own)
}
