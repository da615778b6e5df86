import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { REPORT_DIMENSIONS, type ReportDimension } from '#contract/back-office/reports.ts'
import { TRANSFER_KINDS, type TransferKind } from '#core/ledger/transfer-kinds.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { civilDayText } from '#core/markets/calendar/civil-day.ts'
import { lineTotals, REPORT_ACCOUNTS, REPORT_LINES } from '#core/reports/report-lines.ts'
import { type PeriodDays, periodDays } from '#core/reports/report-period.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { zoneDay } from '#core/time/zone.ts'
import { countReports } from '#server/back-office/reports/count-reports.ts'
import {
  inSnapshot,
  makeBreakdown,
  makeFiguresFromTransfers,
  makeSummary,
} from '#server/back-office/reports/make-report.ts'
import { CLOSE_AFTER_MS } from '#server/platform/jobs/daily-rollup.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
/**
 * The tables whose triggers are off here. These tests are about sums of transfers, so the transfers need no records of
 * decisions.
 */
const BARE = ['transfer', 'deposit', 'withdrawal'] as const
const turnRules = (state: 'disable' | 'enable') =>
  database.asOwner(async (db) => {
    for (const table of BARE) await sql`alter table ${sql.ref(table)} ${sql.raw(state)} trigger user`.execute(db)
  })
beforeAll(() => turnRules('disable'))
afterAll(() => turnRules('enable'))
let ctx: TestContext
beforeEach(() => {
  ctx = createTestContext(database.db)
})

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'] as const
/** The 30 days of transfers contain the ends of daylight saving in Berlin (25 October) and New York (1 November). */
const BEGIN = Date.UTC(2026, 9, 15)
const LIFE_DAYS = 30
const USERS = 12

/** The transfers of each event of a user: the kinds, each with its part of the event's amount in tenths. */
const EVENTS = {
  won: { order_stake: 10, order_win: 10, order_profit: 8 },
  lost: { order_stake: 10, order_lose: 10 },
  drawn: { order_stake: 10, order_draw: 10 },
  voided: { order_stake: 10, order_void: 10 },
  sold: { order_stake: 10, order_sold: 10, order_sale: 6, order_sale_fee: 1 },
  open: { order_stake: 10 },
  amended: { order_stake: 10, order_lose: 10, make_good: 18 },
  deposited: { deposit: 10 },
  paid: { withdrawal_request: 10, withdrawal_paid: 9, withdrawal_fee: 1 },
  returned: {
    withdrawal_request: 10,
    withdrawal_paid: 9,
    withdrawal_fee: 1,
    withdrawal_returned: 9,
    withdrawal_fee_returned: 1,
  },
  rejected: { withdrawal_request: 10, withdrawal_rejected: 10 },
  cancelled: { withdrawal_request: 10, withdrawal_cancelled: 10 },
  failed: { withdrawal_request: 10, withdrawal_failed: 10 },
  asked: { withdrawal_request: 10 },
  given: { correction_in: 10 },
  taken: { correction_out: 10 },
  bonus: { beginner_task: 10 },
  lapsed: { beginner_task: 10, credits_lapsed: 10 },
} as const satisfies Readonly<Record<string, Partial<Record<TransferKind, number>>>>
type EventName = keyof typeof EVENTS

const EVENT = fc.record({
  what: fc.constantFrom(...(Object.keys(EVENTS) as EventName[])),
  afterMs: fc.nat({ max: 2 * DAY_MS }),
  stepMs: fc.nat({ max: 20 * HOUR_MS }),
  tens: fc.integer({ min: 1, max: 999 }),
  symbol: fc.integer({ min: 1, max: 3 }),
  seconds: fc.constantFrom(60, 300),
})
type LifeStep = typeof EVENT extends fc.Arbitrary<infer T> ? T : never

