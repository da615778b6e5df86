import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Fairness, FairnessGroup } from '#contract/fairness.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CLOSE_AFTER_MS } from '#server/platform/jobs/daily-rollup.ts'
import { computeFairness } from '#server/proof/fairness/compute-fairness.ts'
import { closeFairnessDay, countFairness } from '#server/proof/fairness/count-fairness.ts'
import { sqlBetween } from '#server/proof/fairness/fairness-sql.ts'
import { computeIfStale, refreshFairness } from '#server/proof/fairness/refresh-fairness.ts'
import { withoutRule } from '#test/support/bare-rows.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

interface Closed {
  user: number
  symbol: number
  seconds: number
  payout: number
  /** The result of the order: 1 win, 2 loss, 3 draw, 4 void. */
  outcome: number
  stake: number
  agoMs: number
  lateMs: number
  /** Null when the request time is not stored. */
  acceptedInMs: number | null
}

/** Every third user is a bot. */
const isBot = (user: number) => user % 3 === 2
const resultOf = ({ outcome, stake, payout }: Closed) =>
  outcome === 1 ? Math.floor((stake * payout) / 10_000) : outcome === 2 ? -stake : 0

async function addUsers(count: number): Promise<string[]> {
  const users = Array.from({ length: count }, (_, at) => ({
    id: app.ctx.newId(),
    username: `user_${at}`,
    email: null,
    mobile: `555000${at}`,
    password_hash: '!',
    pin_hash: null,
    pin_changed_ms: null,
    image_path: null,
    invitation_code: null,
    is_bot: isBot(at),
    created_ms: 0,
  }))
  await app.ctx.db.insertInto('app_user').values(users).execute()
  return users.map(({ id }) => id)
}

async function addOrders(users: readonly string[], orders: readonly Closed[]): Promise<void> {
  if (orders.length === 0) return
  const rows = orders.map((order) => {
    const settled = app.ctx.now() - order.agoMs
    const expires = settled - order.lateMs
    const opened = expires - order.seconds * 1_000
    const isVoid = order.outcome === 4
    return historyRow({
      user_id: users[order.user] ?? '',
      id: app.ctx.newId(),
      symbol_id: order.symbol,
      seconds: order.seconds,
      stake: order.stake,
      profit_basis_points: order.payout,
      opened_ms: opened,
      received_ms: order.acceptedInMs === null ? null : opened - order.acceptedInMs,
      expires_ms: expires,
      result: order.outcome,
      result_amount: resultOf(order),
      exit_seq: isVoid ? null : 1,
      exit_price: isVoid ? null : 1,
      exit_time_ms: isVoid ? null : expires,
      void_reason: isVoid ? 'no_price_after_expiry' : null,
      settled_ms: settled,
    })
  })
  await app.ctx.db.insertInto('order_history').values(rows).execute()
}

/** Deletes all orders and their totals. Runs as the owner of the database, because the server may not delete orders. */
const forgetOrders = () =>
  database.asOwner(async (db) => {
    for (const table of ['order_history', 'fairness_line', 'fairness_user', 'fairness_time', 'day_total_mark']) {
      await sql`delete from ${sql.table(table)}`.execute(db)
    }
  })

/** Counts all orders that closed more than a minute before the time of `ctx`. */
async function countAll(ctx: Ctx = app.ctx, portion?: number): Promise<void> {
  while (await countFairness(ctx, portion)) continue
}
async function countAndCompute(): Promise<Fairness> {
  await countAll()
  return computeFairness(app.ctx)
}

interface Withdrawal {
  agoMs: number
  tookMs: number | null
  isCancelled?: boolean
}

async function addWithdrawals(users: readonly string[], withdrawals: readonly (Withdrawal & { user: number })[]) {
  const rows = withdrawals.map(({ user, agoMs, tookMs, isCancelled = false }, at) => ({
    user_id: users[user] ?? '',
    id: app.ctx.newId(),
    trx: `FW-W-${at}`,
    client_request_id: null,
    gateway_id: 101,
    status: tookMs === null ? 2 : isCancelled ? 3 : 1,
    state: tookMs === null ? 'requested' : isCancelled ? 'cancelled' : 'paid',
    currency: 'USDT',
    amount: 100,
    percent_charge: 0,
    fixed_charge: 0,
    rate_millionths: 1_000_000,
    paid_out: 100,
    details: '{}',
    is_cancelled: isCancelled,
    created_ms: app.ctx.now() - agoMs,
    decided_ms: tookMs === null ? null : app.ctx.now() - agoMs + tookMs,
  }))
  await withoutRule(database, { table: 'withdrawal', rule: 'withdrawal_transferred' }, (db) =>
    db.insertInto('withdrawal').values(rows).execute(),
  )
}

