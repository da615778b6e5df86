import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import type { FiguresOut } from '#contract/figures.ts'
import { civilDayText, weekdayOf } from '#core/markets/calendar/civil-day.ts'
import { assert } from '#core/result.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'
import { zoneDay } from '#core/time/zone.ts'
import { createOwnFigures } from '#server/proof/figures/own-figures.ts'
import { allowBareTransfers } from '#test/support/bare-rows.ts'
import { AAPL, BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'
import {
  buildLife,
  insertLives,
  insertMoves,
  type Life,
  LIFE_EVENT,
  type LifeEvent,
} from '#test/support/statement-lives.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
allowBareTransfers(database)
let ctx: TestContext
let figuresOf: ReturnType<typeof createOwnFigures>
beforeEach(() => {
  ctx = createTestContext(database.db)
  ctx.clock.jump(Date.UTC(2027, 1, 1) - ctx.now())
  figuresOf = createOwnFigures(ctx, fixedCatalogue({ symbols: [BTC, AAPL] }))
})

interface Order {
  readonly result: number
  readonly stake: bigint
  readonly net: bigint
  readonly seconds: number
  readonly symbol: string
  readonly day: number
  readonly opened: number
  readonly settled: number
}

/** Inserts the simulated history of a user with two symbols and two durations, and returns its orders. */
async function live(
  events: readonly LifeEvent[],
  zone: string,
  startMs: number,
): Promise<{ life: Life; orders: Order[] }> {
  const built = buildLife({ userId: ctx.newId(), newId: () => ctx.newId(), startMs }, events)
  const rows = built.orders.map((row, at) => {
    const seconds = at % 3 === 0 ? 300 : 60
    const opened = Number(row.settled_ms) - seconds * 1_000
    return { ...row, symbol_id: at % 2 === 0 ? BTC.id : AAPL.id, seconds, opened_ms: opened }
  })
  const life = { ...built, orders: rows }
  await insertLives(database.db, [life])
  const orders = rows.map((row) => ({
    result: row.result,
    stake: BigInt(row.stake),
    net: BigInt(row.result_amount),
    seconds: row.seconds,
    symbol: row.symbol_id === BTC.id ? BTC.code : AAPL.code,
    day: zoneDay(zone, instant(Number(row.settled_ms))),
    opened: row.opened_ms,
    settled: Number(row.settled_ms),
  }))
  return { life, orders }
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const toMoney = (value: bigint): number => Number(value) / 100
const percent = (rate: number): number => Math.round(rate * 10_000) / 100

function naive(orders: readonly Order[]) {
  const decided = orders.filter(({ result }) => result === 1 || result === 2)
  const stakes = sum(decided.map(({ stake }) => stake))
  return {
    orders: orders.length,
    staked: toMoney(sum(orders.filter(({ result }) => result !== 4).map(({ stake }) => stake))),
    net: toMoney(sum(orders.map(({ net }) => net))),
    hit_rate:
      decided.length === 0 ? null : percent(decided.filter(({ result }) => result === 1).length / decided.length),
    break_even: decided.length === 0 ? null : percent(Number(stakes) / (Number(stakes) * 1.8)),
  }
}

function naiveBy<Key extends string | number>(orders: readonly Order[], keyOf: (order: Order) => Key) {
  const keys = [...new Set(orders.map(keyOf))]
  return new Map(keys.map((key) => [key, naive(orders.filter((order) => keyOf(order) === key))]))
}

/**
 * The longest time from the first order of a session to the end of the session. A gap of 30 minutes without an order
 * ends a session.
 */
function maxSession(orders: readonly Order[]): number {
  let [longest, begins, ends] = [0, 0, -Infinity]
  for (const { opened, settled } of orders.toSorted((one, other) => one.opened - other.opened)) {
    if (opened - ends > 30 * MINUTE_MS) begins = opened
    ends = Math.max(ends, settled)
    longest = Math.max(longest, ends - begins)
  }
  return longest
}

async function counted(userId: string, query: Parameters<typeof figuresOf>[1]): Promise<FiguresOut> {
  const found = await figuresOf(userId, query)
  assert(found.ok, 'the figures are counted')
  return found.value
}

const withoutKey = <T extends object, K extends keyof T>(rows: readonly T[], key: K) =>
  new Map(rows.map(({ [key]: value, ...rest }) => [value, rest]))

it('US2.2: figures of any order history in any time zone equal a naive computation', async () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Marquesas')
  const event = LIFE_EVENT.map((one) => ({
    ...one,
    afterMs: one.afterMs % 3 === 0 ? one.afterMs : one.afterMs % 4_000_000,
  }))
  for (const [events, zone, startMs] of fc.sample(
    fc.tuple(
      fc.array(event, { minLength: 1, maxLength: 40 }),
      zones,
      fc.constantFrom(Date.UTC(2026, 2, 25), Date.UTC(2026, 9, 20)),
    ),
    25,
  )) {
    const { life, orders } = await live(events, zone, startMs)
    const figures = await counted(life.userId, { zone })
    expect(figures).toMatchObject(naive(orders))
    expect(withoutKey(figures.by_day, 'day')).toEqual(naiveBy(orders, ({ day }) => civilDayText(day)))
    expect(withoutKey(figures.by_market, 'symbol')).toEqual(naiveBy(orders, ({ symbol }) => symbol))
    expect(withoutKey(figures.by_expiry, 'seconds')).toEqual(naiveBy(orders, ({ seconds }) => seconds))
    expect(withoutKey(figures.by_weekday, 'weekday')).toEqual(naiveBy(orders, ({ day }) => weekdayOf(day)))
    const valid = orders.filter(({ result }) => result !== 4)
    const stakes = valid.map(({ stake }) => stake).toSorted((one, other) => Number(one - other))
    const nets = valid.map(({ net }) => net).toSorted((one, other) => Number(one - other))
    const middle = stakes[Math.ceil(stakes.length / 2) - 1]
    expect(figures.median_stake).toBe(middle === undefined ? null : toMoney(middle))
    const [worst, best] = [nets[0], nets.at(-1)]
    expect([figures.worst, figures.best]).toEqual(
      worst === undefined || best === undefined ? [null, null] : [toMoney(worst), toMoney(best)],
    )
    expect(figures.longest_session_ms).toBe(maxSession(orders))
    expect(figures.line.at(-1)?.[1] ?? 0).toBe(figures.net)
    expect(figures.until_number).toBe(orders.length)
  }
})

it('US2.2: no row has a rate without its break-even rate', async () => {
  const { life } = await live(fc.sample(LIFE_EVENT, 60), 'UTC', Date.UTC(2026, 5, 1))
  const figures = await counted(life.userId, { zone: 'UTC' })
  const rows = [figures, ...figures.by_day, ...figures.by_market, ...figures.by_expiry, ...figures.by_weekday]
  expect(rows.filter((row) => (row.hit_rate === null) !== (row.break_even === null))).toEqual([])
})

it('US2.2: the line of many results has at most 500 points, including the first, last, lowest and highest one', async () => {
  const events: LifeEvent[] = Array.from({ length: 2_000 }, (_, at) => ({
    what: at % 7 < 3 ? 'win' : 'lose',
    amount: 1 + (at % 50),
    afterMs: 60_000,
  }))
  const { life, orders } = await live(events, 'UTC', Date.UTC(2026, 5, 1))
  const { line } = await counted(life.userId, { zone: 'UTC' })
  let total = 0n
  const course = orders.map(({ net }) => toMoney((total += net)))
  expect(line.length).toBeLessThanOrEqual(500)
  expect(line.length).toBeGreaterThan(200)
  const nets = line.map(([, net]) => net)
  expect([nets[0], nets.at(-1)]).toEqual([course[0], course.at(-1)])
  expect([Math.min(...nets), Math.max(...nets)]).toEqual([Math.min(...course), Math.max(...course)])
  expect(line.map(([ms]) => ms)).toEqual(line.map(([ms]) => ms).toSorted((one, other) => one - other))
})

it('figures show only orders that ended in the period, and separately its deposits and paid withdrawals', async () => {
  const { life } = await live(
    [
      { what: 'win', amount: 100, afterMs: 86_400_000 },
      { what: 'paid', amount: 700, afterMs: 1_000 },
      { what: 'rejected', amount: 900, afterMs: 1_000 },
      { what: 'lose', amount: 20, afterMs: 86_400_000 },
    ],
    'UTC',
    Date.UTC(2026, 5, 1),
  )
  const day = zoneDay('UTC', instant(Date.UTC(2026, 5, 2)))
  const figures = await counted(life.userId, { zone: 'UTC', from: day, to: day + 1 })
  expect(figures).toMatchObject({ orders: 1, net: 4, deposits: 0, withdrawals: 7, wins: 1, losses: 0 })
  const none = await counted(life.userId, { zone: 'UTC', from: day + 9, to: day + 10 })
  expect(none).toMatchObject({ orders: 0, hit_rate: null, break_even: null, median_stake: null, line: [] })
  expect(await figuresOf(life.userId, { zone: 'UTC', from: day, to: day })).toMatchObject({ refusal: 'figures_period' })
})

it('void orders are in no figure about stakes, and neither the best nor the worst order', async () => {
  const { life } = await live(
    [
      { what: 'lose', amount: 2_000, afterMs: 1_000 },
      { what: 'void', amount: 9_000, afterMs: 1_000 },
    ],
    'UTC',
    Date.UTC(2026, 5, 1),
  )
  const figures = await counted(life.userId, { zone: 'UTC' })
  expect(figures).toMatchObject({ orders: 2, staked: 100, average_stake: 100, median_stake: 100 })
  expect([figures.best, figures.worst]).toEqual([-100, -100])
  const { life: outage } = await live([{ what: 'void', amount: 100, afterMs: 1_000 }], 'UTC', Date.UTC(2026, 5, 1))
  const none = { orders: 1, average_stake: null, median_stake: null, best: null, worst: null }
  expect(await counted(outage.userId, { zone: 'UTC' })).toMatchObject(none)
})

it('caches figures for ten minutes, and calculates them again after a result', async () => {
  const { life } = await live([{ what: 'win', amount: 100, afterMs: 1_000 }], 'UTC', Date.UTC(2026, 5, 1))
  const query = { zone: 'UTC' }
  const first = await counted(life.userId, query)
  ctx.clock.jump(9 * MINUTE_MS)
  expect(await counted(life.userId, query)).toBe(first)
  ctx.clock.jump(MINUTE_MS)
  const second = await counted(life.userId, query)
  expect(second).not.toBe(first)
  const [order] = life.orders
  assert(order, 'the life has an order')
  const id = ctx.newId()
  await insertMoves(database.db, [
    { transfers: [], orders: [{ ...order, id, client_order_id: id, trx: id, result_number: 2n }] },
  ])
  await database.db.updateTable('balance').set({ results: 2n }).where('user_id', '=', life.userId).execute()
  expect(await counted(life.userId, query)).toMatchObject({ orders: 2, until_number: 2 })
})

it('gives concurrent callers the same reply', async () => {
  const { life } = await live([{ what: 'win', amount: 100, afterMs: 1_000 }], 'UTC', Date.UTC(2026, 5, 1))
  const [one, other] = await Promise.all([counted(life.userId, { zone: 'UTC' }), counted(life.userId, { zone: 'UTC' })])
  expect(one).toBe(other)
})

it('US2.2: computes only the days from the first to the last order, however long the period is', async () => {
  const events = [
    { what: 'win', afterMs: 1, amount: 500 },
    { what: 'lose', afterMs: 90_000_000, amount: 500 },
  ] as const
  const { life, orders } = await live(events, 'UTC', Date.UTC(2026, 2, 25))
  const days = orders.map(({ day }) => day)
  const exact = await counted(life.userId, { zone: 'UTC', from: Math.min(...days), to: Math.max(...days) + 1 })
  const wide = await counted(life.userId, { zone: 'UTC', from: 0, to: 40_000 })
  expect(wide.by_day).toEqual(exact.by_day)
  expect(wide.by_weekday).toEqual(exact.by_weekday)
  expect((await counted(life.userId, { zone: 'UTC', from: 0, to: 1 })).by_day).toEqual([])
})
