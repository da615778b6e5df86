import { get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { uidOf } from '#core/accounts/uid.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { checkStatement } from '#core/statement/check-statement.ts'
import { readRows } from '#core/statement/read-rows.ts'
import { readStatementFile } from '#core/statement/statement-file.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { allowBareTransfers, withoutRule } from '#test/support/bare-rows.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

let bench: AttackBench
let user: TestUser
const { database, share } = useWorld({
  begin: async (database) => {
    bench = await openAttackBench(database)
    user = await bench.funded(1_000)
  },
  end: () => bench.close(),
})
allowBareTransfers(database)

const PERIOD = { from: '2026-03-01', zone: 'Asia/Kathmandu' }
const page = (query: Record<string, string | number> = PERIOD, of = user) =>
  bench.app.call(calls.statement, { token: of.token, query })

async function file(path: string, of = user, query = 'from=2026-03-01&zone=Asia/Kathmandu') {
  const reply = await bench.app.http.inject({
    url: `/api${path}?${query}`,
    headers: { authorization: `Bearer ${of.token}` },
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.payload }
}

/**
 * A hostile text of the operator, with a spreadsheet formula, HTML, a line break, and a character that makes text run
 * backwards.
 */
const HOSTILE = '=HYPERLINK("http://x","y")\r\n<img src=x onerror=alert(1)>,"; \u202Eevil\u2066'

it('the page, the CSV file and the signed file show the same rows of a user, with the balance after each row', async () => {
  await bench.priced(6_728_410)
  const { status, body } = await page({ ...PERIOD, page: 1, per_page: 10 })
  expect([status, body.meta]).toEqual([200, { page: 1, per_page: 10, total: 1, pages: 1 }])
  expect(body.data.statement).toMatchObject({ opening: 0, deposits: 1_000, closing: 1_000, rows: 1 })
  expect(body.data.rows).toMatchObject([{ n: 1, kind: 'deposit', amount: 1_000, balance: 1_000 }])

  const csv = await file('/user/statement.csv')
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="statement-2026-03-01-to-/)
  expect(readRows(csv.text)).toMatchObject([{ reference: body.data.rows[0]?.reference, amount: money(100_000n) }])

  const signed = readStatementFile((await file('/user/statement/signed')).text)
  assert(signed, 'the signed file can be read')
  expect(signed.rows).toBe(csv.text)
  const { body: published } = await bench.app.call(calls.proofKeys)
  const { faults, facts } = checkStatement(SERVER_TOOLS, signed, published.data.keys)
  expect(faults).toEqual([])
  expect(facts).toMatchObject({ uid: uidOf(user.id), zone: PERIOD.zone, from_ms: body.data.statement.from_ms })
})

it('shows a withdrawal with its charge as one row, even when it was returned, and a cancelled one as a row of 0.00', async () => {
  const { db } = database
  const at = bench.app.ctx.now()
  const [paid, back] = [bench.app.ctx.newId(), bench.app.ctx.newId()]
  const move = async (ref: string, step: string, kind: string, from: string, to: string, amount: bigint) => {
    const own = { user_id: user.id, ref, step, kind, from_account: from, to_account: to, currency: 'USDT' }
    await db
      .insertInto('transfer')
      .values({ ...own, amount, created_ms: at })
      .execute()
  }
  await move(paid, 'hold', 'withdrawal_request', 'cash', 'withdrawing', 5_000n)
  await move(paid, 'close', 'withdrawal_paid', 'withdrawing', 'house:withdrawals', 4_800n)
  await move(paid, 'fee', 'withdrawal_fee', 'withdrawing', 'house:fees', 200n)
  const returned = bench.app.ctx.newId()
  await move(returned, 'hold', 'withdrawal_request', 'cash', 'withdrawing', 300n)
  await move(returned, 'close', 'withdrawal_paid', 'withdrawing', 'house:withdrawals', 290n)
  await move(returned, 'fee', 'withdrawal_fee', 'withdrawing', 'house:fees', 10n)
  await move(returned, 'return', 'withdrawal_returned', 'house:withdrawals', 'cash', 290n)
  await move(returned, 'return_fee', 'withdrawal_fee_returned', 'house:fees', 'cash', 10n)
  await move(back, 'hold', 'withdrawal_request', 'cash', 'withdrawing', 700n)
  await move(back, 'close', 'withdrawal_cancelled', 'withdrawing', 'cash', 700n)
  await db.updateTable('balance').set({ cash: 95_000n }).where('user_id', '=', user.id).execute()
  const { data } = (await page()).body
  expect(data.statement).toMatchObject({ withdrawals: 48, charges: 2, closing: 950 })
  const rows = data.rows.map(({ kind, amount }) => [kind, amount] as const)
  expect(rows.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
    ['deposit', 1_000],
    ['withdrawal', -50],
    ['withdrawal', -3],
    ['withdrawal_cancelled', 0],
    ['withdrawal_returned', 3],
  ])
})

it('US2.7: a hostile text of the operator stays plain text on the page and in the CSV file', async () => {
  await withoutRule(database, { table: 'deposit', rule: 'deposit_decision_kept' }, (db) =>
    db.updateTable('deposit').set({ feedback: HOSTILE }).where('user_id', '=', user.id).execute(),
  )
  expect((await page()).body.data.rows[0]?.words).toBe(HOSTILE)
  const { text } = await file('/user/statement.csv')
  const [row] = readRows(text) ?? []
  // The apostrophes keep a spreadsheet from reading a formula, also where it splits at a semicolon.
  expect(row?.words.replaceAll("'", '')).toBe(HOSTILE)
  expect(row?.words.startsWith("'=")).toBe(true)
  expect(text.split('\r\n').filter((line) => /^[=+@]/.test(line))).toEqual([])
})

describe('the check of the period', () => {
  share()

  it.each([
    ['a day that does not exist', { ...PERIOD, from: '2026-02-31' }, 'bad_request'],
    ['a day before 1970', { ...PERIOD, from: '0001-01-01' }, 'bad_request'],
    ['a day of a far century', { ...PERIOD, to: '9999-12-31' }, 'bad_request'],
    ['a day that its zone skipped', { from: '2011-12-30', to: '2011-12-31', zone: 'Pacific/Apia' }, 'period_invalid'],
    ['an unknown zone', { ...PERIOD, zone: 'Mars/Base' }, 'bad_request'],
    ['an end before the start', { ...PERIOD, to: '2026-02-01' }, 'period_invalid'],
    ['no day', { ...PERIOD, to: PERIOD.from }, 'period_invalid'],
    ['a start to come', { ...PERIOD, from: '2027-01-01', to: '2027-02-01' }, 'period_invalid'],
    ['more than 366 days', { ...PERIOD, from: '2024-01-01' }, 'period_invalid'],
  ])('refuses %s', async (_, query, code) => {
    const { status, body } = await page(query)
    expect([status, body.code]).toEqual([422, code])
  })
})

it('US2.5: a mismatch with the ledger gives an alarm instead of a statement, until both agree again', async () => {
  const cash = (by: bigint) =>
    sql`update balance set cash = cash + ${by}::int8 where user_id = ${user.id}::uuid`.execute(database.db)
  await cash(1n)
  const { status, body } = await page()
  expect([status, body.code]).toEqual([503, 'books_differ'])
  for (const path of ['/user/statement.csv', '/user/statement/signed']) {
    const reply = await file(path)
    expect([reply.status, reply.headers['content-type']]).toEqual([503, 'application/json; charset=utf-8'])
    expect(reply.text).toContain('books_differ')
  }
  expect(bench.app.faults.has('books_differ')).toBe(true)
  expect(bench.app.faults.stopping).toBeNull()
  const lines = bench.app.ctx.lines.filter(({ message }) => message === 'the statement of a user does not add up')
  expect(lines.map(({ facts }) => facts)).toEqual([{ userId: user.id }])
  // Another user can still get a statement.
  const other = await bench.funded(50)
  expect((await page(PERIOD, other)).status).toBe(200)
  expect(bench.app.faults.has('books_differ')).toBe(true)
  await cash(-1n)
  expect((await page()).status).toBe(200)
  expect(bench.app.faults.has('books_differ')).toBe(false)
})

it('US2.5: a changed transfer prevents the statement of any period', async () => {
  await database.asOwner((owner) =>
    sql`update transfer set amount = amount - 1 where user_id = ${user.id}::uuid`.execute(owner),
  )
  for (const to of ['2026-03-10', '2026-04-01']) {
    expect((await page({ ...PERIOD, to })).body.code).toBe('books_differ')
  }
})

it('US2.5: no user can request the statement of another user', async () => {
  const other = await bench.funded(50)
  for (const path of ['/user/statement.csv', '/user/statement/signed']) {
    const { text } = await file(path, other, `from=2026-03-01&zone=UTC&user_id=${user.id}&uid=${uidOf(user.id)}`)
    expect(text).toContain('50.00')
    expect(text).not.toContain('1000.00')
  }
  for (const token of ['', 'none', (await bench.app.staff('owner')).cookie]) {
    expect((await file('/user/statement.csv', { ...user, token })).status).toBe(401)
  }
})

/** Gives a user so many draws that the file is larger than the buffers between server and reader. */
async function giveOrders(count: number): Promise<void> {
  const at = bench.app.ctx.now() - 3_600_000
  const id = sql`('0195a000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await sql`insert into order_history (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
      profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms, result,
      result_amount, balance_after, settled_ms, result_number)
    select ${user.id}::uuid, ${id}, n::text, 'FW-' || rpad(n::text, 600, '0'), 1, 1, 60, 1, 1, 8000, 1, 1, 1, 1, 'test', ${at}::int8 - 60000, ${at}::int8,
      3, 0, 0, ${at}::int8 + n, n from generate_series(1, ${count}::int4) n`.execute(database.db)
  await sql`insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    select ${user.id}::uuid, ${id}, 'close', 'order_draw', 'staked', 'cash', 'USDT', 1, ${at}::int8 + n
    from generate_series(1, ${count}::int4) n`.execute(database.db)
  await sql`update balance set results = ${count} where user_id = ${user.id}::uuid`.execute(database.db)
}

/** Begins a download on a separate connection, and reads only the headers of the response. */
async function begin(): Promise<IncomingMessage> {
  const { port } = bench
  const path = '/api/user/statement.csv?from=2026-03-01&zone=UTC'
  const headers = { authorization: `Bearer ${user.token}`, 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject)
  })
}

const openTransactions = async (): Promise<number> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(database.db)
  return Number(rows[0]?.count)
}

it('US2.3: the server cuts off a reader that hangs, holds no transaction for it, and then accepts another download of the user', async () => {
  await giveOrders(30_000)
  const hanging = await begin()
  let isClosed = false
  hanging.once('close', () => {
    isClosed = true
  })
  hanging.once('error', () => undefined)
  expect(hanging.statusCode).toBe(200)
  const second = await file('/user/statement.csv')
  expect([second.status, Number(second.headers['retry-after'])]).toEqual([429, 10])
  expect(JSON.parse(second.text)).toMatchObject({ code: 'statement_busy' })
  expect(await openTransactions()).toBe(0)
  // A response that is not read reports the end of its connection only once it is read.
  await bench.until(
    () => bench.app.ctx.lines.some(({ message }) => message === 'the download of a statement was not completed'),
    1_000,
  )
  hanging.resume()
  await bench.until(() => isClosed)
  expect(hanging.complete).toBe(false)
  expect(await openTransactions()).toBe(0)
  const again = await file('/user/statement.csv')
  expect([again.status, readRows(again.text)?.length]).toEqual([200, 30_001])
})

it('US2.3: after a reader closed the connection, the server accepts another download of the user', async () => {
  await giveOrders(30_000)
  const leaving = await begin()
  leaving.destroy()
  const isFree = async (): Promise<void> => expect((await file('/user/statement.csv')).status).toBe(200)
  await vi.waitFor(isFree, { interval: 20 })
  expect(await openTransactions()).toBe(0)
})