const figures = async () => (await app.call(calls.fairness)).body.data.fairness
const groupIn = ({ windows }: Fairness, days: number, who: FairnessGroup['who']): FairnessGroup => {
  const group = windows.find((window) => window.days === days)?.groups.find((one) => one.who === who)
  assert(group, 'both kinds of users are in both windows')
  return group
}
const startOf = (days: number) => app.ctx.now() - (app.ctx.now() % DAY_MS) - (days - 1) * DAY_MS

const sorted = (lines: readonly (readonly (string | number)[])[]) =>
  lines.toSorted(([a], [b]) => String(a).localeCompare(String(b), 'en'))

const NOTHING = {
  users: null,
  losing_users: null,
  losing_share: null,
  ahead_users: null,
  orders: [],
  acceptance: null,
  not_timed: null,
  lateness: null,
}

/** Computes the same figures from the list of orders, without the tested code. */
function directly(orders: readonly Closed[], days: number, who: FairnessGroup['who'], codes: Map<number, string>) {
  const now = app.ctx.now()
  const counted = orders.filter(
    ({ user, agoMs }) =>
      isBot(user) === (who === 'bots') && now - agoMs >= startOf(days) && now - agoMs < now - MINUTE_MS,
  )
  const minUsers = who === 'people' ? 5 : 1
  const users = [...new Set(counted.map(({ user }) => user))]
  if (users.length < minUsers) return NOTHING
  const sumOf = (user: number) =>
    counted.filter((order) => order.user === user).reduce((sum, order) => sum + resultOf(order), 0)
  const losing = users.filter((user) => sumOf(user) < 0)
  const winning = users.filter((user) => sumOf(user) > 0)
  const keyOf = ({ symbol, seconds, payout }: Closed) => `${codes.get(symbol)} ${seconds} ${payout / 100}`
  const of = (key: string) => counted.filter((order) => keyOf(order) === key)
  const usersOf = (some: readonly Closed[]) => new Set(some.map(({ user }) => user)).size
  const keys = [...new Set(counted.map(keyOf))]
  const small = keys.filter((key) => usersOf(of(key)) < minUsers).flatMap(of)
  const count = (some: readonly Closed[]) =>
    [1, 2, 3, 4].map((how) => some.filter(({ outcome }) => outcome === how).length)
  const lines = keys.filter((key) => usersOf(of(key)) >= minUsers).map((key) => [key, ...count(of(key))])
  if (small.length > 0 && usersOf(small) >= minUsers) lines.push(['others', ...count(small)])
  const timed = counted.filter(({ acceptedInMs }) => acceptedInMs !== null)
  const lateness = directTimes(
    counted.map(({ lateMs }) => lateMs),
    [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, null],
  )
  const acceptance = directTimes(
    timed.map(({ acceptedInMs }) => acceptedInMs ?? 0),
    [1, 2, 5, 10, 25, 50, 100, 250, 1_000, null],
  )
  const share = Number(((100 * losing.length) / users.length).toFixed(2))
  return {
    users: users.length,
    losing_users: losing.length,
    losing_share: expect.closeTo(share, 1) as number,
    ahead_users: winning.length,
    orders: sorted(lines),
    acceptance: usersOf(timed) < minUsers ? null : acceptance,
    not_timed: counted.length - timed.length,
    lateness,
  }
}

function directTimes(times: readonly number[], bounds: readonly (number | null)[]) {
  const inOrder = times.toSorted((a, b) => a - b)
  const at = (part: number) => inOrder[Math.ceil(inOrder.length * part) - 1]
  const histogram = bounds.map((bound, place) => {
    const above = bounds[place - 1] ?? -1
    return { up_to_ms: bound, count: inOrder.filter((ms) => ms > above && ms <= (bound ?? Infinity)).length }
  })
  return { count: inOrder.length, median_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), histogram }
}

/** Converts a reply to the shape of the direct computation. */
function shown({ orders, ...rest }: FairnessGroup) {
  const lines = orders.map(({ symbol, seconds, payout, wins, losses, draws, voids }) => [
    symbol === null ? 'others' : `${symbol} ${seconds} ${payout}`,
    wins,
    losses,
    draws,
    voids,
  ])
  return { ...rest, orders: sorted(lines) }
}

