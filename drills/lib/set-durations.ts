import type { Db } from '#server/platform/database/tables.ts'

/** Sets the durations of the first trade settings, in seconds. */
export async function setDurations(db: Db, durations: readonly number[]): Promise<void> {
  for (const [at, seconds] of durations.entries()) {
    await db
      .updateTable('trade_setting')
      .set({ seconds })
      .where('id', '=', at + 1)
      .execute()
  }
}
