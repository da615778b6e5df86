import { describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

const BTC = 1

let app: TestApp
let markets: StaffSession
let user: TestUser
const { share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    await app.startMarkets()
    markets = await app.staff('markets')
    user = await app.verifiedUser('alice')
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
    await speak(9_400_000)
  },
  end: () => app.stop(),
})

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

let orders = 0
const place = (tradeSettingId = 1) => {
  orders += 1
  return app.engine.place({
    userId: user.id,
    clientOrderId: `order-${orders}`,
    direction: 1,
    tradeSettingId,
    stake: money(10_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
}
const hours = async (days = 14) =>
  (await markets.call(staffCalls.staffMarketHours, { query: { days } })).body.data.markets
const shown = async () => {
  const { market_status: status, market_hours: all } = (await app.call(calls.currencyList)).body.data
  return { isOpen: status.crypto, ...all.crypto }
}
const at = (ms: number) => toIso(later(app.ctx.now(), ms))
const plan = (change: object = {}) =>
  markets.call(staffCalls.staffPlanClosure, {
    body: { market_type: 'crypto', from: at(10 * MINUTE_MS), to: at(70 * MINUTE_MS), words: 'Maintenance', ...change },
  })

it('shows the computed calendar with holidays and early closes', async () => {
  // 21 days from Wednesday, 18 March 2026. Good Friday is 3 April.
  const [crypto, stocks, forex] = await hours(21)
  expect(crypto).toMatchObject({ market_type: 'crypto', is_open: true, closes_at: null, calendar: [] })
  expect(stocks?.calendar.filter(({ kind }) => kind === 'holiday')).toEqual([
    { kind: 'holiday', from: '2026-04-03T04:00:00.000Z', to: '2026-04-04T04:00:00.000Z' },
  ])
  expect(stocks?.calendar[0]).toEqual({
    kind: 'session',
    from: '2026-03-18T13:30:00.000Z',
    to: '2026-03-18T20:00:00.000Z',
  })
  expect(forex?.calendar).toHaveLength(4)
  app.ctx.clock.jump(Date.UTC(2026, 10, 25) - app.ctx.now())
  markets = await app.staff('markets')
  expect((await hours(3))[1]?.calendar.map(({ kind }) => kind)).toEqual(['session', 'holiday', 'early-close'])
})

describe('closing a market now', () => {
  const close = (words: string, version: number) =>
    markets.call(staffCalls.staffCloseMarket, { params: { type: 'crypto' }, body: { version, words } })

  it('refuses new orders with a reason for users until the closure is removed', async () => {
    await close('Maintenance', 0)
    expect(await shown()).toMatchObject({ isOpen: false, reason: 'Maintenance' })
    expect(await place()).toMatchObject({ refusal: 'market_closed' })
    expect((await close('Other words', 0)).body.code).toBe('changed_meanwhile')
    expect((await hours())[0]).toMatchObject({ closed_reason: 'Maintenance', version: 1 })
    await markets.call(staffCalls.staffOpenMarket, { params: { type: 'crypto' }, body: { version: 1 } })
    expect(await shown()).toMatchObject({ isOpen: true, reason: null })
    expect(await place()).toMatchObject({ ok: true })
  })

  it('needs a reason and an existing market', async () => {
    expect((await close('', 0)).body.code).toBe('words_needed')
    const none = { params: { type: 'bonds' }, body: { version: 0, words: 'x' } }
    expect((await markets.call(staffCalls.staffCloseMarket, none)).body.code).toBe('not_found')
  })

  it('cannot be undone to open a market that its calendar closes', async () => {
    app.ctx.clock.jump(12 * HOUR_MS)
    await markets.call(staffCalls.staffOpenMarket, { params: { type: 'us_stocks' }, body: { version: 0 } })
    expect((await app.call(calls.currencyList)).body.data.market_status.us_stocks).toBe(false)
  })
})

describe('a planned closure', () => {
  it('refuses orders that would expire in it, closes at its start, and ends by itself', async () => {
    const from = later(app.ctx.now(), 10 * MINUTE_MS)
    expect((await plan()).status).toBe(200)
    expect(await shown()).toMatchObject({ isOpen: true, closes_at: from, reason: null })
    expect(await place(1)).toMatchObject({ ok: true })
    expect(await place(3)).toMatchObject({ refusal: 'expiry_after_close' })
    app.ctx.clock.jump(10 * MINUTE_MS)
    expect(await shown()).toMatchObject({ isOpen: false, opens_at: later(from, HOUR_MS), reason: 'Maintenance' })
    await speak(9_400_000)
    expect(await place()).toMatchObject({ refusal: 'market_closed' })
    app.ctx.clock.jump(HOUR_MS)
    await speak(9_400_000)
    expect(await place(3)).toMatchObject({ ok: true })
    markets = await app.staff('markets')
    const { rows } = (await markets.call(staffCalls.staffClosures)).body.data
    expect(rows).toMatchObject([{ market_type: 'crypto', reason: 'Maintenance', state: 'over', who: 'markets' }])
  })

  it('does not affect open orders: an order that expires during the closure settles at the price of its expiry', async () => {
    expect(await place(1)).toMatchObject({ ok: true })
    await plan({ from: at(30 * SECOND_MS), to: at(HOUR_MS) })
    app.ctx.clock.advance(MINUTE_MS - SECOND_MS)
    await speak(9_500_000)
    app.ctx.clock.advance(2 * SECOND_MS)
    await speak(9_300_000)
    await app.engine.settleDue()
    const settled = await app.ctx.db.selectFrom('order_history').select(['result', 'exit_price']).execute()
    expect(settled).toEqual([{ result: 1, exit_price: 9_500_000n }])
  })

  it('notifies open pages when it starts', async () => {
    await plan()
    app.ctx.announced.length = 0
    app.ctx.clock.jump(10 * MINUTE_MS)
    await vi.waitFor(() => {
      app.ctx.clock.advance(SECOND_MS)
      expect(app.ctx.announced).toContainEqual({ kind: 'markets-changed' })
    })
  })

  it('can be cancelled until its end', async () => {
    const { id } = (await plan()).body.data
    const cancel = () => markets.call(staffCalls.staffCancelClosure, { params: { id } })
    app.ctx.clock.jump(20 * MINUTE_MS)
    expect(await shown()).toMatchObject({ isOpen: false })
    expect((await cancel()).status).toBe(200)
    expect(await shown()).toMatchObject({ isOpen: true })
    expect((await cancel()).body.code).toBe('closure_over')
  })

  describe('with wrong input', () => {
    share()

    it.each<[string, () => object, string]>([
      ['no words', () => ({ words: ' ' }), 'words_needed'],
      ['in the past', () => ({ from: at(-MINUTE_MS) }), 'closure_past'],
      ['ending first', () => ({ to: at(MINUTE_MS) }), 'closure_ends_first'],
      ['without end', () => ({ to: at(40 * DAY_MS) }), 'closure_too_long'],
      ['no time', () => ({ from: 'tomorrow' }), 'bad_request'],
    ])('is refused: %s', async (_, change, code) => {
      expect((await plan(change())).body.code).toBe(code)
      expect(await shown()).toMatchObject({ isOpen: true, closes_at: null })
    })
  })
})