const Order = fc.record<Closed>({
  user: fc.nat({ max: 23 }),
  symbol: fc.constantFrom(1, 2),
  seconds: fc.constantFrom(60, 300),
  payout: fc.constantFrom(8_000, 8_250),
  outcome: fc.constantFrom(1, 2, 3, 4),
  stake: fc.integer({ min: 1, max: 10_000 }),
  agoMs: fc.integer({ min: 0, max: 95 * DAY_MS }),
  lateMs: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 100_000 })),
  acceptedInMs: fc.oneof(fc.constant(null), fc.nat({ max: 30 }), fc.nat({ max: 3_000 })),
})

const MINUTE = { symbol: 1, seconds: 60, payout: 8_000 }
const LOSS: Closed = { ...MINUTE, user: 0, outcome: 2, stake: 100, agoMs: HOUR_MS, lateMs: 700, acceptedInMs: 3 }

/**
 * Inserts sold orders with their payment and, where it is known, their payment at the expiry (`kept`). It inserts only
 * the rows that the figures read.
 */
async function addSales(
  sales: readonly { user: string; seconds?: number; paid: number; kept: number | null }[],
): Promise<void> {
  const tables = ['order_history', 'sale_request', 'sale_end', 'sale_expiry'] as const
  await database.asOwner(async (db) => {
    for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
    for (const { user, seconds = 300, paid, kept } of sales) {
      const [id, at] = [app.ctx.newId(), app.ctx.now() - HOUR_MS]
      const own = { order_id: id, n: 1, user_id: user }
      const row = {
        user_id: user,
        id,
        symbol_id: 1,
        seconds,
        stake: 10_000,
        result: 5,
        result_amount: paid - 10_000,
        received_ms: at,
      }
      await db
        .insertInto('order_history')
        .values(historyRow({ ...row, settled_ms: at }))
        .execute()
      const request = { client_sale_id: 'a', requested_ms: at, least: 1, terms_n: 1, head_seq: 1 }
      await db
        .insertInto('sale_request')
        .values({ ...own, ...request })
        .execute()
      const value = { movement: '1', left_ms: 1, win: 500_000_000, same: 0, stake: 10_000 }
      const amounts = { gross: paid + 400, fee: 400, paid, decided_ms: at, head_seq: 1 }
      const tick = { reason: null, tick_seq: 1, received_ms: at }
      await db
        .insertInto('sale_end')
        .values({ ...own, ...tick, ...value, ...amounts })
        .execute()
      if (kept === null) continue
      await db.insertInto('sale_expiry').values({ order_id: id, n: 1, payment: kept, noted_ms: at }).execute()
    }
    for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  })
}

describe('sold orders', () => {
  it('show the payment for the sale beside the payment at the expiry, if at least five users have such orders', async () => {
    const users = await addUsers(9)
    const people = users.filter((_, at) => !isBot(at))
    const bot = users.find((_, at) => isBot(at)) ?? ''
    await addSales([
      ...people.slice(0, 5).map((user, at) => ({ user, paid: 9_000 + 100 * at, kept: at < 2 ? 18_500 : 0 })),
      // These orders are not shown: one has no known payment at its expiry, one belongs to a bot, and four belong to
      // too few users.
      { user: people[5] ?? '', paid: 1, kept: null },
      { user: bot, paid: 1, kept: 18_500 },
      ...people.slice(0, 4).map((user) => ({ user, seconds: 900, paid: 9_000, kept: 0 })),
    ])
    const { windows } = await countAndCompute()
    const line = { symbol: 'BTC', seconds: 300, orders: 5, paid: 92, fee: 4, at_expiry: 74 }
    expect(windows.map(({ sales }) => sales)).toEqual([[line], [line]])
    // Sold orders count for the number of losing users, but not for results and times.
    expect(windows[0]?.groups[0]).toMatchObject({ users: 6, losing_users: 6, orders: [], lateness: null, not_timed: 0 })
    await computeIfStale(app.ctx)
    const { payload } = await app.http.inject({ method: 'GET', url: '/api/proof/fairness.csv' })
    expect(payload).toContain('30,people,BTC,300,,sold_at_expiry,74\n')
  })
})

