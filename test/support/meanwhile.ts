import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '#server/platform/database/tables.ts'
import { onOtherSessions } from '#test/support/one-session.ts'

/** Commits the first change only when the other statement is waiting for this change. */
export async function meanwhile<T>(db: Db, first: (tx: Db) => Promise<unknown>, other: () => Promise<T>): Promise<T> {
  const { answer } = await db.transaction().execute((tx) =>
    onOtherSessions(async () => {
      await first(tx)
      const answer = other()
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx)
        expect(rows).toHaveLength(1)
      })
      return { answer }
    }),
  )
  return await answer
}
