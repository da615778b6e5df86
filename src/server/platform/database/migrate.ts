import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { migrations as allMigrations } from '#server/platform/database/migrations/index.ts'
import { grantServerRole } from '#server/platform/database/server-role.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/**
 * Updates the schema and the privileges of the server's role. Returns the names of the migrations that ran. When
 * several processes start together, one migrates and the others wait. Throws a `StartUpError` when a newer version
 * created the database.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  migrations: Record<string, Migration> = allMigrations,
): Promise<string[]> {
  await refuseNewer(db, migrations)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  await grantServerRole(db)
  return results.map(({ migrationName }) => migrationName)
}

/** For read-only tools: throws a `StartUpError` unless the schema is exactly the schema of this version. */
export async function requireMigrated(db: Kysely<Tables>): Promise<void> {
  const done = await refuseNewer(db, allMigrations)
  if (done.length < Object.keys(allMigrations).length) {
    throw new StartUpError('The database was made by an older version of Fairwick. Start the server once to update it.')
  }
}

/** Migrations had dates before the first release numbered them. */
const UNRELEASED = /^\d{8}-/

async function refuseNewer(db: Kysely<Tables>, migrations: Record<string, Migration>): Promise<string[]> {
  const done = await namesInDatabase(db)
  const unknown = done.filter((name) => !(name in migrations))
  if (unknown.length === 0) return done
  if (unknown.some((name) => UNRELEASED.test(name))) {
    throw new StartUpError(
      'The database was made by an unreleased version of Fairwick and cannot be updated. Use an empty database or data folder.',
    )
  }
  throw new StartUpError(
    `The database was made by a newer version of Fairwick: this one does not know ${unknown.join(', ')}. Start the newer version, or use another database.`,
  )
}

async function namesInDatabase(db: Kysely<Tables>): Promise<string[]> {
  const found = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (!found.rows[0]?.found) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
