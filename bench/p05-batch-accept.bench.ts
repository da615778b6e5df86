// P5: orders per second accepted by the engine's own statement, 500 at a time over two connections. Compared with
// transactions per second of pgbench's TPC-B (scale 50, 32 clients, prepared) on the same durable PostgreSQL. Gate 6,
// goal 10. Defaults: BENCH_PAIRS 5, BENCH_SECONDS 4 per run of pgbench, BENCH_ORDERS 100,000 per run of the engine.
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { openTpcB, pgbench } from './lib/pgbench.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders } from './lib/store-orders.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 100_000)
const USERS = 20_000
const SCALE = Number(process.env['BENCH_SCALE'] ?? 50)
const BATCH = 500

const url = process.env['BENCH_DATABASE_URL'] ?? ''
const database = await openPostgresTestDatabase(url)
console.log(`${machine()}, batches of ${BATCH} on ${database.orderLanes.length} connections`)
const tpcB = await openTpcB(url, SCALE)
try {
  const mix = { users: await addFundedUsers(database.db, USERS), symbols: 200 }
  const ours = (orders: number) => acceptRate(database.orderLanes, planOrders(orders, mix), BATCH)
  await ours(20_000)
  await pgbench(tpcB.url, { clients: 32, seconds: 2 })
  const ratios = await pairs(
    PAIRS,
    ['orders accepted a second', () => ours(ORDERS)],
    ['TPC-B transactions a second', () => pgbench(tpcB.url, { clients: 32, seconds: SECONDS })],
  )
  verdict('P5 orders : TPC-B', ratios, { gate: 6, goal: 10 })
  await assertLedger(database.db)
} finally {
  await tpcB.drop()
  await database.close()
}
