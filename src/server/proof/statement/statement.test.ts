import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { assert } from '#core/result.ts'
import { periodInstants } from '#core/statement/statement-period.ts'
import { readRows } from '#core/statement/read-rows.ts'
import { instant } from '#core/time/instant.ts'
import { zoneDay } from '#core/time/zone.ts'
import { createProveStatement, type ProveStatement } from '#server/proof/statement/prove-statement.ts'
import { statementCsvPortions } from '#server/proof/statement/statement-files.ts'
import { allowBareTransfers } from '#test/support/bare-rows.ts'
import { BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { buildLife, insertLives, insertMoves, type Life, LIFE_EVENT } from '#test/support/statement-lives.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
allowBareTransfers(database)
let ctx: TestContext
let prove: ProveStatement
beforeEach(() => {
  ctx = createTestContext(database.db)
  prove = createProveStatement(ctx, { set: () => undefined })
})

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Marquesas'] as const
const LIVES = 1_000
/** The simulated histories begin shortly before both changes of daylight saving. */
const STARTS = [Date.UTC(2026, 2, 1), Date.UTC(2026, 9, 10)] as const

const amountsOf = (rows: readonly { readonly amount: bigint }[]): bigint[] =>
  rows.map(({ amount }) => amount).toSorted((one, other) => Number(one - other))

async function statementOf(life: Life, zone: string, from: number, to: number | null) {
  const period = periodInstants({ from, to, zone }, ctx.now())
  assert(period.ok, 'the period is valid')
  const proven = await prove(life.userId, period.value, () => Promise.resolve(null))
  assert(proven.ok, 'the statement adds up')
  const { statement } = proven.value
  let text = ''
  for await (const portion of statementCsvPortions({
    ctx,
    symbols: fixedCatalogue({ symbols: [BTC] }),
    statement,
    zone,
  }))
    text += portion
  const rows = readRows(text)
  assert(rows, 'the rows can be read')
  return { ...statement, fileRows: rows }
}

it('US2.1: opening total, rows and closing total of any period in any time zone match the ledger, and the next period begins with the closing total', async () => {
  ctx.clock.jump(Date.UTC(2027, 1, 1) - ctx.now())
  const plan = fc.tuple(
    fc.array(LIFE_EVENT, { minLength: 3, maxLength: 14 }),
    fc.constantFrom(...ZONES),
    fc.nat({ max: 30 }),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 60 }),
    fc.constantFrom(...STARTS),
  )
  const plans = fc.sample(plan, LIVES)
  const lives = plans.map(([events, , , , , startMs]) =>
    buildLife({ userId: ctx.newId(), newId: () => ctx.newId(), startMs }, events),
  )
  await insertLives(database.db, lives)
  for (const [at, [, zone, skip, first, second, startMs]] of plans.entries()) {
    const life = lives[at]
    assert(life, 'each plan has its life')
    const from = zoneDay(zone, instant(startMs)) + skip
    const one = await statementOf(life, zone, from, from + first)
    const two = await statementOf(life, zone, from + first, from + first + second)
    const sumBefore = (ms: number) =>
      life.changes.reduce((sum, change) => (change.at < ms ? sum + change.amount : sum), 0n)
    for (const { sums, range, fileRows, rows } of [one, two]) {
      expect([sums.opening, sums.closing]).toEqual([sumBefore(range.from), sumBefore(range.to)])
      const within = life.changes.filter((change) => change.at >= range.from && change.at < range.to)
      expect([rows, fileRows.length]).toEqual([within.length, within.length])
      expect(amountsOf(fileRows)).toEqual(amountsOf(within))
      const { opening, deposits, withdrawals, charges, won, lost, corrections, closing } = sums
      expect(opening + deposits - withdrawals - charges + won - lost + corrections).toBe(closing)
    }
    expect(one.range.to).toBe(two.range.from)
    expect(one.sums.closing).toBe(two.sums.opening)
  }
})

