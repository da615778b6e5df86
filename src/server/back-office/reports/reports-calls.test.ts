import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { civilDayText } from '#core/markets/calendar/civil-day.ts'
import { DAY_MS, HOUR_MS, toIso } from '#core/time/instant.ts'
import { checkReports } from '#server/back-office/reports/check-reports.ts'
import { readChecks } from '#server/back-office/reports/closed-reports.queries.ts'
import { countReports } from '#server/back-office/reports/count-reports.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let finance: StaffSession
let today: string
/** The demo user gets a deposit of 10,000.00 when the server first starts. */
const DEMO = 10_000
const TOTAL = DEMO + 1_000
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  today = dayText(0)
  await count()
  finance = await app.staff('finance')
})
afterEach(() => app.stop())

const dayText = (ahead: number): string => civilDayText(Math.floor(app.ctx.now() / DAY_MS) + ahead)
async function count(): Promise<void> {
  while (await countReports(app.ctx));
}
/** Advances the clock to one hour after the end of the day, when the day can be closed. */
async function passDay(): Promise<void> {
  const start = Math.floor(app.ctx.now() / DAY_MS) * DAY_MS
  app.ctx.clock.jump(start + DAY_MS + HOUR_MS - app.ctx.now())
  await count()
  finance = await app.staff('finance')
}
const summary = async (from = today, to = today, zone = 'UTC') =>
  (await finance.call(staffCalls.staffReportSummary, { query: { from, to, zone } })).body
const close = async (from = today, to = today, zone = 'UTC') =>
  (await finance.call(staffCalls.staffCloseReport, { body: { from, to, zone } })).body

it('OD13.1: a deposit counts in the line money_in, the position of cash and the first deposits, without difference to the ledger', async () => {
  const { data } = await summary()
  expect(data.lines.people).toMatchObject({ money_in: TOTAL, money_out: 0, house_result: 0 })
  expect(data.lines.bots.money_in).toBe(0)
  expect(data.positions.find(({ account }) => account === 'cash')).toMatchObject({
    begin: { people: 0 },
    end: { people: TOTAL },
  })
  expect(data.users.people).toMatchObject({ new: 2, active: 0, depositing: 2, first_deposits: 2 })
  expect(data).toMatchObject({ difference: 0, counted_until: null, closed: null })
  const by = async (dimension: 'gateway' | 'country' | 'symbol') =>
    (
      await finance.call(staffCalls.staffReportBy, {
        params: { dimension },
        query: { from: today, to: today, zone: 'UTC' },
      })
    ).body.data.rows.map(({ value, lines }) => [value, lines.people.money_in])
  expect(await by('gateway')).toEqual([['1', TOTAL]])
  expect(await by('symbol')).toEqual([['', TOTAL]])
})

it('OD13.1: after a user changes country, only later transfers count for the new country', async () => {
  const move = (country: string, mobile: string) =>
    app.call(calls.saveProfile, {
      token: alice.token,
      body: { username: 'alice', country_code: country, mobile, mobile_code: '' },
    })
  const countries = async () => {
    const rows = await app.ctx.db.selectFrom('user_country_since').select(['country']).orderBy('since_ms').execute()
    return rows.map(({ country }) => country)
  }
  const before = await countries()
  app.ctx.clock.advance(1_000)
  await app.confirm(alice.token)
  await move('DE', '15112345678')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 50, method_id: 1 } })
  expect(await countries()).toEqual([...before, 'DE'])
  const { rows } = (
    await finance.call(staffCalls.staffReportBy, {
      params: { dimension: 'country' },
      query: { from: today, to: today, zone: 'UTC' },
    })
  ).body.data
  const found = rows.map(({ value, lines }) => [value, lines.people.money_in])
  expect(found).toContainEqual(['DE', 50])
  expect(found).toContainEqual(['', 1_000])
})

it('OD13.2: a period can be closed once, an hour after its end, and then its report has the stored figures and their hash', async () => {
  expect(await close()).toMatchObject({ code: 'period_open' })
  await passDay()
  app.ctx.clock.jump(-1)
  expect(await close()).toMatchObject({ code: 'period_open' })
  app.ctx.clock.jump(1)
  const both = await Promise.all([close(), close()])
  expect(both.map(({ code }) => code ?? 'closed').toSorted()).toEqual(['closed', 'period_closed'])
  const [stored] = await app.ctx.db.selectFrom('report_period').selectAll().execute()
  const sha256 = createHash('sha256')
    .update(stored?.figures ?? '')
    .digest('hex')
  expect(Buffer.from(stored?.sha256 ?? '').toString('hex')).toBe(sha256)
  const { data } = await summary()
  expect(data.closed).toEqual({ at: toIso(app.ctx.now()), by: 'finance', sha256 })
  expect(data.lines.people.money_in).toBe(TOTAL)

  // If totals change later, the figures of the closed period stay the same.
  await sql`update report_day set amount = 7`.execute(app.ctx.db)
  expect((await summary()).data).toEqual(data)
  const by = await finance.call(staffCalls.staffReportBy, {
    params: { dimension: 'day' },
    query: { from: today, to: today, zone: 'UTC' },
  })
  expect(by.body.data.rows).toMatchObject([{ value: today, lines: { people: { money_in: TOTAL } } }])
  const actions = await app.ctx.db.selectFrom('admin_action').selectAll().where('what', '=', 'reports/close').execute()
  expect(actions).toMatchObject([{ outcome: 'done', who: 'finance', target: `${today} – ${today} UTC` }])
})

