// P28: reply time of orders (as in P4) while another user downloads an account statement with 100,000 rows again and
// again, compared with no downloads. Gate 1.1 for the ratio of the 99th percentiles. Gate 1,000 ms for the first byte
// of a download. Defaults: BENCH_SECONDS 5, BENCH_PAIRS 5, BENCH_ROWS 100,000.
import { sql } from 'kysely'
import { assert } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { machine, pairs, spread, verdict } from './lib/pairs.ts'
import { startDriver } from './lib/orders/start-driver.ts'
import { CLIENTS, LONG_SECONDS, MANY_USERS, measureMaxRate } from './lib/orders/steady.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'

const SHARE = 0.3
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const MS = Number(process.env['BENCH_SECONDS'] ?? 5) * 1_000
const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000)
const WARM_MS = 1_000
const DAY_MS = 86_400_000

/** Gives a user orders of 0.01 that ended in a draw an hour ago. */
async function giveOrders(db: Db, userId: string): Promise<void> {
  const at = Date.now() - 3_600_000
  const id = sql`('0195a000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const each = sql`generate_series(1, ${ROWS}::int4) n`
  await sql`insert into order_history (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction,
      stake, profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms,
      result, result_amount, balance_after, settled_ms, result_number)
    select ${userId}::uuid, ${id}, 'given ' || n, 'FW-GIVEN-' || n, 1, 1, 60, 1, 1, 8000, 1, 1, 1, 1, 'bench',
      ${at}::int8 - 60000, ${at}::int8, 3, 0, 0, ${at}::int8 + n, n from ${each}`.execute(db)
  await sql`insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    select ${userId}::uuid, ${id}, step, kind, source, target, 'USDT', 1, ${at}::int8 + n from ${each},
      (values ('stake', 'order_stake', 'cash', 'staked'), ('close', 'order_draw', 'staked', 'cash')) t (step, kind, source, target)`.execute(
    db,
  )
  await sql`update balance set results = ${ROWS} where user_id = ${userId}::uuid`.execute(db)
  await sql`vacuum analyze order_history, transfer`.execute(db)
}

const site = await openTradingSite({
  url: process.env['BENCH_DATABASE_URL'] ?? '',
  users: MANY_USERS + 1,
  seconds: LONG_SECONDS,
})
const token = site.tokens.at(-1) ?? ''
const driver = await startDriver({
  address: site.server.address,
  sockets: CLIENTS,
  tokens: site.tokens.slice(0, MANY_USERS),
})
const firstBytes: number[] = []
const wholes: number[] = []

/** Downloads the statement again and again until `isOver`. */
async function download(isOver: () => boolean): Promise<void> {
  const from = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10)
  while (!isOver()) {
    const started = performance.now()
    const reply = await fetch(`${site.server.address}/api/user/statement.csv?from=${from}&zone=UTC`, {
      headers: { authorization: `Bearer ${token}` },
    })
    firstBytes.push(performance.now() - started)
    const text = await reply.text()
    wholes.push(performance.now() - started)
    // The statement has a row for the deposit and one row per order.
    assert(text.trimEnd().endsWith(`end,${ROWS + 1}`), 'the statement is complete')
  }
}

try {
  console.log(machine())
  await giveOrders(site.db, site.userIds.at(-1) ?? '')
  const perSecond = SHARE * (await measureMaxRate(driver))
  const p99 = async () => (await driver.run({ clients: CLIENTS, perSecond, warmMs: WARM_MS, ms: MS })).p99
  const p99WithDownloads = async () => {
    let isOver = false
    const downloads = download(() => isOver)
    const found = await p99()
    isOver = true
    await downloads
    return found
  }
  const ratios = await pairs(
    PAIRS,
    [`p99 at ${perSecond.toFixed(0)}/s with downloads, ms`, p99WithDownloads],
    ['p99 without, ms', p99],
  )
  console.log(`${`whole statement of ${ROWS} rows, ms`.padEnd(44)} ${spread(wholes)}`)
  verdict('P28 first byte, ms', firstBytes, { gate: 1_000, goal: 300, kind: 'most' })
  verdict('P28 p99 with : without', ratios, { gate: 1.1, goal: 1.05, kind: 'most' })
} finally {
  driver.stop()
  await site.close()
}
