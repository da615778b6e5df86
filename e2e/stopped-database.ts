import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { createLog } from '#server/platform/runtime/log.ts'

/** Changes the database of a server that does not run, with the rights of the database owner. */
export async function changeDatabase(dataDir: string, change: (db: Db) => Promise<unknown>): Promise<void> {
  const database = await connectDatabase({ dataDir, log: createLog('error') })
  try {
    await change(database.db)
  } finally {
    await database.close()
  }
}