interface Moved {
  readonly userId: string
  readonly isBot: boolean
  readonly ref: string
  readonly kind: TransferKind
  readonly amount: bigint
  readonly at: number
  readonly symbol: string
  readonly length: string
  readonly gateway: string
  readonly country: string
}
interface Account {
  readonly userId: string
  readonly isBot: boolean
  readonly countries: readonly { readonly since: number; readonly country: string }[]
}

function live({ userId, isBot, countries }: Account, steps: readonly LifeStep[]): Moved[] {
  let at = BEGIN + MINUTE_MS
  const moved: Moved[] = []
  for (const { what, afterMs, stepMs, tens, symbol, seconds } of steps) {
    at += afterMs
    const ref = ctx.newId()
    const kinds = Object.entries(EVENTS[what]) as [TransferKind, number][]
    for (const [nth, [kind, tenths]] of kinds.entries()) {
      // The first transfer is at `at`, the others `stepMs` later. So some orders are settled on a later day than their
      // stake.
      const time = at + (nth === 0 ? 0 : stepMs)
      const isOrder = 'order_stake' in EVENTS[what]
      const isPayment = /^(deposit|withdrawal)/.test(kind)
      moved.push({
        userId,
        isBot,
        ref,
        kind,
        amount: BigInt(tens * tenths),
        at: time,
        symbol: isOrder ? String(symbol) : '',
        length: isOrder ? String(seconds) : '',
        gateway: isPayment ? (kind === 'deposit' ? '1' : '2') : '',
        country: countries.findLast(({ since }) => since <= time)?.country ?? '',
      })
    }
  }
  return moved
}

async function insertReference(): Promise<void> {
  for (const [id, market] of ['crypto', 'us_stocks', 'us_fx'].entries()) {
    await sql`insert into market_symbol (id, code, name, market_type, decimals, max_tick_age_ms, sort)
      values (${id + 1}, ${`S${id}`}, 'Symbol', ${market}, 2, 5000, ${id})`.execute(ctx.db)
  }
  for (const [id, kind] of ['deposit', 'withdraw'].entries()) {
    await sql`insert into gateway (id, kind, name, currency, min_amount, max_amount, rate_millionths, sort)
      values (${id + 1}, ${kind}, ${`G${id + 1}`}, 'USDT', 1, 1000, 1000000, 1)`.execute(ctx.db)
  }
}

async function insertAccount({ userId, isBot, countries }: Account): Promise<void> {
  await sql`insert into app_user (id, username, mobile, password_hash, is_bot, created_ms, country_code)
    values (${userId}, ${`u${userId.slice(-12)}`}, '1', 'none', ${isBot}, ${BEGIN}, ${countries[0]?.country ?? ''})`.execute(
    ctx.db,
  )
  for (const { since, country } of countries.slice(1))
    await ctx.db.insertInto('user_country_since').values({ user_id: userId, since_ms: since, country }).execute()
}

/** Inserts the order, deposit or withdrawal that the transfers with one `ref` belong to. */
async function insertRecords(all: readonly Moved[]): Promise<void> {
  const firsts = all.filter(({ ref }, nth) => all.findIndex((one) => one.ref === ref) === nth)
  const orders = firsts.flatMap(({ userId, ref, at, symbol, length }) =>
    symbol === ''
      ? []
      : [historyRow({ user_id: userId, id: ref, symbol_id: Number(symbol), seconds: Number(length), settled_ms: at })],
  )
  await ctx.db.insertInto('order_history').values(orders).execute()
  for (const { userId, ref, kind, at } of firsts) {
    if (kind === 'deposit') {
      await sql`insert into deposit (user_id, id, trx, gateway_id, status, currency, amount, percent_charge, fixed_charge,
          total, rate_millionths, credited, created_ms, decided_ms, state)
        values (${userId}, ${ref}, ${ref}, 1, 1, 'USDT', 1, 0, 0, 1, 1000000, 1, ${at}, ${at}, 'credited')`.execute(
        ctx.db,
      )
    } else if (kind === 'withdrawal_request') {
      await sql`insert into withdrawal (user_id, id, trx, gateway_id, status, state, currency, amount, percent_charge,
          fixed_charge, rate_millionths, paid_out, created_ms, clock_ms)
        values (${userId}, ${ref}, ${ref}, 2, 2, 'requested', 'USDT', 10, 0, 0, 1000000, 1, ${at}, ${at})`.execute(
        ctx.db,
      )
    }
  }
}

