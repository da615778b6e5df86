// P7: orders a second that the engine settles, 1,000 at a time, against rows a second of a bare UPDATE by primary key, 1,000
// at a time, of a table of the same rows with no other index. One connection each. An order is deleted, moved to the history, paid by two
// transfers, added to a balance and queued for delivery; the row is written once. Gate 0.12, goal 0.2.
// BENCH_PAIRS (5), BENCH_OPEN orders at the start (200,000).
import { sql } from 'kysely'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { openPostgresTestDatabase } from '#testing/postgres-test-database.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders } from './lib/store-orders.ts'
import { priceExpiry, settleRate } from './lib/store-settle.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const OPEN = Number(process.env['BENCH_OPEN'] ?? 200_000)
const BATCH = 1_000
const SYMBOLS = 200

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const { db, ordersDb } = database
try {
  const users = await addFundedUsers(db, 20_000)
  const first = later(instant(Date.now()), MINUTE_MS)
  const expiries = Array.from({ length: PAIRS + 1 }, (_, at) => later(first, at * MINUTE_MS))
  const each = Math.floor(OPEN / expiries.length)
  for (const expiresAt of expiries) {
    await acceptRate(ordersDb, planOrders(each, { users, symbols: SYMBOLS, expiresAt }), { batch: 500, lanes: 2 })
  }
  await sql`create table bare_row as
    select (row_number() over (order by id))::int4 as place, o.* from open_order o`.execute(db)
  await sql`alter table bare_row add primary key (place)`.execute(db)
  await sql`vacuum analyze`.execute(db)
  console.log(`${machine()}, ${each * expiries.length} open orders, batches of ${BATCH}`)

  const settle = async () => {
    const expiresAt = expiries.pop()
    if (expiresAt === undefined) throw new Error('there is an expiry for each pair')
    return settleRate(ordersDb, await priceExpiry(db, SYMBOLS, expiresAt), BATCH)
  }
  let place = 0
  const update = async () => {
    const until = place + each
    const started = performance.now()
    for (; place < until; place += BATCH) {
      await sql`update bare_row set stake = stake + 1 where place > ${place}::int4 and place <= ${Math.min(place + BATCH, until)}::int4`.execute(
        db,
      )
    }
    place = until
    return each / ((performance.now() - started) / 1_000)
  }
  await settle()
  await update()
  const ratios = await pairs(PAIRS, ['orders settled a second', settle], ['rows updated a second', update])
  verdict('P7 settled : updated', ratios, { gate: 0.12, goal: 0.2 })
  await assertLedger(db)
} finally {
  await database.close()
}
