import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { countOnce } from '#server/back-office/dashboard/roll-up-days.ts'
import { noteRun, noteStop } from '#server/platform/faults/server-run.queries.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { historyRow } from '#test/support/history-row.ts'
import { withoutRule } from '#test/support/bare-rows.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let staff: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  staff = await app.staff('finance')
})
afterEach(() => app.stop())

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

let orders = 0
async function place(direction: Direction, stake: bigint, userId = alice.id): Promise<void> {
  orders += 1
  const placed = await app.engine.place({
    userId,
    clientOrderId: `order-${orders}`,
    direction,
    tradeSettingId: 1,
    stake: money(stake),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  assert(placed.ok, 'placed')
}

async function expireAt(exit: number): Promise<void> {
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak(exit)
  app.ctx.clock.advance(2_000)
  await speak(exit + 1)
  await app.engine.settleDue()
  app.ctx.clock.advance(2_000)
}

/** Advances the clock by hours, which can end the session, and logs in again. */
async function passHours(hours: number): Promise<void> {
  app.ctx.clock.jump(hours * HOUR_MS)
  staff = await app.staff('finance')
}

const summary = async () => (await staff.call(staffCalls.staffDashboardSummary)).body.data
const exposure = async (whose: 'people' | 'bots' | 'all') =>
  (await staff.call(staffCalls.staffDashboardExposure, { query: { whose } })).body.data.symbols

describe('the exposure', () => {
  it('lists for each symbol the house result if buys win and if sells win, for users separate from bots', async () => {
    const bot = await app.verifiedUser('robin')
    await app.call(calls.saveDeposit, { token: bot.token, body: { amount: 1_000, method_id: 1 } })
    await database.asOwner((owner) =>
      owner.updateTable('app_user').set({ is_bot: true }).where('id', '=', bot.id).execute(),
    )
    await speak(9_400_000)
    await place(BUY, 10_000n)
    await place(SELL, 5_000n)
    await place(BUY, 1_001n, bot.id)
    expect(await exposure('people')).toEqual([
      {
        code: 'BTC',
        market_type: 'crypto',
        orders: 2,
        stakes: 150,
        if_buys_win: 50 - 80,
        if_sells_win: 100 - 40,
        worst: -30,
        spans: [{ span: 'five_minutes', orders: 2, stakes: 150, worst: -30 }],
      },
    ])
    expect(await exposure('bots')).toMatchObject([{ orders: 1, if_buys_win: -8.01, if_sells_win: 10.01 }])
    expect(await exposure('all')).toMatchObject([{ orders: 3 }])
    expect((await summary()).open).toEqual({ orders: 2, stakes: 150, bot_orders: 1, bot_stakes: 10.01 })
    // F67: the summary counts new and active bots separately from users, like the daily totals.
    expect((await summary()).users).toMatchObject({
      new_day: 2,
      active_day: 1,
      bots_new_day: 1,
      bots_new_week: 1,
      bots_active_day: 1,
    })
  })
})

describe('the house result', () => {
  it('equals the house account in the ledger, before and after the daily count', async () => {
    await speak(9_400_000)
    await place(BUY, 10_000n)
    await place(SELL, 7_777n)
    await expireAt(9_500_000)
    const ledger = (await checkLedger(database.db)).house.get('house:trading') ?? 0n
    expect(ledger).toBe(7_777n - 8_000n)
    expect((await summary()).house).toEqual({
      today: -2.23,
      total: moneyNumber(money(ledger)),
      bots_today: 0,
      bots_total: 0,
    })
    await passHours(1)
    await countOnce(app.ctx)
    expect((await summary()).house.total).toBe(-2.23)

    const { days, rows } = (await staff.call(staffCalls.staffDashboardDays, { query: { days: 7 } })).body.data
    expect(days).toHaveLength(7)
    expect(rows).toContainEqual({
      day: days.at(-1),
      kind: 'crypto',
      is_bot: false,
      count: 2,
      amount: 177.77,
      result: -2.23,
    })
    // Two deposits: one of Alice and one of the demo user.
    expect(rows).toContainEqual(expect.objectContaining({ kind: 'deposit', amount: 11_000, count: 2 }))
  })
})

describe('the summary', () => {
  it('counts users and reports the ledger and failures', async () => {
    await countOnce(app.ctx)
    const before = await summary()
    expect(before).toMatchObject({ is_complete: true, takes_orders: true, errors: [], ledger: { state: 'clean' } })
    // The two users are Alice and the demo user.
    expect(before.users).toEqual({
      total: 2,
      new_day: 2,
      new_week: 2,
      active_day: 0,
      bots: 0,
      bots_new_day: 0,
      bots_new_week: 0,
      bots_active_day: 0,
    })
    await speak(9_400_000)
    await place(BUY, 10_000n)
    app.ctx.clock.advance(2_000)
    expect((await summary()).users.active_day).toBe(1)
  })

  it('A21: reports void orders, crashes and downtime, and distinguishes an ordered stop', async () => {
    const late = { late_results: { orders: 0, longest_seconds: 0 }, late_withdrawals: { count: 0, amount: 0 } }
    const quiet = { voids: 0, void_symbols: [], ...late, crashes: 0, down_seconds: 0, events: [] }
    expect((await summary()).faults).toEqual(quiet)
    const now = app.ctx.now()
    const ago = (ms: number) => later(now, -ms)
    const old = {
      run: app.ctx.newId(),
      name: 'one:3000',
      startedAt: ago(3 * HOUR_MS),
      now: ago(2 * HOUR_MS),
      isReady: true,
    }
    const killed = {
      run: app.ctx.newId(),
      name: 'one:3000',
      startedAt: ago(HOUR_MS),
      now: ago(MINUTE_MS),
      isReady: true,
    }
    await noteRun(database.db, old)
    await noteStop(database.db, old.run, ago(2 * HOUR_MS))
    await noteRun(database.db, killed)
    await noteRun(database.db, { run: app.ctx.newId(), name: 'one:3000', startedAt: ago(30_000), now, isReady: true })
    const own = { user_id: alice.id, id: app.ctx.newId(), settled_ms: now, void_reason: 'no_tick_before_expiry' }
    await database.db.insertInto('order_history').values(historyRow(own)).execute()
    app.ctx.clock.advance(1_500)

    const { faults } = await summary()
    expect(faults).toMatchObject({ voids: 1, crashes: 1, down_seconds: 60 * 60 + 30 })
    expect(faults.void_symbols).toMatchObject([{ code: 'BTC', orders: 1 }])
    expect(faults.events.map(({ kind, server, at, until }) => [kind, server, at, until])).toEqual([
      ['crash', 'one:3000', toIso(ago(MINUTE_MS)), null],
      ['down', null, toIso(ago(MINUTE_MS)), toIso(ago(30_000))],
      ['stop', 'one:3000', toIso(ago(2 * HOUR_MS)), null],
      ['down', null, toIso(ago(2 * HOUR_MS)), toIso(ago(HOUR_MS))],
    ])
  })

  it('reports queues with number, amount, oldest entry and overdue entries', async () => {
    expect((await summary()).deposits).toEqual({ waiting: 0, overdue: 0, amount: 0, oldest_at: null })
    const createdAt = app.ctx.now()
    await database.db
      .insertInto('deposit')
      .values({
        user_id: alice.id,
        id: app.ctx.newId(),
        trx: 'FW-WAITS',
        gateway_id: 1,
        status: 2,
        currency: 'USDT',
        amount: 5_000n,
        percent_charge: 0n,
        fixed_charge: 0n,
        total: 5_000n,
        rate_millionths: 1_000_000n,
        credited: 5_000n,
        client_request_id: null,
        created_ms: createdAt,
        decided_ms: null,
      })
      .execute()
    await passHours(3)
    expect((await summary()).deposits).toEqual({
      waiting: 1,
      overdue: 1,
      amount: 50,
      oldest_at: new Date(createdAt).toISOString(),
    })
  })

  it('counts late results and overdue withdrawals', async () => {
    const now = app.ctx.now()
    const result = (lateMs: number) => ({
      ...historyRow({ user_id: alice.id, id: app.ctx.newId(), settled_ms: now }),
      expires_ms: now - lateMs,
    })
    await database.db
      .insertInto('order_history')
      .values([result(MINUTE_MS), result(3 * MINUTE_MS)])
      .execute()
    const waits = [73, 71].map((hours, at) => ({
      user_id: alice.id,
      id: app.ctx.newId(),
      trx: `FW-LATE-${at}`,
      client_request_id: null,
      gateway_id: 101,
      status: 2,
      state: 'requested',
      currency: 'USDT',
      amount: 4_000n,
      percent_charge: 0n,
      fixed_charge: 0n,
      rate_millionths: 1_000_000n,
      paid_out: 4_000n,
      details: '{}',
      created_ms: later(now, -hours * HOUR_MS),
      decided_ms: null,
    }))
    await withoutRule(database, { table: 'withdrawal', rule: 'withdrawal_transferred' }, (db) =>
      db.insertInto('withdrawal').values(waits).execute(),
    )
    expect((await summary()).faults).toMatchObject({
      late_results: { orders: 1, longest_seconds: 180 },
      late_withdrawals: { count: 1, amount: 40 },
    })
  })

  it('reports prices as fresh, stale or missing, and closed markets', async () => {
    const states = async () => {
      const { symbols } = (await staff.call(staffCalls.staffDashboardFeeds)).body.data
      return new Map(symbols.map(({ code, state }) => [code, state]))
    }
    expect((await states()).get('BTC')).toBe('none')
    await speak(9_400_000)
    expect((await states()).get('BTC')).toBe('fresh')
    app.ctx.clock.advance(MINUTE_MS)
    expect((await states()).get('BTC')).toBe('stale')
    await passHours(12)
    expect((await states()).get('AAPL')).toBe('closed')
  })
})
