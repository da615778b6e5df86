// P8: orders per second settled by the engine, 1,000 at a time. Compared with one transaction per order that writes the
// same rows statement by statement. Both settle equal open orders durably, over one connection each. Gate 15, goal 30.
// Defaults: BENCH_PAIRS 5, BENCH_ORDERS 5,000 settled one by one in total. The engine settles ten times as many.
import { sql } from 'kysely'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders } from './lib/store-orders.ts'
import { naiveRate, priceExpiry, settleRate } from './lib/store-settle.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const NAIVE = Math.floor(Number(process.env['BENCH_ORDERS'] ?? 5_000) / PAIRS)
const BATCHED = 10 * NAIVE
const BATCH = 1_000
const SYMBOLS = 200
const WARM = 200

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const { db, ordersDb, orderLanes } = database
try {
  const users = await addFundedUsers(db, 20_000)
  let expiresAt = instant(Date.now())
  const due = async (orders: number) => {
    expiresAt = later(expiresAt, MINUTE_MS)
    await acceptRate(orderLanes, planOrders(orders, { users, symbols: SYMBOLS, expiresAt }), 500)
    return priceExpiry(db, SYMBOLS, expiresAt)
  }
  const batched = [await due(WARM)]
  const naive = [await due(WARM)]
  for (let pair = 0; pair < PAIRS; pair += 1) {
    batched.push(await due(BATCHED))
    naive.push(await due(NAIVE))
  }
  await sql`vacuum analyze`.execute(db)
  console.log(`${machine()}, ${PAIRS} × ${BATCHED} orders in batches of ${BATCH}, ${PAIRS} × ${NAIVE} one by one`)
  await settleRate(ordersDb, batched.shift() ?? [], BATCH)
  await naiveRate(ordersDb, naive.shift() ?? [], WARM)
  const ratios = await pairs(
    PAIRS,
    ['orders settled a second, in batches', () => settleRate(ordersDb, batched.shift() ?? [], BATCH)],
    ['orders settled a second, one by one', () => naiveRate(ordersDb, naive.shift() ?? [], NAIVE)],
  )
  verdict('P8 batches : one by one', ratios, { gate: 15, goal: 30 })
  await assertLedger(db)
} finally {
  await database.close()
}