it('OD13.2: figures that differ from the ledger are shown with the difference, and the period cannot be closed', async () => {
  await passDay()
  await sql`update report_day set amount = amount + 25 where dimension = 'all' and kind = 'deposit'`.execute(app.ctx.db)
  expect((await summary()).data.difference).toBe(0.25)
  expect(await close()).toMatchObject({ code: 'report_differs' })
})

it('OD13.2: a closed period is compared with the transfers each week, and a difference raises an alert', async () => {
  await passDay()
  await close()
  await checkReports(app.ctx)
  expect(await readChecks(app.ctx.db)).toEqual({ count: 0, amount: 0 })
  app.ctx.clock.jump(8 * DAY_MS)
  await count()
  await checkReports(app.ctx)
  expect(await readChecks(app.ctx.db)).toEqual({ count: 0, amount: 0 })
  await database.asOwner((owner) =>
    sql`update transfer set amount = amount + 300 where kind = 'deposit'`.execute(owner),
  )
  await checkReports(app.ctx)
  // All totals still equal the balances, and the closed period is not due: it is compared again only after another
  // week.
  expect(await readChecks(app.ctx.db)).toEqual({ count: 0, amount: 0 })
  app.ctx.clock.jump(8 * DAY_MS)
  await count()
  await checkReports(app.ctx)
  // 1,800 cents: 300 for each of two deposits, in the line money_in and in the final positions of two accounts.
  expect(await readChecks(app.ctx.db)).toEqual({ count: 1, amount: 1_800 })
  finance = await app.staff('finance')
  expect((await summary()).data).toMatchObject({ difference: 18, closed: {} })
})

it.each([
  ['an end before the beginning', '2026-11-02', '2026-11-01', 'UTC', 422, 'period_invalid'],
  ['a period to come', '2030-01-01', '2030-01-02', 'UTC', 422, 'period_invalid'],
  ['more than 400 days', '2024-01-01', '2025-02-04', 'UTC', 422, 'period_too_long'],
  ['an unknown time zone', '2026-11-01', '2026-11-01', 'Mars/Olympus', 422, 'bad_request'],
] as const)('OD13.2: refuses %s', async (_what, from, to, zone, status, code) => {
  for (const failed of [
    await finance.call(staffCalls.staffReportSummary, { query: { from, to, zone } }),
    await finance.call(staffCalls.staffCloseReport, { body: { from, to, zone } }),
  ]) {
    expect([failed.status, failed.body.code]).toEqual([status, code])
  }
})

it('OD13.2: finance and compliance see reports, support and content do not', async () => {
  const query = { from: today, to: today, zone: 'UTC' }
  for (const [name, status] of [
    ['compliance', 200],
    ['owner', 200],
    ['support', 403],
    ['content', 403],
  ] as const) {
    const staff = await app.staff(name)
    expect([name, (await staff.call(staffCalls.staffReportSummary, { query })).status]).toEqual([name, status])
  }
})

it('OD13.2: the CSV files have the same figures, separately for users and bots', async () => {
  const text = async (path: string) => (await finance.read(`${path}?from=${today}&to=${today}&bom=no`)).text
  const summaryFile = await text('/admin/reports/summary.csv')
  expect(summaryFile).toContain('lines,money_in,11000.00,0.00\r\n')
  expect(summaryFile).toContain('positions_end,house:deposits,-11000.00,0.00\r\n')
  expect(summaryFile).toContain('ledger,difference,0.00,\r\n')
  const byDay = await text('/admin/reports/by/day.csv')
  expect(byDay).toContain(`${today},${today},people,`)
  expect(await text('/admin/reports/by/colour.csv')).toContain('not_found')
})

it('OD13.1: while transfers are still being counted, no figures are shown and none are closed', async () => {
  await passDay()
  await sql`update day_total_mark set counted_until_ms = counted_until_ms - ${HOUR_MS} where source = 'reports'`.execute(
    app.ctx.db,
  )
  const { data } = await summary()
  expect(data.counted_until).not.toBeNull()
  expect(data.difference).toBeNull()
  expect(await close()).toMatchObject({ code: 'period_open' })
  for (const file of ['summary', 'by/day'])
    expect((await finance.read(`/admin/reports/${file}.csv?from=${today}&to=${today}`)).status).toBe(409)
})