describe('the figures', () => {
  it('FN1: equal a direct computation over all orders and the results of the published queries, wherever counting was interrupted', async () => {
    const users = await addUsers(24)
    const symbols = await app.ctx.db.selectFrom('market_symbol').select(['id', 'code']).execute()
    const codes = new Map(symbols.map(({ id, code }) => [id, code]))
    await fc.assert(
      fc.asyncProperty(
        fc.array(Order, { maxLength: 250, size: 'max' }),
        fc.array(fc.record({ agoMs: fc.integer({ min: 1, max: 95 * DAY_MS }), portions: fc.nat({ max: 5 }) })),
        fc.integer({ min: 1, max: 60 }),
        async (orders, counts, portion) => {
          await forgetOrders()
          let since = Infinity
          const closeUntil = async (agoMs: number) => {
            await addOrders(
              users,
              orders.filter((order) => order.agoMs >= agoMs && order.agoMs < since),
            )
            since = agoMs
          }
          for (const { agoMs, portions } of counts.toSorted((a, b) => b.agoMs - a.agoMs)) {
            await closeUntil(agoMs)
            const then = { ...app.ctx, now: () => later(app.ctx.now(), -agoMs) }
            for (let nth = 0; nth < portions; nth += 1) await countFairness(then, portion)
            await closeFairnessDay(then)
          }
          await closeUntil(0)
          await countAll(app.ctx, portion)
          const found = await computeFairness(app.ctx)
          for (const { days, since, groups } of found.windows) {
            expect(since).toBe(new Date(startOf(days)).toISOString())
            for (const group of groups) {
              expect(shown(group)).toEqual({ who: group.who, ...directly(orders, days, group.who, codes) })
            }
            await expectAsQueried(found, days)
          }
        },
      ),
      { numRuns: 8 },
    )
  })

  /** Runs the exact SQL that the page shows. */
  async function expectAsQueried(found: Fairness, days: number): Promise<void> {
    const people = groupIn(found, days, 'people')
    if (people.users === null) return
    const run = async (figure: 'orders' | 'losing' | 'acceptance' | 'lateness') => {
      const text = sqlBetween(figure, startOf(days), Date.parse(found.until))
      const { rows } = await sql.raw<Record<string, bigint | number | string>>(text).execute(app.ctx.db)
      return rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
        ),
      )
    }
    expect(await run('losing')).toEqual([
      { users: people.users, losing_users: people.losing_users, ahead_users: people.ahead_users },
    ])
    const { histogram, ...times } = people.lateness ?? { histogram: [] }
    expect(await run('lateness')).toEqual([times])
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(people.lateness?.count)
    const [accepted] = await run('acceptance')
    expect(accepted).toMatchObject({ not_timed: people.not_timed })
    if (people.acceptance === null) expect(Number(accepted?.['users'])).toBeLessThan(found.least_users)
    else {
      const { histogram: _, ...asTimed } = people.acceptance
      expect(accepted).toMatchObject(asTimed)
    }
    const own = people.orders.filter(({ symbol }) => symbol !== null)
    const queried = await run('orders')
    expect(queried).toHaveLength(own.length)
    for (const { payout, break_even, ...line } of own) {
      expect(queried).toContainEqual({ ...line, profit_basis_points: (payout ?? 0) * 100 })
      expect(break_even).toBeCloseTo(100 / (1 + (payout ?? 0) / 100), 1)
    }
  }

  it('FN1: keep bots apart from other users', async () => {
    const users = await addUsers(15)
    const people = [0, 1, 3, 4, 6]
    await addOrders(users, [...people.map((user) => ({ ...LOSS, user })), { ...LOSS, user: 2, outcome: 1 }])
    const found = await countAndCompute()
    expect(groupIn(found, 30, 'people')).toMatchObject({ users: 5, losing_users: 5, losing_share: 100, ahead_users: 0 })
    expect(groupIn(found, 30, 'bots')).toMatchObject({ users: 1, losing_users: 0, orders: [{ wins: 1, losses: 0 }] })
  })

  it('FN2: stay hidden for fewer than five users', async () => {
    const users = await addUsers(15)
    await addOrders(
      users,
      [0, 1, 3, 4].map((user) => ({ ...LOSS, user })),
    )
    expect(groupIn(await countAndCompute(), 30, 'people')).toEqual({ who: 'people', ...NOTHING })
  })

  it('exclude orders without a request time from the acceptance times, report their number, and withhold times of fewer than five users', async () => {
    const users = await addUsers(15)
    const five = [0, 1, 3, 4, 6]
    const untimed = five.map((user) => ({ ...LOSS, user, acceptedInMs: null }))
    await addOrders(users, [...five.map((user, at) => ({ ...LOSS, user, acceptedInMs: at })), ...untimed])
    const all = groupIn(await countAndCompute(), 30, 'people')
    expect(all).toMatchObject({ acceptance: { count: 5, median_ms: 2, p95_ms: 4, p99_ms: 4 }, not_timed: 5 })
    expect(all.lateness?.count).toBe(10)
    await forgetOrders()
    const four = five.slice(1).flatMap((user) => [1, 2].map((acceptedInMs) => ({ ...LOSS, user, acceptedInMs })))
    await addOrders(users, [...four, ...untimed])
    const few = groupIn(await countAndCompute(), 30, 'people')
    expect(few).toMatchObject({ users: 5, acceptance: null, not_timed: 5, lateness: { count: 13 } })
  })

  it('FN2: merge lines with fewer than five users, and omit the merged line when it has fewer than five users as well', async () => {
    const users = await addUsers(15)
    const five = [0, 1, 3, 4, 6].map((user) => ({ ...LOSS, user }))
    await addOrders(users, [...five, ...[0, 1, 3].map((user) => ({ ...LOSS, user, symbol: 2 }))])
    expect(groupIn(await countAndCompute(), 30, 'people').orders).toMatchObject([{ symbol: 'BTC', losses: 5 }])
    await forgetOrders()
    const more = [4, 6].map((user) => ({ ...LOSS, user, symbol: 2, seconds: 300 }))
    await addOrders(users, [...five, ...[0, 1, 3].map((user) => ({ ...LOSS, user, symbol: 2 })), ...more])
    const { orders } = groupIn(await countAndCompute(), 30, 'people')
    expect(orders).toMatchObject([
      { symbol: 'BTC', losses: 5 },
      { symbol: null, break_even: null, losses: 5 },
    ])
  })

  it('FN1: include withdrawal times and pending withdrawals, but no withdrawals that users cancelled', async () => {
    const users = await addUsers(15)
    const done = [0, 1, 3, 4, 6].map((user, at) => ({ user, agoMs: DAY_MS, tookMs: (at + 1) * MINUTE_MS }))
    await addWithdrawals(users, [
      ...done,
      { user: 7, agoMs: DAY_MS, tookMs: 1, isCancelled: true },
      { user: 2, agoMs: DAY_MS, tookMs: 2 },
      { user: 7, agoMs: 5 * HOUR_MS, tookMs: null },
      { user: 9, agoMs: 2 * HOUR_MS, tookMs: null },
    ])
    const found = await countAndCompute()
    const times = { decided: 5, median_ms: 3 * MINUTE_MS, p95_ms: 5 * MINUTE_MS }
    expect(found.windows.map(({ withdrawals }) => withdrawals)).toEqual([times, times])
    expect(found.pending_withdrawals).toEqual({ count: 2, oldest_ms: 5 * HOUR_MS - MINUTE_MS, late: 0 })
  })

  it('FN2: withhold withdrawal times of fewer than five users', async () => {
    const users = await addUsers(15)
    await addWithdrawals(
      users,
      [0, 1, 3, 4].map((user) => ({ user, agoMs: DAY_MS, tookMs: 1_000 })),
    )
    const found = await countAndCompute()
    expect(found.windows.map(({ withdrawals }) => withdrawals)).toEqual([null, null])
  })

  it('FN1: include an order that was committed after its time was counted, once its day is closed', async () => {
    const users = await addUsers(15)
    await addOrders(
      users,
      [0, 1, 3, 4, 6].map((user) => ({ ...LOSS, user })),
    )
    await countAll()
    await addOrders(users, [{ ...LOSS, user: 7, outcome: 1 }])
    expect(groupIn(await countAndCompute(), 30, 'people')).toMatchObject({ users: 5 })
    app.ctx.clock.jump(DAY_MS + CLOSE_AFTER_MS)
    await countAll()
    for (let days = 0; days < 2; days += 1) await closeFairnessDay(app.ctx)
    const found = groupIn(await countAndCompute(), 30, 'people')
    expect(found).toMatchObject({ users: 6, losing_users: 5, orders: [{ wins: 1, losses: 5 }], lateness: { count: 6 } })
    expect(found.acceptance?.count).toBe(6)
  })

  it('let the server delete the totals of days that they no longer cover', async () => {
    const users = await addUsers(5)
    await addOrders(users, [
      { ...LOSS, agoMs: 3 * DAY_MS },
      { ...LOSS, agoMs: HOUR_MS },
    ])
    await countAll()
    await computeIfStale(app.ctx)
    const storedDays = async () =>
      Promise.all([
        app.ctx.db.selectFrom('fairness_line').select('day').execute(),
        app.ctx.db.selectFrom('fairness_user').select('day').execute(),
        app.ctx.db.selectFrom('fairness_time').select('day').execute(),
      ])
    expect((await storedDays()).map((days) => new Set(days.map(({ day }) => day)).size)).toEqual([2, 2, 2])
    app.ctx.clock.jump(88 * DAY_MS)
    await countAll()
    await computeIfStale(app.ctx)
    expect((await storedDays()).map((days) => new Set(days.map(({ day }) => day)).size)).toEqual([1, 1, 1])
  })

  it('FN1: include the payouts on offer and the win rate needed to break even', async () => {
    const { expiries } = await countAndCompute()
    expect(expiries).toContainEqual({ seconds: 60, payout: 80, break_even: 55.56 })
  })
})

