import type { Db } from '#server/platform/database/tables.ts'
import type { Instant } from '#core/time/instant.ts'
import { ATTEMPT_LIMITS, type AttemptLimitName } from '#server/platform/limits/attempt-limit-table.ts'

/** Records attempts so that exactly `left` more are allowed. This replaces hundreds of real attempts. */
export async function spendTries(
  db: Db,
  { limit, key, left, now }: { limit: AttemptLimitName; key: string; left: number; now: Instant },
): Promise<void> {
  const count = ATTEMPT_LIMITS[limit].max - left
  await db
    .insertInto('attempt')
    .values({ key: `${limit}:${key}`, count, window_start_ms: now, locked_until_ms: 0 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count }))
    .execute()
}
