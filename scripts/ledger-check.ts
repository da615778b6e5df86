// `npm run ledger:check` reconciles the ledger: cached sums must equal the transfers. Exit codes: 0 they are equal, 1
// they differ, 2 the check could not run.
import { existsSync } from 'node:fs'
import { money, moneyText } from '#core/money/money.ts'
import { readConfig } from '#server/app/config/config.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { DataFolderInUse } from '#server/platform/database/data-folder-lock.ts'
import { requireMigrated } from '#server/platform/database/migrate.ts'
import { checkLedger, type LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { troubleLog } from './lib/trouble-log.ts'

const CLEAN = 0
const MISMATCH = 1
const COULD_NOT_RUN = 2

try {
  const config = readConfig(process.env)
  if (!config.databaseUrl && !existsSync(config.dataDir)) {
    throw new StartUpError(`There is no database in ${config.dataDir} yet.`)
  }
  const database = await connectDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: 1,
    log: troubleLog,
  })
  try {
    await requireMigrated(database.db)
    await database.enterServerRole()
    const report = await checkLedger(database.db)
    for (const line of describe(report)) console.log(line)
    process.exitCode = report.clean ? CLEAN : MISMATCH
  } finally {
    await database.close()
  }
} catch (error) {
  process.exitCode = COULD_NOT_RUN
  console.error(explain(error))
}

function explain(error: unknown): unknown {
  if (error instanceof DataFolderInUse) {
    return 'The server is running on this embedded database, which opens once only. Stop the server, then run this check again.'
  }
  return error instanceof StartUpError ? error.message : error
}

function* describe(report: LedgerReport): Generator<string> {
  yield `${report.users} users, ${report.transfers} transfers, ${report.openOrders} open orders`
  for (const [account, amount] of report.house) yield `  ${account}: ${moneyText(money(amount))}`
  yield `Sum of all accounts: ${moneyText(money(report.sumOfAll))} (must be 0.00)`
  for (const account of report.unknownAccounts) yield `Unknown account: ${account}`
  for (const { userId, what, cached, counted } of report.mismatches) {
    yield `User ${userId}, ${what}: kept ${cached}, counted ${counted}, difference ${cached - counted}`
  }
  yield report.clean ? 'The ledger is clean.' : 'THE LEDGER DOES NOT ADD UP.'
}