async function insertTransfers(some: readonly Moved[]): Promise<void> {
  if (some.length === 0) return
  const rows = some.map(({ userId, ref, kind, amount, at }) => {
    const { from, to, step } = TRANSFER_KINDS[kind]
    return {
      user_id: userId,
      ref,
      step,
      kind,
      from_account: from,
      to_account: to,
      currency: BASE_CURRENCY,
      amount,
      created_ms: at,
    }
  })
  await ctx.db.insertInto('transfer').values(rows).execute()
}

async function insertBalances(all: readonly Moved[], accounts: readonly Account[]): Promise<void> {
  for (const { userId } of accounts) {
    const own = { cash: 0n, staked: 0n, withdrawing: 0n, credits: 0n }
    for (const { kind, amount } of all.filter((one) => one.userId === userId)) {
      const { from, to } = TRANSFER_KINDS[kind]
      if (Object.hasOwn(own, from)) own[from as 'cash'] -= amount
      if (Object.hasOwn(own, to)) own[to as 'cash'] += amount
    }
    await ctx.db
      .insertInto('balance')
      .values({ user_id: userId, currency: BASE_CURRENCY, ...own })
      .execute()
  }
}

async function countAll(): Promise<void> {
  while (await countReports(ctx));
  // Each round closes one day.
  for (let day = 0; day < LIFE_DAYS + 10; day += 1) await countReports(ctx)
}

const jump = (to: number): void => ctx.clock.jump(to - ctx.now())
const whole = (amount: number): number => Math.round(amount * 100)
const split = (moved: readonly Moved[]) => ({
  people: moved.filter(({ isBot }) => !isBot),
  bots: moved.filter(({ isBot }) => isBot),
})
const linesOf = (moved: readonly Moved[]) =>
  Object.fromEntries(Object.entries(lineTotals(moved)).map(([line, amount]) => [line, Number(amount)]))

function positionOf(account: string, moved: readonly Moved[]): number {
  return moved.reduce((sum, { kind, amount }) => {
    const { from, to } = TRANSFER_KINDS[kind]
    return sum + (to === account ? Number(amount) : 0) - (from === account ? Number(amount) : 0)
  }, 0)
}

const period = (zone: string, from: number, to: number): PeriodDays => {
  const found = periodDays({ zone, from, to }, ctx.now())
  assert(found.ok, 'the period is valid')
  return found.value
}
const summary = (of: PeriodDays) => inSnapshot(ctx.db, (tx) => makeSummary(tx, of, ctx.now()))
const breakdown = (dimension: ReportDimension, of: PeriodDays) =>
  inSnapshot(ctx.db, (tx) => makeBreakdown(tx, { dimension, period: of, now: ctx.now() }))

/**
 * Fills the database with random transfers of 12 users and returns them. Some transfers commit after their time was
 * counted.
 */
