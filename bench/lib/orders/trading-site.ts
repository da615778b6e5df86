import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { assert } from '#core/result.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { depositForAll } from '../deposit-for-all.ts'
import { ID_BYTES } from './protocol.ts'
import { setDuration } from '#test/support/force-terms.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

const CASH = 100_000_000n
const DAY_MS = 86_400_000
const CHUNK = 10_000
/** The length of a receipt's key in bytes: a user id and an order id of 16 bytes each. */
const RECEIPT_KEY_BYTES = 32
const RECEIPTS_WITHIN_MS = 120_000

/** A server with logged-in users who have money, on its own database. */
export interface TradingSite {
  readonly server: ServerProcess
  readonly db: Db
  /** Tokens of the users, in the order of their names. */
  readonly tokens: readonly string[]
  readonly userIds: readonly string[]
  /** Returns the names of the first `count` users. */
  readonly userNames: (count: number) => string[]
  /**
   * Waits for the receipts and stops the server gracefully. Then compares ledger and orders with the acknowledged
   * orders and with the orders accepted without the server.
   */
  audit(acknowledged: Buffer, byOthers?: Buffer): Promise<void>
  close(): Promise<void>
}

export interface SiteOptions {
  /** Address of the PostgreSQL. */
  readonly url: string
  readonly users: number
  /** Duration of the orders in seconds. */
  readonly seconds: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the server as an operator does, with default settings except for resident bots, which would trade too. */
export async function openTradingSite({ url, users, seconds, environment }: SiteOptions): Promise<TradingSite> {
  const own = await createEmptyPostgresDatabase(url)
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
  const all = {
    DATABASE_URL: own.url,
    FAIRWICK_DATA_DIR: folder,
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'warn',
    ...environment,
  }
  const first = await startServerProcess(all)
  await first.stop()
  const database: Database = await connectDatabase({ url: own.url, dataDir: folder, log: quiet, poolSize: 2 })
  const { db } = database
  const { tokens, userIds } = await addSignedInUsers(db, users)
  await setDuration(db, 1, seconds)
  await sql`vacuum analyze`.execute(db)
  const server = await startServerProcess({ ...all, ...profiled() })
  // An interrupted measurement must not leave its server running.
  const end = () => {
    void server.kill()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
  return {
    server,
    db,
    tokens,
    userIds,
    userNames: (count) => Array.from({ length: count }, (_, nth) => `trader_${nth + 1}`),
    async audit(own, byOthers = Buffer.alloc(0)) {
      // The server creates the receipts of orders that it did not accept itself only later, so the audit does not wait
      // for them.
      if (byOthers.length === 0) await waitForReceipts(db, own.length / ID_BYTES)
      const acknowledged = Buffer.concat([own, byOthers])
      const code = await server.stop()
      const { clean, transfers, openOrders } = await checkLedger(db)
      assert(clean, 'the ledger reconciles')
      await everyOneOnce(db, acknowledged)
      console.log(
        `the ledger reconciles (${transfers} transfers, ${openOrders} open orders); ${acknowledged.length / ID_BYTES} orders were acknowledged, each exists once and no other does`,
      )
      // The exit code is checked last, so that the state that the server left behind has already been reported.
      assert(code === 0, `the server exits with 0, not with ${code}: ${server.output().slice(-2_000)}`)
    },
    async close() {
      if (!server.hasExited()) await server.kill()
      await database.close()
      await own.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** With BENCH_PROFILE, the server writes a profile of its processor time to that file. */
function profiled(): Record<string, string> {
  const file = process.env['BENCH_PROFILE']
  if (file === undefined) return {}
  const program = new URL('../profiled-process.mjs', import.meta.url).href
  return { PROFILE_FILE: file, NODE_OPTIONS: `--import ${program}` }
}

/** Adds verified users with money paid in through the ledger, and one session each. Returns their tokens and ids. */
async function addSignedInUsers(db: Db, count: number): Promise<{ tokens: string[]; userIds: string[] }> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  const now = Date.now()
  const userIds = await db.transaction().execute(async (tx) => {
    await sql`insert into app_user (id, username, email, mobile, password_hash, verified, created_ms)
      select gen_random_uuid(), 'trader_' || i, null, i::text, 'none', true, ${now}::int8
      from generate_series(1, ${count}::int4) i`.execute(tx)
    const mine = sql`app_user where username like 'trader\_%'`
    await sql`insert into balance (user_id, currency, cash) select id, ${BASE_CURRENCY}, ${CASH}::int8 from ${mine}`.execute(
      tx,
    )
    await depositForAll(tx, { names: 'trader_', cash: CASH, at: now })
    await sql`insert into session (token_hash, user_id, created_ms, expires_ms, user_agent, ip, seen_ms, confirmed_ms)
      select h.hash, u.id, ${now}::int8, ${now + DAY_MS}::int8, 'bench', '127.0.0.1', ${now + DAY_MS}::int8, 0
      from unnest(${hashes}::bytea[]) with ordinality h (hash, nth)
      join app_user u on u.username = 'trader_' || h.nth`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      select u.id from generate_series(1, ${count}::int4) i join app_user u on u.username = 'trader_' || i order by i`.execute(
      tx,
    )
    return rows.map(({ id }) => id)
  })
  return { tokens, userIds }
}

async function everyOneOnce(db: Db, acknowledged: Buffer): Promise<void> {
  await db.connection().execute(async (one) => {
    // With tens of millions of orders this query takes longer than a statement of the server may.
    await sql`set statement_timeout = 0`.execute(one)
    await sql`set work_mem = '512MB'`.execute(one)
    await sql`create temporary table acknowledged (id uuid)`.execute(one)
    for (let at = 0; at < acknowledged.length; at += CHUNK * ID_BYTES) {
      const ids = acknowledged.toString('latin1', at, at + CHUNK * ID_BYTES).match(/.{36}/g) ?? []
      await sql`insert into acknowledged select unnest(${ids}::uuid[])`.execute(one)
    }
    const { rows } = await sql<{ told: bigint; missing: bigint; stored: bigint }>`
      with stored as (select id from open_order union all select id from order_history)
      select (select count(distinct id) from acknowledged) as told, (select count(*) from stored) as stored,
        (select count(*) from acknowledged a where not exists (select 1 from stored s where s.id = a.id)) as missing`.execute(
      one,
    )
    const { told = 0n, missing = 0n, stored = 0n } = rows[0] ?? {}
    assert(missing === 0n, `every acknowledged order is there, ${missing} are not`)
    assert(told === BigInt(acknowledged.length / ID_BYTES), 'no id was given twice')
    assert(stored === told, `${stored} orders are there, ${told} were acknowledged`)
  })
}

/** Waits until all orders have their receipts. An open order has only one receipt. */
async function waitForReceipts(db: Db, orders: number): Promise<void> {
  const started = performance.now()
  for (;;) {
    const { rows } = await sql<{ accepted: bigint | null; result: bigint | null; ended: bigint }>`
      select sum(length(keys) / ${RECEIPT_KEY_BYTES}::int4) filter (where kind = 'accepted') as accepted,
        sum(length(keys) / ${RECEIPT_KEY_BYTES}::int4) filter (where kind = 'result') as result,
        (select count(*) from order_history) as ended
      from receipt_batch`.execute(db)
    const { accepted = 0, result = 0, ended = 0 } = rows[0] ?? {}
    const isDone = Number(accepted ?? 0) === orders && Number(result ?? 0) === Number(ended)
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    const summary = `${accepted ?? 0} acceptance receipts, ${result ?? 0} result receipts`
    if (isDone) return console.log(`${summary}; made within ${seconds} s of the last order`)
    assert(performance.now() - started < RECEIPTS_WITHIN_MS, `each of ${orders} orders has its receipts: ${summary}`)
    await pause(500)
  }
}
