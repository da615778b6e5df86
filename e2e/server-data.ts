import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { createLog } from '#server/platform/runtime/log.ts'
import { copyPostgresDatabase, createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'

/**
 * The data of one server: a folder, and a database that is either embedded in the folder or on the PostgreSQL server of
 * the test run.
 */
export interface ServerData {
  readonly folder: string
  /** The URL of the PostgreSQL database; null for the embedded database. */
  readonly databaseUrl: string | null
}

export interface RemovableData extends ServerData {
  remove(): Promise<void>
}

/**
 * Creates the data of a server that has never started. A server on PostgreSQL starts with half the work of one on the
 * embedded database, which is used when the run has no PostgreSQL.
 */
export async function createData({ isEmbedded = false } = {}): Promise<RemovableData> {
  const postgres = process.env['TEST_DATABASE_URL']
  return withFolder(isEmbedded || postgres === undefined ? null : await createEmptyPostgresDatabase(postgres))
}

/** Copies the data of a server that does not run. */
export async function copyData({ folder, databaseUrl }: ServerData): Promise<RemovableData> {
  const copy = withFolder(databaseUrl === null ? null : await copyPostgresDatabase(databaseUrl))
  cpSync(folder, copy.folder, { recursive: true })
  return copy
}

function withFolder(database: { url: string; drop: () => Promise<void> } | null): RemovableData {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-e2e-'))
  return {
    folder,
    databaseUrl: database?.url ?? null,
    remove: async () => {
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Changes the database of a server that does not run, with the rights of the database owner. */
export async function changeDatabase(data: ServerData, change: (db: Db) => Promise<unknown>): Promise<void> {
  const url = data.databaseUrl ?? undefined
  const database = await connectDatabase({ url, dataDir: data.folder, log: createLog('error'), poolSize: 1 })
  try {
    await change(database.db)
  } finally {
    await database.close()
  }
}

/** Returns the environment of a server with this data. */
export function serverVariables({ folder, databaseUrl }: ServerData) {
  return {
    FAIRWICK_DATA_DIR: folder,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'warn',
  }
}
