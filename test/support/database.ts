import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { ENTER_ROLE } from '#server/platform/database/server-role.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { openEmbeddedTestDatabase } from '#test/support/embedded-test-database.ts'
import { type CopiedDatabase, openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'

export interface TestDatabase {
  readonly db: Db
  readonly kind: 'pglite' | 'postgres'
  readonly connections: number
  readonly cancel?: Database['cancel']
  /** Empties every table, for a fresh start between tests. */
  truncateAll(): Promise<void>
  /** Does what the server must not and somebody with the owner's rights could: changes a book by hand. */
  asOwner<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** One that has what this one has now, as if it were brought back. This one can only be closed after that. */
  copied(): Promise<TestDatabase>
  close(): Promise<void>
}

/**
 * A migrated database for one test file: in memory by default; on the PostgreSQL that `TEST_DATABASE_URL` names (a
 * superuser) when that is set. Row locks and serialization only show on the latter. Either
 * works with the rights of the server, and no more.
 *
 * Tests that want it empty before each: `useTestDatabase`.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL']
  return url ? await withServerRights(await openPostgresTestDatabase(url)) : await openEmbedded()
}

/** The same, always in memory. */
export async function openEmbedded(): Promise<TestDatabase> {
  return await withServerRights(await openEmbeddedTestDatabase())
}

async function withServerRights(opened: CopiedDatabase): Promise<TestDatabase> {
  await opened.enterServerRole()
  const asOwner: TestDatabase['asOwner'] = (work) => workAsOwner(opened.db, work)
  return {
    ...opened,
    asOwner,
    truncateAll: () => asOwner(emptyAll),
    copied: async () => await withServerRights(await opened.copied()),
  }
}

function workAsOwner<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (owner) => {
    await sql`reset role`.execute(owner)
    try {
      return await work(owner)
    } finally {
      await sql.raw(ENTER_ROLE).execute(owner)
    }
  })
}

/**
 * Deletes from the tables that have rows, past what guards them (which takes a superuser): a `truncate` of all takes five times as long, and most
 * tests fill a few of them.
 */
async function emptyAll(db: Db): Promise<void> {
  await sql`
    do $$
    declare
      name text;
      is_full boolean;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for name in
        select quote_ident(tablename) from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'
      loop
        execute 'select exists (select 1 from ' || name || ')' into is_full;
        if is_full then execute 'delete from ' || name; end if;
      end loop;
    end $$`.execute(db)
}
