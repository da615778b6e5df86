// P27: accepted orders per second when users have set personal limits on a stake and on losses, compared with users
// without limits. Batches of 500 over two connections on a durable PostgreSQL. Gate for the ratio: 0.90 when one user
// in ten has limits, 0.45 when all users have limits. Defaults: BENCH_PAIRS 7, BENCH_ORDERS 50,000 per run.
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders, setOwnLimits } from './lib/store-orders.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 7)
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 50_000)
const USERS = 3_000
const BATCH = 500

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
console.log(`${machine()}, batches of ${BATCH} on ${database.orderLanes.length} connections`)
try {
  const all = await addFundedUsers(database.db, 3 * USERS)
  const [free, tenth, limited] = [0, 1, 2].map((nth) => all.slice(nth * USERS, (nth + 1) * USERS))
  await setOwnLimits(database.db, [...(tenth ?? []).slice(0, USERS / 10), ...(limited ?? [])])
  const rate = (users: readonly string[] = []) => {
    return acceptRate(database.orderLanes, planOrders(ORDERS, { users, symbols: 200 }), BATCH)
  }
  for (const users of [free, tenth, limited]) await rate(users)
  const none = ['no user has limits: orders a second', () => rate(free)] as const
  const some = await pairs(PAIRS, ['one user in ten has limits', () => rate(tenth)], [...none])
  verdict('P27 one in ten : none', some, { gate: 0.9, goal: 0.95 })
  const every = await pairs(PAIRS, ['all users have limits', () => rate(limited)], [...none])
  verdict('P27 all : none', every, { gate: 0.45, goal: 0.6 })
  await assertLedger(database.db)
} finally {
  await database.close()
}
