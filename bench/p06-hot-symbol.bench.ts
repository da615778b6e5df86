// P6: the rate of P5 with all orders on one symbol, compared with the same orders on 1,000 symbols. Accepting an order
// touches no row of the house or of a symbol, so there should be no difference: gate 0.7, goal 0.9. The statement does
// not check symbol ids against the catalogue. Defaults: BENCH_PAIRS 7, BENCH_ORDERS 40,000 per run.
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders } from './lib/store-orders.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 7)
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 40_000)
const BATCH = 500

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
console.log(`${machine()}, batches of ${BATCH} on ${database.orderLanes.length} connections`)
try {
  const users = await addFundedUsers(database.db, 20_000)
  const on = (symbols: number) => () => acceptRate(database.orderLanes, planOrders(ORDERS, { users, symbols }), BATCH)
  await on(1_000)()
  const ratios = await pairs(
    PAIRS,
    ['orders a second, all on one symbol', on(1)],
    ['orders a second, on 1,000 symbols', on(1_000)],
  )
  verdict('P6 one symbol : 1,000', ratios, { gate: 0.7, goal: 0.9 })
  await assertLedger(database.db)
} finally {
  await database.close()
}