async function populate(seed: number): Promise<Moved[]> {
  const accounts: Account[] = Array.from({ length: USERS }, (_, nth) => ({
    userId: ctx.newId(),
    isBot: nth % 4 === 3,
    countries: [
      { since: BEGIN, country: nth % 3 === 0 ? 'DE' : 'BR' },
      ...(nth % 2 === 0 ? [{ since: BEGIN + 9 * DAY_MS + 7_000, country: 'US' }] : []),
    ],
  }))
  const first: LifeStep = { what: 'deposited', afterMs: 0, stepMs: 0, tens: 1_000_000, symbol: 1, seconds: 60 }
  const lives = fc.sample(fc.array(EVENT, { minLength: 5, maxLength: 25 }), { numRuns: USERS, seed })
  const moved = accounts
    .flatMap((account, nth) => live(account, [first, ...(lives[nth] ?? [])]))
    .toSorted((a, b) => a.at - b.at)
  await insertReference()
  for (const account of accounts) await insertAccount(account)
  await insertRecords(moved)
  await insertBalances(moved, accounts)

  const end = (moved.at(-1)?.at ?? BEGIN) + 1
  const middle = BEGIN + 12 * DAY_MS + 30 * MINUTE_MS
  // Transfers on a closed day cannot be late here, because a closed day is not counted again.
  const openSince = (cut: number) => Math.floor((cut - CLOSE_AFTER_MS) / DAY_MS) * DAY_MS
  const isLate = ({ at }: Moved, cut: number) => at >= Math.max(cut - 20 * HOUR_MS, openSince(cut)) && at < cut
  expect(moved.some((one) => isLate(one, middle)) && moved.some((one) => isLate(one, end))).toBe(true)
  // Most transfers of the first 12 days commit in time. The late ones commit after they should have been counted, but
  // before their day is closed.
  jump(middle)
  await insertTransfers(moved.filter((one) => one.at < middle && !isLate(one, middle)))
  while (await countReports(ctx));
  await insertTransfers(moved.filter((one) => isLate(one, middle)))
  jump(end)
  await insertTransfers(moved.filter((one) => one.at >= middle && !isLate(one, end)))
  await countAll()
  // The last late transfers commit after all counting. Their days are not closed, so a report must read them from the
  // transfers.
  await insertTransfers(moved.filter((one) => one.at >= middle && isLate(one, end)))
  return moved
}

function expectFigures(
  found: Pick<Awaited<ReturnType<typeof summary>>, 'lines' | 'positions'>,
  { start, end }: Pick<PeriodDays, 'start' | 'end'>,
  moved: readonly Moved[],
): void {
  for (const whose of ['people', 'bots'] as const) {
    const own = split(moved)[whose]
    const lines = REPORT_LINES.map((line) => [line, whole(found.lines[whose][line])])
    expect(Object.fromEntries(lines)).toEqual(linesOf(own.filter(({ at }) => at >= start && at < end)))
    for (const { account, begin, end: finish } of found.positions) {
      expect([account, whole(begin[whose])]).toEqual([
        account,
        positionOf(
          account,
          own.filter(({ at }) => at < start),
        ),
      ])
      expect([account, whole(finish[whose])]).toEqual([
        account,
        positionOf(
          account,
          own.filter(({ at }) => at < end),
        ),
      ])
    }
  }
}

const marketOf = (symbol: string): string => ['', 'crypto', 'us_stocks', 'us_fx'][Number(symbol)] ?? ''
const VALUE: Readonly<Record<ReportDimension, (one: Moved, zone: string) => string>> = {
  day: ({ at }, zone) => civilDayText(zoneDay(zone, instant(at))),
  symbol: ({ symbol }) => symbol,
  market: ({ symbol }) => marketOf(symbol),
  length: ({ length }) => length,
  gateway: ({ gateway }) => gateway,
  country: ({ country }) => country,
}

