import type { Config } from '#server/app/config/config.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { sourceProblems } from '#server/market-data/feeds/choose-feed.ts'
import { readStoredSymbols } from '#server/market-data/feeds/multi-source/stored-symbols.queries.ts'
import type { StoredSymbol } from '#server/market-data/feeds/multi-source/plan-sources.ts'
import { missingForLive } from '#server/settings/missing-for-live.ts'
import { loadSettings, type SiteSettings } from '#server/settings/site-settings.ts'
import { errorCode, StartUpError } from '#server/platform/runtime/startup-error.ts'

interface Found {
  readonly settings: Pick<SiteSettings, 'licence' | 'countriesAllowed'>
  readonly stored: readonly StoredSymbol[]
}
/** The settings of a database in which nothing is set. */
const NOTHING: Found = {
  settings: { licence: { holder: '', number: '', regulator: '' }, countriesAllowed: [] },
  stored: [],
}
const UNDEFINED_TABLE = '42P01'

/**
 * Lists the settings and price sources that live mode needs and the database lacks.
 * A refused live start reports them together with the faults of the environment. The function only reads. Without a
 * database, everything counts as unset.
 */
export async function unsetInDatabase(config: Config | undefined, log: Log): Promise<string[]> {
  if (config?.mode !== 'live') return []
  try {
    const { settings, stored } = await lookInto(config, log)
    return [...missingForLive(settings), ...sourceProblems(config, stored)]
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error
    return [`the settings in the database could not be read: ${error.message}`]
  }
}

async function lookInto({ databaseUrl: url, dataDir }: Config, log: Log): Promise<Found> {
  if (url === undefined) return NOTHING
  const database = await connectDatabase({ url, dataDir, log, poolSize: 1 })
  try {
    return await readFrom(database.db)
  } finally {
    await database.close()
  }
}

async function readFrom(db: Db): Promise<Found> {
  return {
    settings: await orIfUnmade(NOTHING.settings, async () => (await loadSettings(db)).current),
    stored: await orIfUnmade(NOTHING.stored, () => readStoredSymbols(db)),
  }
}

/**
 * Reads from the database. Returns `fallback` when the table is missing, because no server or only an older version has
 * used the database.
 */
async function orIfUnmade<T>(fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (errorCode(error) === UNDEFINED_TABLE) return fallback
    throw error
  }
}
