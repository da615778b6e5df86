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
  /** Runs work with the owner's rights, which the server lacks, for example to change the ledger. */
  asOwner<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Returns a copy with the current content, like a restored backup. Afterwards the original can only be closed. */
  copied(): Promise<TestDatabase>
  close(): Promise<void>
}

/**
 * Opens a migrated database for one test file. The database is in memory, or on the PostgreSQL of `TEST_DATABASE_URL`
 * (a superuser) when that is set. Only the latter shows row locks and serialization. Both work with exactly the rights
 * of the server. For an empty database before each test, see `useTestDatabase`.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL']
  return url ? await withServerRights(await openPostgresTestDatabase(url)) : await openEmbedded()
}

/** Opens a test database in memory, whatever the environment variables say. */
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
 * Deletes the rows of all tables that have any, bypassing their triggers, which needs a superuser. Most tests fill few
 * tables, and truncating all of them takes five times as long.
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
        select quote_ident(relname) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'
          and pg_relation_size(oid) > 0
      loop
        execute 'select exists (select 1 from ' || name || ')' into is_full;
        if is_full then execute 'delete from ' || name; end if;
      end loop;
    end $$`.execute(db)
}