describe('OD13.1 and OD13.3: reports equal the ledger', () => {
  it('OD13.3: in each time zone, breakdowns sum to the summary, two adjoining periods sum to their union, and positions equal the ledger', async () => {
    const moved = await populate(20_261_128)
    const plan = fc.tuple(fc.constantFrom(...ZONES), fc.nat({ max: 25 }), fc.nat({ max: 12 }), fc.nat({ max: 12 }))
    for (const [zone, skip, one, two] of [
      ...fc.sample(plan, { numRuns: 12 }),
      // Two periods around the end of daylight saving in Berlin, then that single day of 25 hours and the next day.
      ['Europe/Berlin', 5, 9, 9] as const,
      ['Europe/Berlin', 10, 0, 0] as const,
    ]) {
      const last = zoneDay(zone, ctx.now())
      const from = Math.min(zoneDay(zone, instant(BEGIN)) + skip, last - one - 1)
      const both = period(zone, from, from + one + two + 1)
      const halves = [period(zone, from, from + one), period(zone, from + one + 1, from + one + two + 1)]
      const total = await summary(both)
      expect(total.difference).toBe(0)
      expectFigures(total, both, moved)
      const parts = await Promise.all(halves.map(summary))
      for (const whose of ['people', 'bots'] as const) {
        for (const line of REPORT_LINES) {
          const sum = parts.reduce((all, { lines }) => all + whole(lines[whose][line]), 0)
          expect(sum).toBe(whole(total.lines[whose][line]))
        }
        const [before, after] = parts
        expect(before?.positions.map(({ end }) => end[whose])).toEqual(
          after?.positions.map(({ begin }) => begin[whose]),
        )
      }
      const within = moved.filter(({ at }) => at >= both.start && at < both.end)
      for (const dimension of REPORT_DIMENSIONS) {
        const { rows } = await breakdown(dimension, both)
        const values = new Set(rows.map(({ value }) => value))
        for (const moves of within) expect(values).toContain(VALUE[dimension](moves, zone))
        for (const { value, lines } of rows) {
          const own = split(within.filter((moves) => VALUE[dimension](moves, zone) === value))
          for (const whose of ['people', 'bots'] as const) {
            const found = REPORT_LINES.map((line) => [line, whole(lines[whose][line])])
            expect([dimension, value, Object.fromEntries(found)]).toEqual([dimension, value, linesOf(own[whose])])
          }
        }
      }
    }
  })

  it('OD13.1: counts new, active and depositing users and first deposits of a period', async () => {
    const moved = await populate(7)
    for (const [zone, skip, days] of [
      ['UTC', 0, 5],
      ['America/New_York', 3, 6],
      ['Asia/Kathmandu', 10, 0],
    ] as const) {
      const from = zoneDay(zone, instant(BEGIN)) + skip
      const { start, end, ...rest } = period(zone, from, from + days)
      const { users } = await summary({ start, end, ...rest })
      for (const whose of ['people', 'bots'] as const) {
        const own = split(moved)[whose]
        const of = (kind: TransferKind, within: (at: number) => boolean) =>
          new Set(own.filter((one) => one.kind === kind && within(one.at)).map(({ userId }) => userId))
        const isWithin = (at: number) => at >= start && at < end
        const earlier = of('deposit', (at) => at < start)
        const depositing = of('deposit', isWithin)
        expect(users[whose]).toEqual({
          new: BEGIN >= start && BEGIN < end ? new Set(own.map(({ userId }) => userId)).size : 0,
          active: of('order_stake', isWithin).size,
          depositing: depositing.size,
          first_deposits: [...depositing].filter((userId) => !earlier.has(userId)).length,
        })
      }
    }
  })

  it('OD13.1: a wrong total shows as a difference, and figures from all transfers stay correct', async () => {
    const moved = await populate(3)
    const day = zoneDay('UTC', instant(BEGIN))
    const week = period('UTC', day + 2, day + 8)
    await sql`update report_day set amount = amount + 250 where dimension = 'all' and day = ${day + 4}::int4
      and kind = 'order_stake' and not is_bot`.execute(ctx.db)
    // A stake moves money from cash to staked, so 2.50 too much changes two accounts: the difference is 5.00.
    expect((await summary(week)).difference).toBe(5)
    const figures = await inSnapshot(ctx.db, (tx) => makeFiguresFromTransfers(tx, week))
    expectFigures(figures, week, moved)
    expect(figures.positions.map(({ account }) => account)).toEqual([...REPORT_ACCOUNTS])
  })
})
