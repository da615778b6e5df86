import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { settingsIn } from '#server/settings/site-settings.ts'
import { lastClosedUntil } from '#server/settings/withdrawal-closure.ts'

interface ListedSetting {
  readonly key: string
  readonly value: unknown
  readonly version: number
  readonly changedAt: bigint | null
}

/**
 * Lists every setting as it applies now. Values and versions come from one statement, so that no value is listed with
 * the version of a later change. Withdrawals are listed as open when their closure has ended: the stored value is then
 * still `false`, and a second closure would be no change.
 */
export async function listSettings(db: Db, now: Instant): Promise<ListedSetting[]> {
  const rows = await db.selectFrom('setting').select(['key', 'value', 'version', 'updated_ms']).execute()
  const stored = settingsIn(rows)
  const closedUntil = stored.withdrawals_open ? null : await lastClosedUntil(db)
  const inForce = { ...stored, withdrawals_open: closedUntil === null || closedUntil <= now }
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return Object.entries(inForce).map(([key, value]) => {
    const row = byKey.get(key)
    return { key, value, version: row?.version ?? 0, changedAt: row?.updated_ms ?? null }
  })
}
