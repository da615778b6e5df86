// P3: one client over its socket, one order after the other, compared with the bare statement that accepts an order:
// median times. Gate 3, goal at most 2. BENCH_ORDERS is the number of orders per side of a pair (default 400).
import { median } from './lib/median.ts'
import { oneByStatement } from './lib/orders/one-by-statement.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { startDriver } from './lib/orders/start-driver.ts'
import { LONG_SECONDS } from './lib/orders/steady.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'

const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 400)
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const WITHIN_MS = 60_000
const USERS = 400
/** The client uses its sockets in turn, as the server limits the messages per second of one socket. */
const SOCKETS = 20

console.log(machine())
const url = process.env['BENCH_DATABASE_URL'] ?? ''
const site = await openTradingSite({ url, users: USERS, seconds: LONG_SECONDS })
const driver = await startDriver({
  address: site.server.address,
  sockets: SOCKETS,
  tokens: site.tokens.slice(0, USERS / 2),
})
try {
  const byStatement = await oneByStatement(site.db, site.userIds.slice(USERS / 2))
  const overSocket = async (orders: number) =>
    (await driver.run({ clients: 1, sockets: SOCKETS, warmMs: 0, ms: WITHIN_MS, maxOrders: orders })).p50
  await overSocket(ORDERS)
  const ratios = await pairs(
    PAIRS,
    ['order over the socket to its answer, p50 ms', () => overSocket(ORDERS)],
    ['the statement alone, p50 ms', async () => median(await byStatement.times(ORDERS))],
  )
  verdict('over the socket : the statement', ratios, { gate: 3, goal: 2, kind: 'most' })
  await site.audit(await driver.acknowledged(), Buffer.from(byStatement.acceptedIds.join('')))
} finally {
  driver.stop()
  await site.close()
}
