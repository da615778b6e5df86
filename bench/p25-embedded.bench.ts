// P25: orders per second accepted by the embedded database with the engine's statement, 100 at a time, compared with
// PostgreSQL on one connection. Gate 0.1, goal 0.2. PostgreSQL waits until its writes are on the disk; the embedded
// database cannot. Defaults: BENCH_PAIRS 5, BENCH_ORDERS 10,000 per run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { onlyErrors } from './lib/only-errors.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders } from './lib/store-orders.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 10_000)
const BATCH = 100

console.log(`${machine()}, batches of ${BATCH}`)
const folder = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
const native = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const embedded = await connectDatabase({ dataDir: folder, log: onlyErrors })
try {
  await migrateToLatest(embedded.db)
  const measures = []
  for (const { db, orderLanes } of [embedded, native]) {
    const mix = { users: await addFundedUsers(db, 5_000), symbols: 200 }
    const measure = () => acceptRate(orderLanes.slice(0, 1), planOrders(ORDERS, mix), BATCH)
    await measure()
    measures.push(measure)
  }
  const [onEmbedded, onNative] = measures
  if (onEmbedded === undefined || onNative === undefined) throw new Error('there are two databases')
  const ratios = await pairs(
    PAIRS,
    ['orders a second, embedded', onEmbedded],
    ['orders a second, PostgreSQL', onNative],
  )
  verdict('P25 embedded : PostgreSQL', ratios, { gate: 0.1, goal: 0.2 })
  for (const { db } of [embedded, native]) await assertLedger(db)
} finally {
  await embedded.close()
  await native.close()
  rmSync(folder, { recursive: true, force: true })
}
