import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { countOnce } from '#server/back-office/dashboard/roll-up-days.ts'
import { countReports } from '#server/back-office/reports/count-reports.ts'
import { readLiabilities } from '#server/proof/liabilities/read-liabilities.ts'
import { countFairness } from '#server/proof/fairness/count-fairness.ts'
import { expireAt, placeFor, practiceOf } from '#test/support/practice.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let practice: string

beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  practice = await practiceOf(app, alice)
})
afterEach(() => app.stop())

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

/** Everything that counts money or people: what is owed to users, what the site publishes, and what staff see. */
async function everyCount() {
  for (const count of [countOnce, countReports, countFairness]) while (await count(app.ctx));
  const owner = await app.staff('owner')
  const table = async (name: string) =>
    (await sql<Record<string, unknown>>`select * from ${sql.ref(name)}`.execute(app.ctx.db)).rows
      .map((row) => Object.values(row).map(String).join(' '))
      .toSorted()
  const tables = [
    'day_total',
    'report_day',
    'report_user_day',
    'fairness_line',
    'fairness_user',
    'fairness_time',
    'order_end_day',
    'cap_refusal',
  ]
  const counted = Object.fromEntries(await Promise.all(tables.map(async (name) => [name, await table(name)] as const)))
  const statement = await app.ctx.db.selectFrom('transfer').selectAll().where('user_id', '=', alice.id).execute()
  const { accounts, total } = (await readLiabilities(app.ctx)) ?? { accounts: [], total: null }
  const [summary, exposure] = [
    await owner.call(staffCalls.staffDashboardSummary),
    await owner.call(staffCalls.staffDashboardExposure, { query: { whose: 'all' } }),
  ]
  const { users, open, house } = summary.body.data
  const latest = await app.call(calls.latestTrades, { body: { currency: 'BTC' } })
  const orders = await owner.call(staffCalls.staffOrders, { query: {} })
  return {
    counted,
    statement,
    accounts,
    total,
    users,
    open,
    house,
    exposure: exposure.body.data,
    latest: latest.body.data,
    orders: orders.body.data,
  }
}

it('with practice orders, every count of money and people stays what it was', async () => {
  await speak(9_400_000)
  const live = await placeFor(app, alice.id)
  assert(live.ok, 'accepted')
  const before = await everyCount()
  assert((await placeFor(app, practice, 20_000n)).ok, 'accepted')
  expect(await everyCount()).toEqual(before)
  await expireAt(app, 9_500_000, speak)
  // Pays what the first order earned. The totals of days contain a transfer some minutes after it.
  await app.call(calls.tasks, { token: alice.token })
  app.ctx.clock.advance(HOUR_MS)
  const settled = await everyCount()
  await speak(9_400_000)
  assert((await placeFor(app, practice, 30_000n)).ok, 'accepted')
  await expireAt(app, 9_300_000, speak)
  app.ctx.clock.advance(HOUR_MS)
  expect(await everyCount()).toEqual(settled)
})

it("staff see practice orders by their whole reference only, and a symbol's page counts only stakes of money", async () => {
  await speak(9_400_000)
  assert((await placeFor(app, alice.id)).ok, 'accepted')
  const placed = await placeFor(app, practice, 20_000n)
  assert(placed.ok, 'accepted')
  const { trx } = placed.value
  const owner = await app.staff('owner')
  const symbol = (await owner.call(staffCalls.staffSymbol, { params: { code: 'BTC' } })).body.data
  expect([symbol.open_orders, symbol.open_stakes]).toEqual([1, 10])
  const found = async (search: string) =>
    (await owner.call(staffCalls.staffOrders, { query: { search } })).body.data.rows.map((row) => row.trx)
  expect(await found(trx.toLowerCase())).toEqual([trx])
  expect(await found(trx.slice(0, -1))).toEqual([])
})

/** A constraint, a trigger, or a right that the server does not have. */
const REFUSED = /violates|practice|permission denied|stay/

it('no statement of the server moves an amount between currencies, or gives practice what only money has', async () => {
  const id = app.ctx.newId()
  const move = (userId: string, currency: string, kind: string, from: string, to: string) => sql`
    insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    values (${userId}, ${id}, 'grant', ${kind}, ${from}, ${to}, ${currency}, 5, 1)`
  const refused = [
    move(practice, 'USDT', 'order_stake', 'cash', 'staked'),
    move(alice.id, 'PRACTICE', 'order_stake', 'cash', 'staked'),
    move(practice, 'PRACTICE', 'deposit', 'house:deposits', 'cash'),
    move(practice, 'PRACTICE', 'withdrawal_request', 'cash', 'withdrawing'),
    move(practice, 'PRACTICE', 'correction_in', 'house:corrections', 'cash'),
    move(practice, 'PRACTICE', 'beginner_task', 'house:bonus', 'credits'),
    move(alice.id, 'USDT', 'practice_grant', 'house:practice', 'cash'),
    move(alice.id, 'USDT', 'order_win', 'house:practice', 'cash'),
    // A grant that brings the balance to anything but its start.
    sql`with paid as (update balance set cash = cash + 5 where user_id = ${practice})
      ${move(practice, 'PRACTICE', 'practice_grant', 'house:practice', 'cash')}`,
    sql`update balance set currency = 'USDT' where user_id = ${practice}`,
    sql`update balance set currency = 'PRACTICE' where user_id = ${alice.id}`,
    sql`insert into balance (user_id, currency) values (${practice}, 'USDT')`,
    sql`insert into balance (user_id, currency) values (${alice.id}, 'PRACTICE')`,
    sql`update balance set withdrawing = 1 where user_id = ${practice}`,
    sql`update balance set credits = 1 where user_id = ${practice}`,
    sql`update app_user set practice_of = null where id = ${practice}`,
    sql`update app_user set practice_of = ${practice} where id = ${alice.id}`,
    sql`update app_user set password_hash = 'x' where id = ${practice}`,
    sql`update app_user set email = 'a@example.com' where id = ${practice}`,
    sql`insert into session (token_hash, user_id, created_ms, expires_ms) values (${Buffer.from('x')}, ${practice}, 1, 2)`,
  ]
  for (const statement of refused) {
    await expect(statement.execute(app.ctx.db)).rejects.toThrow(REFUSED)
    await expect(database.asOwner((owner) => statement.execute(owner))).rejects.toThrow(REFUSED)
  }
  expect((await app.ctx.db.selectFrom('balance').selectAll().where('user_id', '=', practice).execute()).length).toBe(1)
})
