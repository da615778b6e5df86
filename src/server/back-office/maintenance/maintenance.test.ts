import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let markets: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  markets = await app.staff('markets')
  await speak()
})
afterEach(() => app.stop())

async function speak(): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(1, 9_000_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => assert(app.ticks.latest(1)?.time === time, 'there is a price'))
}

/**
 * Advances the clock past the expiry of a one-minute order that was just placed. Sends a price before and a price after
 * the expiry, and settles.
 */
async function passExpiry(): Promise<void> {
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak()
  app.ctx.clock.advance(2_000)
  await speak()
  await app.engine.settleDue()
}

let orders = 0
/** Places an order of one minute. Returns the code of the refusal, or `accepted`. */
async function place(tradeSettingId = 1): Promise<string> {
  orders += 1
  const placed = await app.engine.place({
    userId: alice.id,
    clientOrderId: `order-${orders}`,
    direction: BUY,
    tradeSettingId,
    stake: money(1_000),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  return placed.ok ? 'accepted' : `${placed.refusal} ${placed.params?.['time'] ?? ''}`.trim()
}

const inMs = (ms: number) => toIso(later(app.ctx.now(), ms))
async function plan(fromMs: number, toMs: number, words = 'a new database') {
  const body = { from: inMs(fromMs), to: inMs(toMs), words }
  return (await markets.call(staffCalls.staffPlanMaintenance, { body })).body
}
const state = async () => (await markets.call(staffCalls.staffMaintenance)).body.data
const end = async (id: string) => (await markets.call(staffCalls.staffEndMaintenance, { params: { id } })).body

it('a planned maintenance refuses orders that would expire in it and orders during it, and afterwards trading resumes by itself', async () => {
  const from = later(app.ctx.now(), 11 * MINUTE_MS)
  const time = `${toIso(from).slice(0, 16).replace('T', ' ')} UTC`
  await plan(11 * MINUTE_MS, 41 * MINUTE_MS)
  expect(await place()).toBe('accepted')
  expect((await state()).open_orders).toBe(1)
  const { maintenance } = (await app.call(calls.generalSetting)).body.data
  expect(maintenance).toEqual({ from, to: later(from, 30 * MINUTE_MS), words: 'a new database' })

  await passExpiry()
  app.ctx.clock.advance(9 * MINUTE_MS + 30_000)
  await speak()
  expect(await place()).toBe(`maintenance_planned ${time}`)
  await vi.waitFor(async () => expect(await state()).toMatchObject({ open_orders: 0, waiting_orders: 0 }))
  const voids = await app.ctx.db.selectFrom('order_history').select('id').where('void_reason', 'is not', null).execute()
  expect(voids, 'no order is void because of it').toEqual([])

  app.ctx.clock.advance(MINUTE_MS)
  await speak()
  expect(await place()).toMatch(/^maintenance_now /)
  expect((await state()).items).toMatchObject([{ state: 'running' }])
  app.ctx.clock.advance(30 * MINUTE_MS)
  await speak()
  expect(await place()).toBe('accepted')
  expect((await state()).items).toMatchObject([{ state: 'over' }])
})

it('during a pause, a repeated request for an order accepted before gets the same reply as before', async () => {
  const request = {
    userId: alice.id,
    clientOrderId: 'before',
    direction: BUY,
    tradeSettingId: 1,
    stake: money(1_000),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  } as const
  const first = await app.engine.place(request)
  await markets.call(staffCalls.staffPauseTrading, { body: { words: 'a fault' } })
  expect(await app.engine.place(request)).toMatchObject(first)
})

it('a pause stops trading immediately until it is resumed, and open orders settle meanwhile', async () => {
  expect(await place()).toBe('accepted')
  const { id } = (await markets.call(staffCalls.staffPauseTrading, { body: { words: 'a fault' } })).body.data
  expect(await place()).toBe('trading_paused')
  await passExpiry()
  await vi.waitFor(async () => expect(await state()).toMatchObject({ open_orders: 0, waiting_orders: 0 }))
  expect((await state()).items).toMatchObject([{ state: 'running', ended_at: null }])
  expect((await end(id)).code).toBeUndefined()
  expect((await state()).items).toMatchObject([{ state: 'over', to: null, ended_at: toIso(app.ctx.now()) }])
  expect(await place()).toBe('accepted')
  expect((await end(id)).code).toBe('maintenance_over')
})

it('refuses a short notice, an invalid end, overlapping times, and a missing text', async () => {
  expect(await plan(9 * MINUTE_MS, HOUR_MS)).toMatchObject({ errors: { from: expect.anything() } })
  expect(await plan(HOUR_MS, HOUR_MS)).toMatchObject({ errors: { to: expect.anything() } })
  expect(await plan(HOUR_MS, 8 * 24 * HOUR_MS)).toMatchObject({ errors: { to: expect.anything() } })
  expect(await plan(HOUR_MS, 2 * HOUR_MS, ' ')).toMatchObject({ errors: { words: expect.anything() } })
  const both = await Promise.all([plan(HOUR_MS, 2 * HOUR_MS), plan(90 * MINUTE_MS, 3 * HOUR_MS)])
  expect(both.map(({ code }) => code ?? 'planned').toSorted()).toEqual(['maintenance_overlaps', 'planned'])
  expect((await state()).items).toHaveLength(1)
  const support = await app.staff('support')
  expect((await support.call(staffCalls.staffPauseTrading, { body: { words: 'no' } })).status).toBe(403)
})

it('a cancelled maintenance refuses no orders at its planned time', async () => {
  const { id } = (await plan(11 * MINUTE_MS, HOUR_MS)).data
  await end(id)
  expect((await state()).items).toMatchObject([{ state: 'cancelled', ended_at: toIso(app.ctx.now()) }])
  app.ctx.clock.advance(12 * MINUTE_MS)
  await speak()
  expect(await place()).toBe('accepted')
  expect((await app.call(calls.generalSetting)).body.data.maintenance).toBeUndefined()
  expect((await end(crypto.randomUUID())).code).toBe('not_found')
})

it('a running pause is listed and can be ended, however many maintenances are planned after it', async () => {
  const DAY = 24 * HOUR_MS
  for (let day = 1; day <= 21; day += 1) await plan(day * DAY, day * DAY + HOUR_MS)
  await markets.call(staffCalls.staffPauseTrading, { body: { words: 'a fault' } })
  const running = (await state()).items.filter((item) => item.state === 'running')
  expect(running).toMatchObject([{ words: 'a fault' }])
  await end(running[0]?.id ?? '')
  const states = (await state()).items.map((item) => item.state)
  expect([states.filter((one) => one === 'planned').length, states.filter((one) => one === 'over').length]).toEqual([
    21, 1,
  ])
})

it('the database refuses a maintenance that is announced too late', async () => {
  const now = app.ctx.now()
  const row = { id: app.ctx.newId(), words: 'now', who: 'server', announced_ms: now, from_ms: now + 1, to_ms: now + 9 }
  await expect(app.ctx.db.insertInto('maintenance').values(row).execute()).rejects.toThrow(/maintenance_notice_check/)
})
