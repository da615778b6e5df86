import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Period } from '#server/platform/database/period.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { ALL_TRANSFERS, newestTransfers } from '#server/back-office/ledger/newest-transfers.queries.ts'
import { listOrders } from '#server/back-office/orders/orders.queries.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
/**
 * The number of orders. One order a second is opened for a minute, but every 200th order lasts an hour. The embedded
 * database is slower, so it gets fewer orders.
 */
const ORDERS = process.env['TEST_DATABASE_URL'] ? 100_000 : 20_000
const LONG = 200
const LIMIT = 50
const ALWAYS: Period = { from: null, until: null }
let trader: string
/** A user whose last order is older than the orders of the other users. */
let former: string

beforeAll(async () => {
  const app = await createTestApp(database)
  trader = (await app.verifiedUser('trader')).id
  former = (await app.verifiedUser('former')).id
  const { id: rival } = await app.verifiedUser('rival')
  await app.stop()
  await store(trader, '0195a000-0000-7000-9000-', ORDERS)
  await store(rival, '0195a000-0000-7000-b000-', ORDERS)
  await store(former, '0195a000-0000-7000-a000-', 2_000)
  await database.asOwner((owner) => sql`analyze`.execute(owner))
})

/** Lets the database insert `count` settled orders and the transfers of their stakes. */
async function store(userId: string, start: string, count: number): Promise<void> {
  const first = historyRow({ user_id: userId, id: `${start}000000000000`, settled_ms: 0, opened_ms: 0 })
  await database.db.insertInto('order_history').values(first).execute()
  await sql`
    insert into order_history
    select r.* from generate_series(1, ${count - 1}::int8) i
    cross join lateral (select ${start} || lpad(to_hex(i), 12, '0') as id, i * ${SECOND_MS}::int8 as opened_ms,
      case when i % ${LONG} = 0 then ${HOUR_MS}::int8 else ${MINUTE_MS}::int8 end as length_ms) n
    join order_history o on o.id = ${first.id}::uuid
    cross join lateral jsonb_populate_record(o, jsonb_build_object('id', n.id, 'trx', n.id, 'client_order_id', n.id,
      'opened_ms', n.opened_ms, 'expires_ms', n.opened_ms + n.length_ms, 'settled_ms', n.opened_ms + n.length_ms)) r`.execute(
    database.db,
  )
  await sql`
    insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    select user_id, id, 'stake', 'order_stake', 'cash', 'staked', 'USDT', stake, opened_ms from order_history
    where user_id = ${userId}::uuid`.execute(database.db)
}

/** Runs `read`. Returns the listed times in seconds, and how many rows of settled orders the database read for them. */
async function counting(read: (db: Db) => Promise<readonly number[]>): Promise<{ seconds: number[]; rows: number }> {
  return await database.db.transaction().execute(async (tx) => {
    const counted = async () => {
      const { rows } = await sql<{ count: bigint }>`
        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables
        where relname = 'order_history'`.execute(tx)
      return Number(rows[0]?.count)
    }
    const before = await counted()
    const times = await read(tx)
    return { seconds: times.map((ms) => ms / SECOND_MS), rows: (await counted()) - before }
  })
}

describe.each<[string, (db: Db, userId: string, period: Period, after: number | null) => Promise<number[]>]>([
  [
    'stakes',
    async (db, userId, period, after) => {
      const filters = { ...ALL_TRANSFERS, userId, kind: 'order_stake', period }
      const last = after === null ? null : [after * SECOND_MS, '0195a000-0000-7000-9000-000000000000', 'stake']
      return (await newestTransfers(db, filters, { after: last, limit: LIMIT })).map((row) => Number(row.created_ms))
    },
  ],
  [
    'orders',
    async (db, userId, period, after) => {
      const filters = { state: null, symbol: null, userId, trx: null, period }
      const last = after === null ? null : [after * SECOND_MS, '0195a000-0000-7000-9000-000000000000']
      return (await listOrders(db, filters, { after: last, limit: LIMIT })).map((row) => Number(row.opened_ms))
    },
  ],
])('a page of %s of a long history', (_what, page) => {
  const downFrom = (second: number) => Array.from({ length: LIMIT }, (_, nth) => second - nth)
  const newest = ORDERS - 1

  it.each<[string, Period, number | null, number, number]>([
    // Orders that last an hour settle at the same time as the newest orders, so the database reads them too.
    ['the newest', ALWAYS, null, newest, 500],
    ['a thousand on', ALWAYS, newest - 1_000, newest - 1_001, 1_500],
    ['of the last hours', { from: (newest - 7_200) * SECOND_MS, until: null }, null, newest, 500],
    ['before a time', { from: null, until: (newest - 1_000) * SECOND_MS }, null, newest - 1_001, 1_500],
  ])('reads few rows: %s', async (_which, period, after, first, maxRows) => {
    const { seconds, rows } = await counting((db) => page(db, trader, period, after))
    expect(seconds).toEqual(downFrom(first))
    expect(rows).toBeLessThan(maxRows)
  })

  it('a page of a period with 10 orders contains only this period, and its query reads fewer than 500 rows', async () => {
    const last = { from: (newest - 9) * SECOND_MS, until: null }
    const { seconds, rows } = await counting((db) => page(db, trader, last, null))
    expect(seconds).toEqual(downFrom(newest).slice(0, 10))
    expect(rows).toBeLessThan(500)
  })

  it('ends with the oldest order if it is the last page', async () => {
    const { seconds } = await counting((db) => page(db, trader, ALWAYS, 3))
    expect(seconds).toEqual([2, 1, 0])
  })

  it('the query for a page of a user without recent orders reads few rows of other users', async () => {
    const { seconds, rows } = await counting((db) => page(db, former, ALWAYS, null))
    expect(seconds).toEqual(downFrom(1_999))
    expect(rows).toBeLessThan(500)
  })
})