it('US2.1: a statement without an end date ends with the current balance, even when a server whose clock is ahead wrote the newest row', async () => {
  const life = buildLife({ userId: ctx.newId(), newId: () => ctx.newId(), startMs: ctx.now() - 86_400_000 }, [
    { what: 'win', amount: 100, afterMs: 1_000 },
    { what: 'pending', amount: 50, afterMs: 1_000 },
    { what: 'deposit', amount: 7, afterMs: 86_400_000 + 1_000 },
  ])
  await insertLives(database.db, [life])
  const { sums, range } = await statementOf(life, 'UTC', zoneDay('UTC', ctx.now()) - 5, null)
  const { cash, staked, withdrawing } = life.balance
  expect(sums.closing).toBe(cash + staked + withdrawing)
  expect(range.to).toBe(ctx.now() + 3_001)
})

it('US2.1: when the clocks of two servers differ, the result number decides the period of orders around midnight', async () => {
  const midnight = Date.UTC(2026, 5, 2)
  ctx.clock.jump(Date.UTC(2026, 6, 1) - ctx.now())
  const life = buildLife({ userId: ctx.newId(), newId: () => ctx.newId(), startMs: midnight - 10_000 }, [
    { what: 'win', amount: 1, afterMs: 10_020 },
    { what: 'lose', amount: 2, afterMs: 5_000 },
  ])
  const [first, second] = life.orders
  assert(first && second, 'the life has two orders')
  // The second result was written by a server whose clock was behind.
  const behind = midnight - 15
  const transfers = life.transfers.map((row) => (row.ref === second.id ? { ...row, created_ms: behind } : row))
  await insertLives(database.db, [{ ...life, transfers, orders: [first, { ...second, settled_ms: behind }] }])
  const day = zoneDay('UTC', instant(midnight))
  const one = await statementOf(life, 'UTC', day - 1, day)
  const two = await statementOf(life, 'UTC', day, day + 1)
  expect([one.firstResult, one.lastResult, two.firstResult, two.lastResult]).toEqual([1, 2, null, null])
  expect([one.sums.closing, two.sums.opening]).toEqual([9_999_994n, 9_999_994n])
  expect(one.fileRows.length + two.fileRows.length).toBe(3)
})

it('US2.3: an order that is settled while the file is sent is not in the file', async () => {
  const startMs = ctx.now() - 86_400_000
  const life = buildLife({ userId: ctx.newId(), newId: () => ctx.newId(), startMs }, [
    { what: 'win', amount: 100, afterMs: 1_000 },
    { what: 'lose', amount: 100, afterMs: 1_000 },
  ])
  await insertLives(database.db, [life])
  const zone = 'UTC'
  const period = periodInstants({ from: zoneDay(zone, instant(startMs)), to: null, zone }, ctx.now())
  assert(period.ok, 'the period is valid')
  const proven = await prove(life.userId, period.value, () => Promise.resolve(null))
  assert(proven.ok, 'the statement adds up')
  const { statement } = proven.value
  const portions = statementCsvPortions({ ctx, symbols: fixedCatalogue({ symbols: [BTC] }), statement, zone })
  let { value: text = '' } = await portions.next()
  const [first] = life.orders
  assert(first, 'the life has an order')
  // The time of this late result lies between the rows of the file.
  const late = { ...first, id: ctx.newId(), client_order_id: 'late', trx: 'late', result_number: 3n }
  await insertMoves(database.db, [{ transfers: [], orders: [late] }])
  for await (const portion of portions) text += portion
  expect(readRows(text)?.map(({ order }) => order?.resultNumber ?? null)).toEqual([null, 1, 2])
})

it('US2.3: a file whose rows no longer lead to its closing total ends with an error', async () => {
  const startMs = ctx.now() - 86_400_000
  const life = buildLife({ userId: ctx.newId(), newId: () => ctx.newId(), startMs }, [])
  await insertLives(database.db, [life])
  const period = periodInstants({ from: zoneDay('UTC', instant(startMs)), to: null, zone: 'UTC' }, ctx.now())
  assert(period.ok, 'the period is valid')
  const proven = await prove(life.userId, period.value, () => Promise.resolve(null))
  assert(proven.ok, 'the statement adds up')
  await database.asOwner((owner) =>
    owner.updateTable('transfer').set({ amount: 1n }).where('user_id', '=', life.userId).execute(),
  )
  const portions = statementCsvPortions({
    ctx,
    symbols: fixedCatalogue(),
    statement: proven.value.statement,
    zone: 'UTC',
  })
  const readAll = async (): Promise<void> => {
    for await (const portion of portions) expect(portion).not.toMatch(/^end,/)
  }
  await expect(readAll()).rejects.toThrow(/closing total/)
})
