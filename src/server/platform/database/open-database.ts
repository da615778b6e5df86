import type { Log } from '#server/platform/runtime/ports.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Database } from '#server/platform/database/database.ts'
import { migrateToLatest, requireMigrated } from '#server/platform/database/migrate.ts'

/** The database of the server, and the logins it uses. */
export interface DatabaseConfig {
  /** Undefined: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined
  /**
   * The address of the same database with another log-in, which runs the migrations. Undefined: `databaseUrl` is used.
   */
  readonly databaseMigrationUrl: string | undefined
  /** The absolute path of the data folder. */
  readonly dataDir: string
  readonly databasePoolSize: number
}

/**
 * Opens the database for the server: the schema is up to date, and no statement can change the ledger. A separate
 * migration login is used for nothing else.
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
  if (ran.length > 0) log.info({ migrations: ran }, 'the database schema was updated')
}
