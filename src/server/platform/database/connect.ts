import { join } from 'node:path'
import type { Database, DatabaseOptions } from '#server/platform/database/database.ts'
import { lockDataFolder } from '#server/platform/database/data-folder-lock.ts'
import { embeddedDatabase } from '#server/platform/database/embedded-database.ts'
import { startPglite } from '#server/platform/database/pglite-thread.ts'
import { connectPostgres } from '#server/platform/database/postgres.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

/**
 * Opens the configured database. On both kinds, int8 comes back as bigint, numeric as text, bytea as Uint8Array. Throws
 * a `StartUpError` when the database does not answer, is too old, or its folder is in use or not writable.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir, log, poolSize = 10, clock = systemClock } = options
  return url ? connectPostgres({ url, poolSize, log, clock }) : openEmbedded({ dataDir, log, clock })
}

async function openEmbedded({
  dataDir,
  log,
  clock,
}: Required<Pick<DatabaseOptions, 'dataDir' | 'log' | 'clock'>>): Promise<Database> {
  const unlock = await lockDataFolder(dataDir, { clock, log, onLost: () => process.exit(1) })
  const folder = join(dataDir, 'database')
  try {
    const thread = await startPglite({ folder }).catch((error: unknown) => {
      throw new StartUpError(
        `The embedded database in ${folder} cannot be opened. If its files are damaged, restore a backup, or move the folder away and start again.`,
        { cause: error },
      )
    })
    log.info(
      { folder },
      'embedded database: safe after a crash of this program, but not after a power cut; set DATABASE_URL to use PostgreSQL',
    )
    const embedded = embeddedDatabase(thread, { clock, log, reopen: () => startPglite({ folder }) })
    return {
      ...embedded,
      close: async () => {
        await embedded.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
