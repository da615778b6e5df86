// `npm run admin -- <command>` is the operator CLI. The running server executes the command. When no server runs, the
// CLI opens the database itself. Exit codes: 0 done, 1 refused, 2 unknown command, 3 could not run.
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { askServer } from '#server/operator-cli/control-client.ts'
import { controlPath } from '#server/operator-cli/control-protocol.ts'
import { type ReadCommand, readCommand } from '#server/operator-cli/read-command.ts'
import { withNotReached } from '#server/operator-cli/not-reached.ts'
import { type Printed, printed, runCommand } from '#server/operator-cli/run-command.ts'
import { type Config, readConfig } from '#server/app/config/config.ts'
import { livingNodes } from '#server/platform/cluster/lease.queries.ts'
import { LEASE_MS } from '#server/platform/cluster/leases.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Database } from '#server/platform/database/database.ts'
import { DataFolderInUse } from '#server/platform/database/data-folder-lock.ts'
import { requireMigrated } from '#server/platform/database/migrate.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { loadCatalogue } from '#server/market-data/catalogue/load-catalogue.ts'
import { loadSettings } from '#server/settings/site-settings.ts'
import { errorCode, StartUpError } from '#server/platform/runtime/startup-error.ts'
import { openVault } from '#server/platform/encryption/data-keys.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { readTextFiles } from './lib/read-text-files.ts'
import { troubleLog } from './lib/trouble-log.ts'

type ReadRun = Extract<ReadCommand, { readonly kind: 'run' }>

const COULD_NOT_RUN = 3
/**
 * This command updates an older schema by itself: a server that starts first would take orders and revive sessions of
 * the backup.
 */
const AFTER_RESTORE = 'backup restored'

try {
  const { exitCode, lines } = await admin(readTextFiles(process.argv.slice(2)))
  const write = exitCode === 0 ? console.log : console.error
  for (const line of lines) write(line)
  process.exitCode = exitCode
} catch (error) {
  console.error(explain(error))
  process.exitCode = COULD_NOT_RUN
}

async function admin(args: string[]): Promise<Printed> {
  const read = readCommand(args)
  if (read.kind !== 'run') return printed(read)
  const config = readConfig(process.env)
  const who = osUser()
  return (await askServer(controlPath(config.dataDir), { args, who })) ?? runHere(config, read, args, who)
}

/**
 * Opens the database here, because no server listens in this data folder. With PostgreSQL, a server with another data
 * folder may still run.
 */
async function runHere(config: Config, { command }: ReadRun, args: string[], who: string): Promise<Printed> {
  const { databaseUrl, dataDir, dataKey } = config
  if (!databaseUrl && !existsSync(dataDir)) throw new StartUpError(`There is no database in ${dataDir} yet.`)
  const database = command.name === AFTER_RESTORE ? await openDatabase(config, troubleLog) : await openMigrated(config)
  try {
    const running = databaseUrl ? await livingNodes(database.db, LEASE_MS) : []
    const ctx = createContext({
      db: database.db,
      log: troubleLog,
      vault: openVault(dataDir, dataKey, createTools().randomBytes),
    })
    const settings = await loadSettings(database.db)
    const catalogue = await loadCatalogue(ctx)
    const hasOwnDataKey = dataKey !== undefined
    const copyDatabase = database.copyTo
    const done = await runCommand({ ctx, settings, catalogue, dataDir, hasOwnDataKey, copyDatabase }, args, who)
    return withNotReached(done, { effect: command.effect, servers: running.length })
  } finally {
    await database.close()
  }
}

async function openMigrated({ databaseUrl, dataDir }: Config): Promise<Database> {
  const database = await connectDatabase({ url: databaseUrl, dataDir, poolSize: 1, log: troubleLog })
  try {
    await requireMigrated(database.db)
    await database.enterServerRole()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Returns the name of the system user who runs the command, for the audit log. The name comes from the system, because
 * anybody can set the environment. With sudo, the result also names the user in SUDO_USER, who called sudo.
 */
function osUser(): string {
  const { username } = userInfo()
  const sudoer = process.env['SUDO_USER']
  return sudoer && sudoer !== username ? `${username} (sudo by ${sudoer})` : username
}

function explain(error: unknown): unknown {
  if (error instanceof DataFolderInUse) {
    return 'A server uses this database but does not accept commands. It is starting or stopping, or its log gives the reason. Try again, or stop the server first.'
  }
  if (errorCode(error) === 'EACCES') {
    return 'Only the user that runs the server can give it commands. Run this command as that user.'
  }
  return error instanceof StartUpError ? error.message : error
}
