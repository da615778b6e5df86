// `DATABASE_URL=… npm run seed:large` fills a PostgreSQL database with a large installation for measurements: 100,000
// users, 1,000,000 orders, 3,000,000 transfers. `-- 10000 100000` sets other numbers of users and orders. Takes
// minutes.
import { sql } from 'kysely'
import { createApp } from '#server/app/create-app.ts'
import { readConfig } from '#server/app/config/config.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { largeData } from './lib/large-data.ts'
import { troubleLog } from './lib/trouble-log.ts'

const [users = 100_000, orders = 1_000_000] = process.argv.slice(2).map(Number)

try {
  if (!(users >= 100 && orders >= 100)) throw new StartUpError('Pass two numbers: at least 100 users and 100 orders.')
  await seedLarge()
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartUpError ? error.message : error)
}

async function seedLarge(): Promise<void> {
  const config = readConfig({ ...process.env, FAIRWICK_BOTS: 'off', PORT: '0' })
  const { databaseUrl: url, dataDir } = config
  if (url === undefined) throw new StartUpError('Set DATABASE_URL to a separate PostgreSQL database.')
  // A first start of the app creates the tables, symbols and gateways.
  const app = await createApp(config, troubleLog)
  await app.stop()
  // Uses one connection, as the steps share its temporary tables.
  const database = await connectDatabase({ url, dataDir, poolSize: 1, log: troubleLog })
  try {
    const found = await database.db.selectFrom('order_history').select('id').limit(1).execute()
    if (found.length > 0) throw new StartUpError('This database has orders already: use an empty one.')
    // No limit, because a step may take longer than the limit for statements of the server.
    await sql`set statement_timeout = 0`.execute(database.db)
    for (const step of largeData({ users, orders, now: Date.now() })) {
      const started = performance.now()
      for (const text of step.sql) await sql.raw(text).execute(database.db)
      console.log(`${step.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
    }
  } finally {
    await database.close()
  }
}
