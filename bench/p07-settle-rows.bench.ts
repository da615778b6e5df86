// P7: orders per second settled by the engine, 1,000 at a time. Compared with rows per second of a bare UPDATE, 1,000
// at a time, on a table with the same rows. Both find their rows by the primary key, and use one connection each.
// Settling deletes an order, adds it to the history, posts two transfers, updates a balance and queues a delivery; the
// bare row is written once. Gate 0.12, goal 0.2. Also prints the UPDATE of adjacent rows addressed by a range, which
// settling single orders cannot use. Defaults: BENCH_PAIRS 5, BENCH_OPEN 200,000 open orders at the start.
import { sql } from 'kysely'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { acceptRate, addFundedUsers, assertLedger, planOrders } from './lib/store-orders.ts'
import { priceExpiry, settleRate } from './lib/store-settle.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const OPEN = Number(process.env['BENCH_OPEN'] ?? 200_000)
const BATCH = 1_000
const SYMBOLS = 200

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const { db, ordersDb, orderLanes } = database
try {
  const users = await addFundedUsers(db, 20_000)
  const first = later(instant(Date.now()), MINUTE_MS)
  const expiries = Array.from({ length: PAIRS + 1 }, (_, at) => later(first, at * MINUTE_MS))
  const each = Math.floor(OPEN / expiries.length)
  for (const expiresAt of expiries) {
    await acceptRate(orderLanes, planOrders(each, { users, symbols: SYMBOLS, expiresAt }), 500)
  }
  await sql`create table bare_row as select * from open_order order by id`.execute(db)
  await sql`alter table bare_row add primary key (user_id, id)`.execute(db)
  await sql`create table row_in_place as select (row_number() over (order by id))::int4 as place, o.* from open_order o`.execute(
    db,
  )
  await sql`alter table row_in_place add primary key (place)`.execute(db)
  const rows = await db.selectFrom('open_order').select(['user_id', 'id']).orderBy('id').execute()
  await sql`vacuum analyze`.execute(db)
  console.log(`${machine()}, ${each * expiries.length} open orders, batches of ${BATCH}`)

  const settle = async () => {
    const expiresAt = expiries.pop()
    if (expiresAt === undefined) throw new Error('each pair needs an expiry')
    return settleRate(ordersDb, await priceExpiry(db, SYMBOLS, expiresAt), BATCH)
  }
  const update = async () => {
    const own = rows.splice(0, each)
    const started = performance.now()
    for (const batch of chunk(own, BATCH)) {
      await sql`update bare_row r set stake = stake + 1
        from unnest(${batch.map((row) => row.user_id)}::uuid[], ${batch.map(({ id }) => id)}::uuid[]) as i(user_id, id)
        where r.user_id = i.user_id and r.id = i.id`.execute(ordersDb)
    }
    return own.length / ((performance.now() - started) / 1_000)
  }
  const updateInPlace = async () => {
    const started = performance.now()
    for (let place = 0; place < each; place += BATCH)
      await sql`update row_in_place set stake = stake + 1
        where place > ${place}::int4 and place <= ${Math.min(place + BATCH, each)}::int4`.execute(ordersDb)
    return each / ((performance.now() - started) / 1_000)
  }
  await settle()
  await update()
  const ratios = await pairs(PAIRS, ['orders settled a second', settle], ['rows updated a second', update])
  verdict('P7 settled : updated', ratios, { gate: 0.12, goal: 0.2 })
  console.log(`adjacent rows updated per second: ${Math.round(await updateInPlace())}`)
  await assertLedger(db)
} finally {
  await database.close()
}
