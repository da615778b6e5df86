import type { Log } from '#server/platform/runtime/ports.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Database } from '#server/platform/database/database.ts'
import { migrateToLatest, requireMigrated } from '#server/platform/database/migrate.ts'

/** Which database the server works with, and by which logins. */
export interface DatabaseConfig {
  /** Undefined: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Another login on the same database, which brings the schema up to date; undefined: that of `databaseUrl` does. */
  readonly databaseMigrationUrl: string | undefined
  /** Absolute. */
  readonly dataDir: string
  readonly databasePoolSize: number
}

/**
 * The database as the server works with it: the schema is up to date, and no statement can change the books. With a
 * login of its own for migrations, that login is used for nothing else.
 */
export async function openDatabase(config: DatabaseConfig, log: Log): Promise<Database> {
  const { databaseMigrationUrl: migrationUrl, dataDir } = config
  if (migrationUrl !== undefined) {
    const owner = await connectDatabase({ url: migrationUrl, dataDir, poolSize: 1, log })
    try {
      await migrate(owner, log)
    } finally {
      await owner.close()
    }
  }
  const database = await connectDatabase({
    url: config.databaseUrl,
    dataDir,
    poolSize: config.databasePoolSize,
    log,
  })
  try {
    if (migrationUrl === undefined) await migrate(database, log)
    await database.enterServerRole()
    if (migrationUrl !== undefined) await requireMigrated(database.db)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function migrate({ db }: Database, log: Log): Promise<void> {
  const ran = await migrateToLatest(db)
  if (ran.length > 0) log.info({ migrations: ran }, 'the database is up to date')
}
