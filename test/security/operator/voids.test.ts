import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { DAY_MS, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { noteRun } from '#server/platform/faults/server-run.queries.ts'
import { countFairness } from '#server/proof/fairness/count-fairness.ts'
import { noteVoidStands, pauseSymbols } from '#server/proof/voids/watch-voids.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const ORDERS = 50
const database = useTestDatabase()
let app: TestApp
let user: TestUser

beforeEach(async () => {
  app = await createTestApp(database)
  await forceTerms(database.db, [{ what: 'rule', of: 'all', value: '2' }])
  await app.catalogue.reload()
  await app.startMarkets()
  user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 10_000, method_id: 1 } })
})
afterEach(() => app.stop())

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

function place(id: string) {
  return app.engine.place({
    userId: user.id,
    clientOrderId: id,
    direction: BUY,
    tradeSettingId: 1,
    stake: money(10_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
}

/**
 * Places orders whose expiry has no price. The next price of the source comes later. At that price the orders would
 * have won.
 */
async function voidOrders(count: number): Promise<void> {
  await speak(9_400_000)
  const replies = await Promise.all(Array.from({ length: count }, (_, at) => place(`order-${at}`)))
  expect(replies.filter(({ ok }) => !ok)).toEqual([])
  app.ctx.clock.advance(3 * MINUTE_MS)
  await speak(9_500_000)
  await app.engine.settleDue()
}

/** Lets the jobs of a minute run, then repeats the count until nothing is left to count. */
async function count(): Promise<void> {
  app.ctx.clock.advance(2 * MINUTE_MS)
  while (await countFairness(app.ctx));
  await noteVoidStands(app)
}

async function voids(by: 'cause' | 'day') {
  return (await app.call(calls.proofVoids, { query: { by } })).body.data.voids
}

/** Deletes the pauses as the owner of the tables, because the server's role cannot. */
async function deletePauses(): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await sql`set local role none`.execute(tx)
    await tx.deleteFrom('symbol_pause').execute()
  })
}

it('A83: attack: make gaps in a source without a public record', async () => {
  await voidOrders(ORDERS)
  await count()
  await vi.waitFor(async () => {
    app.ctx.clock.advance(MINUTE_MS)
    const shown = await voids('cause')
    expect(shown.pauses[0]?.symbol).toBe('BTC')
  })
  const shown = await voids('cause')
  expect(shown).toMatchObject({ orders: ORDERS, late: 0 })
  expect(shown.lines).toMatchObject([{ orders: ORDERS, bots: 0 }])
  // How the orders would have ended is public, and pays nothing.
  const stand = { would_win: ORDERS, would_lose: 0, against_users: 1, against_site: 0, kept_by_users: 0, chance: 1 }
  expect(shown.without_record.map(({ days }) => days)).toEqual([7, 30, 90])
  for (const line of shown.without_record) expect(line).toMatchObject(stand)
  expect(shown.without_record[0]?.missed_by_users).toBeGreaterThan(0)
  // In live mode the symbol accepts no orders for a week.
  await deletePauses()
  await pauseSymbols({ ...app, mode: 'live' })
  const pause = await database.db.selectFrom('symbol_pause').selectAll().executeTakeFirstOrThrow()
  expect(Number(pause.until_ms - pause.from_ms)).toBe(7 * DAY_MS)
  await speak(9_500_000)
  expect(await place('refused')).toMatchObject({ ok: false, refusal: 'too_many_voids' })
  await expect(database.db.deleteFrom('symbol_pause').execute()).rejects.toThrow(/permission denied/)
  // Voids from before a pause have already led to that pause, so they are not counted again.
  app.ctx.clock.jump(7 * DAY_MS)
  await pauseSymbols({ ...app, mode: 'live' })
  await app.catalogue.reload()
  expect(app.catalogue.pauseOf(BTC, app.ctx.now())).toBeNull()
})

it.each([
  ['while a server accepted orders', { isReady: true }, 0],
  ['A233: while the only server was not ready', { isReady: false }, 2],
  ['while no server ran', null, 2],
])(
  'a few void orders are counted by day and cause no pause, with a separate count for expiries %s',
  async (_, state, whileDown) => {
    const run = { run: app.ctx.newId(), name: 'one', startedAt: app.ctx.now() }
    const note = async () => {
      if (state !== null) await noteRun(database.db, { ...run, ...state, now: app.ctx.now() })
    }
    await note()
    await voidOrders(2)
    await note()
    await count()
    const day = toIso(app.ctx.now()).slice(0, 10)
    const shown = await voids('day')
    expect(shown).toMatchObject({ lines: [{ of: day, orders: 2, while_down: whileDown }], pauses: [] })
    await speak(9_500_000)
    expect(await place('accepted')).toMatchObject({ ok: true })
  },
)
