// P16: a page of 50 settled orders from the real server over HTTP, with real sessions, compared with pgbench running
// the same SQL; 16 connections each. Gate 0.3, goal 0.45. The orders are those of `npm run seed:large`, of random
// users. Defaults: BENCH_PAIRS 7, BENCH_SECONDS 3 per run, BENCH_ORDERS 200,000.
import { sql } from 'kysely'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, later } from '#core/time/instant.ts'
import { insertSession } from '#server/users/sessions/sessions.queries.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import { connectPostgres } from '#server/platform/database/postgres.ts'
import { createTools } from '#server/platform/context/create-context.ts'
import { closedPage } from '#server/trading/orders/list-orders.queries.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { largeData } from '../scripts/lib/large-data.ts'
import { openBenchServer } from './lib/bench-server.ts'
import { load } from './lib/load.ts'
import { onlyErrors } from './lib/only-errors.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { pgbench } from './lib/pgbench.ts'
import { assertLedger } from './lib/store-orders.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 7)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 200_000)
const USERS = 1_000
/** Sessions of the requesting users: the newest accounts, as some older ones are not verified. */
const SESSIONS = 100
const CONNECTIONS = 16
const PAGE = 50
const PATH = `/api/user/transactions?page=1&per_page=${PAGE}`

const database = await createEmptyPostgresDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const server = await openBenchServer({
  DATABASE_URL: database.url,
  FAIRWICK_CALLS_PER_ADDRESS: '1000000',
  FAIRWICK_CALLS_PER_ACCOUNT: '1000000',
})
const opened = await connectPostgres({ url: database.url, poolSize: 2, log: onlyErrors })
const { db } = opened
try {
  const now = instant(Date.now())
  await db.connection().execute(async (one) => {
    for (const step of largeData({ users: USERS, orders: ORDERS, now }))
      for (const statement of step.sql) await sql.raw(statement).execute(one)
  })
  await sql`vacuum analyze`.execute(db)
  const users = await db
    .selectFrom('app_user')
    .select('id')
    .where('username', 'like', 'large\\_%')
    .where('verified', '=', true)
    .orderBy('username')
    .limit(SESSIONS)
    .execute()
  const headers: Record<string, string>[] = []
  for (const { id } of users) {
    const token = makeToken(createTools().randomBytes)
    const tokenHash = hashToken(token)
    assert(tokenHash, 'a token that was just made is one')
    const expiresAt = later(now, DAY_MS)
    const facts = { tokenHash, userId: id, createdAt: now, expiresAt, userAgent: 'bench', address: '127.0.0.1' }
    await insertSession(db, { ...facts, confirmedAt: null })
    headers.push({ authorization: `Bearer ${token}` })
  }
  console.log(`${machine()}, ${ORDERS} orders, pages of ${PAGE}, ${CONNECTIONS} connections`)

  const ask = async (seconds: number) => {
    const options = { address: server.address, path: PATH, connections: CONNECTIONS, ms: seconds * 1_000 }
    return (await load({ ...options, headers })).perSecond
  }
  // pgbench runs the statement of the server for the same random users, with one script per user.
  const scripts = users.map(({ id }) => {
    const { sql: text, parameters } = closedPage(id, { limit: PAGE, offset: 0 }).compile(db)
    return text.replaceAll(/\$(\d+)/g, (_, at) => `'${String(parameters[Number(at) - 1])}'`)
  })
  const bare = () => pgbench(database.url, { clients: CONNECTIONS, seconds: SECONDS, scripts })
  await ask(2)
  const ratios = await pairs(PAIRS, ['pages a second', () => ask(SECONDS)], ['pgbench, the same SQL', bare])
  verdict('P16 pages : pgbench', ratios, { gate: 0.3, goal: 0.45 })
  await assertLedger(db)
} finally {
  await server.close()
  await opened.close()
  await database.drop()
}
