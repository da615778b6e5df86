import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { openEmbeddedTestDatabase } from '#testing/embedded-test-database.ts'
import { openPostgresTestDatabase } from '#testing/postgres-test-database.ts'

export interface TestDatabase {
  readonly db: Db
  readonly kind: 'pglite' | 'postgres'
  readonly connections: number
  /** Empties every table, for a fresh start between tests. */
  truncateAll(): Promise<void>
  close(): Promise<void>
}

/**
 * A migrated database for one test file: in memory by default; on the PostgreSQL that `TEST_DATABASE_URL` names (a user
 * who may create databases) when that is set. Row locks and serialization only show on the latter.
 *
 *     let database: TestDatabase
 *     beforeAll(async () => { database = await openTestDatabase() })
 *     afterAll(() => database.close())
 *     beforeEach(() => database.truncateAll())
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL']
  const opened = url ? await openPostgresTestDatabase(url) : await openEmbeddedTestDatabase()
  return { ...opened, truncateAll: () => truncateAll(opened.db) }
}

async function truncateAll(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%'`.execute(db)
  if (rows.length === 0) return
  await sql.raw(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade`).execute(db)
}