describe('GET /proof/fairness', () => {
  it('FN3: answers that nothing has been computed yet', async () => {
    expect(await figures()).toBeNull()
    expect((await app.inject({ method: 'GET', url: '/api/proof/fairness.csv' })).status).toBe(404)
  })

  it('FN3: answers an empty installation without figures', async () => {
    await countAll()
    await computeIfStale(app.ctx)
    const found = await figures()
    assert(found, 'computed')
    expect(found).toMatchObject({
      computed_at: toIso(app.ctx.now()),
      pending_withdrawals: { count: 0, oldest_ms: null, late: 0 },
    })
    expect(found.windows.flatMap(({ groups }) => groups.flatMap(({ orders }) => orders))).toEqual([])
  })

  it('FN3: computes the figures soon after a start, then once an hour', async () => {
    await app.startMarkets()
    app.ctx.clock.advance(3_000)
    await vi.waitFor(async () => expect(await figures()).not.toBeNull())
    const first = app.ctx.now()
    app.ctx.clock.advance(30 * MINUTE_MS)
    await countAll()
    await computeIfStale(app.ctx)
    expect((await figures())?.computed_at).toBe(toIso(first))
    app.ctx.clock.advance(30 * MINUTE_MS)
    await countAll()
    await computeIfStale(app.ctx)
    await vi.waitFor(async () => {
      app.ctx.clock.advance(MINUTE_MS)
      expect(Date.parse((await figures())?.computed_at ?? '')).toBeGreaterThanOrEqual(first + HOUR_MS)
    })
  })

  it('computes figures only after counting all portions, and a stop ends the pause between two portions', async () => {
    await addOrders(
      await addUsers(1),
      [3, 2, 1].map((hours) => ({ ...LOSS, agoMs: hours * HOUR_MS })),
    )
    const counted = async () => {
      const lines = await app.ctx.db.selectFrom('fairness_line').select('losses').execute()
      return lines.reduce((sum, { losses }) => sum + Number(losses), 0)
    }
    const timers = () => app.ctx.clock.pendingTimers
    const before = timers()
    const stop = refreshFairness(app.ctx, 1)
    app.ctx.clock.advance(3_000)
    await vi.waitFor(() => expect(timers()).toBe(before + 1))
    expect(await counted()).toBe(1)
    app.ctx.clock.advance(50)
    await vi.waitFor(() => expect(timers()).toBe(before + 1))
    expect(await counted()).toBe(2)
    await stop()
    expect(timers()).toBe(before)
    app.ctx.clock.advance(HOUR_MS)
    expect(await counted()).toBe(2)
    expect(await figures()).toBeNull()
  })

  it('computes the figures again when the stored figures come from a version of the program with other figures', async () => {
    await countAll()
    await computeIfStale(app.ctx)
    await sql`update fairness_figures set figures = figures - 'expiries'`.execute(app.ctx.db)
    expect(await figures()).toBeNull()
    app.ctx.clock.advance(1)
    await countAll()
    await computeIfStale(app.ctx)
    expect(await figures()).not.toBeNull()
  })

  it('FN4: serves CSV as well, with one value per line', async () => {
    await countAll()
    await computeIfStale(app.ctx)
    const { statusCode, headers, payload } = await app.http.inject({ method: 'GET', url: '/api/proof/fairness.csv' })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = payload.trim().split('\n')
    expect(lines[0]).toBe('days,who,symbol,seconds,payout,figure,value')
    expect(lines).toContain(',,,60,80,break_even,55.56')
    expect(lines).toContain('30,people,,,,acceptance_p95_ms,')
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([7]))
  })
})
