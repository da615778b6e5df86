import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import { later } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
let markets: StaffSession
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  markets = await app.staff('markets')
  user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  await speak()
})
afterEach(() => app.stop())

async function speak(units = 9_400_000): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

let orders = 0
const place = (change: { shownPayout?: number; shownSeconds?: number; tradeSettingId?: number } = {}) => {
  orders += 1
  const { shownPayout, ...others } = change
  return app.engine.place({
    userId: user.id,
    clientOrderId: `order-${orders}`,
    direction: 1,
    tradeSettingId: 1,
    stake: money(10_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
    ...others,
    ...(shownPayout !== undefined && { shownPayout: basisPoints(shownPayout) }),
  })
}
const terms = async (id: number) =>
  (await markets.call(staffCalls.staffTradeTerms)).body.data.rows.find((row) => row.id === id)
const shown = async (id: number) =>
  (await app.call(calls.currencyList)).body.data.trade_settings.find((setting) => setting.id === id)
const announce = (payout: number, change: object = {}) =>
  markets.call(staffCalls.staffAnnouncePayout, {
    params: { id: '1' },
    body: { payout_version: 1, payout, applies_at: null, ...change },
  })

describe('a payout', () => {
  it('needs an announcement and applies from its start, to new orders only', async () => {
    const before = await place()
    expect(before).toMatchObject({ ok: true, value: { payout: 8_000 } })
    const appliesAt = later(app.ctx.now(), MINUTE_MS)
    expect((await announce(60)).body.data).toEqual({ payout_version: 2, applies_at: toIso(appliesAt) })
    expect(await shown(1)).toMatchObject({
      profit_percentage: 80,
      next_payout: { profit_percentage: 60, applies_at: appliesAt },
    })
    app.ctx.clock.advance(MINUTE_MS - SECOND_MS)
    await speak(9_500_000)
    expect(await place()).toMatchObject({ value: { payout: 8_000 } })
    app.ctx.clock.jump(appliesAt - app.ctx.now() - 1)
    expect(app.catalogue.settings[0]?.payout).toBe(8_000)
    app.ctx.clock.jump(1)
    await speak(9_500_000)
    expect(await place()).toMatchObject({ value: { payout: 6_000 } })
    expect(await shown(1)).toMatchObject({ profit_percentage: 60, next_payout: null })
    await speak(9_500_000)
    await app.engine.settleDue()
    const settled = await app.ctx.db
      .selectFrom('order_history')
      .select(['profit_basis_points', 'result_amount'])
      .execute()
    expect(settled[0]).toEqual({ profit_basis_points: 8_000, result_amount: 8_000n })
  })

  it('refuses the order when the displayed payout is outdated', async () => {
    await announce(60)
    expect(await place({ shownPayout: 8_000 })).toMatchObject({ ok: true })
    app.ctx.clock.advance(MINUTE_MS)
    await speak()
    expect(await place({ shownPayout: 8_000 })).toMatchObject({ refusal: 'payout_changed', params: { payout: 60 } })
    expect(await place({ shownPayout: 6_000 })).toMatchObject({ value: { payout: 6_000 } })
  })

  it('notifies open pages when it starts', async () => {
    await announce(60)
    app.ctx.announced.length = 0
    app.ctx.clock.jump(MINUTE_MS)
    await vi.waitFor(() => {
      app.ctx.clock.advance(SECOND_MS)
      expect(app.ctx.announced).toContainEqual({ kind: 'markets-changed' })
    })
  })

  it.each<[string, number, () => object, string]>([
    ['sooner than the notice', 60, () => ({ applies_at: toIso(later(app.ctx.now(), 59_999)) }), 'payout_too_soon'],
    ['in the past', 60, () => ({ applies_at: '2020-01-01T00:00:00Z' }), 'payout_too_soon'],
    ['in a year', 60, () => ({ applies_at: toIso(later(app.ctx.now(), 365 * DAY_MS)) }), 'payout_too_late'],
    ['after another', 60, () => ({ payout_version: 0 }), 'changed_meanwhile'],
    ['nothing', 0, () => ({}), 'bad_request'],
    ['a third of a hundredth', 60.333, () => ({}), 'bad_request'],
    ['for one user', 60, () => ({ user_id: user.id, payout_version: 0 }), 'changed_meanwhile'],
  ])('is refused: %s', async (_, payout, change, code) => {
    expect((await announce(payout, change())).body.code).toBe(code)
    expect(await shown(1)).toMatchObject({ profit_percentage: 80, next_payout: null })
  })

  it('accepts one of two concurrent announcements, which a later one replaces', async () => {
    const replies = await Promise.all([announce(60), announce(70)])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await announce(75, { payout_version: 2 })).status).toBe(200)
    expect((await shown(1))?.next_payout).toMatchObject({ profit_percentage: 75 })
    const { rows } = (await markets.call(staffCalls.staffPayouts, { query: { terms: 1 } })).body.data
    expect(rows.map(({ version, state, who }) => [version, state, who])).toEqual([
      [3, 'coming', 'markets'],
      [2, 'replaced', 'markets'],
      [1, 'in-force', ''],
    ])
    const csv = await markets.read('/admin/markets/payouts.csv')
    expect(csv.text.trim().split('\n')).toHaveLength(8)
  })

  it('cannot differ by user, because its tables name none', async () => {
    const columns = async (table: 'payout_version' | 'trade_setting') =>
      Object.keys(await app.ctx.db.selectFrom(table).selectAll().executeTakeFirstOrThrow())
    for (const name of [...(await columns('payout_version')), ...(await columns('trade_setting'))]) {
      expect(name).not.toMatch(/user|account|group|delay/)
    }
  })
})

describe('trade terms', () => {
  const edit = (change: object) =>
    markets.call(staffCalls.staffEditTradeTerms, {
      params: { id: '1' },
      body: { version: 1, seconds: 60, min_amount: 10, max_amount: 5_000, is_offered: true, ...change },
    })

  it('change for new orders, while open orders keep their expiry', async () => {
    const placed = await place()
    expect((await edit({ seconds: 120, min_amount: '15.50' })).body.data).toEqual({ version: 2 })
    expect(await shown(1)).toMatchObject({ time: 120, min_amount: 15.5 })
    const open = await app.ctx.db.selectFrom('open_order').select(['seconds', 'expires_ms']).execute()
    expect(open).toEqual([{ seconds: 60, expires_ms: BigInt(placed.ok ? placed.value.expiresAt : 0) }])
    expect(await place({ shownSeconds: 60 })).toMatchObject({ refusal: 'setting_unknown' })
    expect(await place({ shownSeconds: 120 })).toMatchObject({ value: { seconds: 120 } })
    await edit({ version: 2, seconds: 120, is_offered: false })
    expect(await place()).toMatchObject({ refusal: 'setting_unknown' })
  })

  it.each([
    ['crossed stakes', { min_amount: 20, max_amount: 10 }, 'stakes_crossed'],
    ['no stake', { min_amount: 0 }, 'stakes_crossed'],
    ['a length that is there', { seconds: 300 }, 'length_taken'],
    ['an old version', { version: 0 }, 'changed_meanwhile'],
    ['no length', { seconds: 0 }, 'bad_request'],
    ['a third of a cent', { min_amount: '1.001' }, 'amount_invalid'],
  ])('are refused: %s', async (_, change, code) => {
    expect((await edit(change)).body.code).toBe(code)
    expect(await terms(1)).toMatchObject({ seconds: 60, min_amount: 10, version: 1 })
  })

  it('start with a payout that applies immediately', async () => {
    const body = { seconds: 600, min_amount: 5, max_amount: 100, payout: 82.5 }
    const { id } = (await markets.call(staffCalls.staffAddTradeTerms, { body })).body.data
    expect(await shown(id)).toMatchObject({ time: 600, profit_percentage: 82.5 })
    expect(await place({ tradeSettingId: id })).toMatchObject({ value: { payout: 8_250 } })
    expect((await markets.call(staffCalls.staffAddTradeTerms, { body })).body.code).toBe('length_taken')
  })
})

describe('quick amounts', () => {
  const amounts = async () => (await app.call(calls.currencyList)).body.data.prices.map(({ amount }) => amount)

  it('change immediately for all users when added, changed or removed', async () => {
    const { id } = (await markets.call(staffCalls.staffAddQuickAmount, { body: { amount: 75 } })).body.data
    expect(await amounts()).toEqual([20, 50, 75, 100, 250, 500])
    const params = { id: String(id) }
    await markets.call(staffCalls.staffChangeQuickAmount, { params, body: { version: 1, amount: 80 } })
    expect(await amounts()).toEqual([20, 50, 80, 100, 250, 500])
    expect((await markets.call(staffCalls.staffRemoveQuickAmount, { params, body: { version: 1 } })).status).toBe(409)
    await markets.call(staffCalls.staffRemoveQuickAmount, { params, body: { version: 2 } })
    expect(await amounts()).toEqual([20, 50, 100, 250, 500])
  })

  it('refuse duplicates, zero and negative amounts', async () => {
    const add = async (amount: number) =>
      (await markets.call(staffCalls.staffAddQuickAmount, { body: { amount } })).body.code
    expect([await add(20), await add(0), await add(-1)]).toEqual(['amount_taken', 'amount_invalid', 'amount_invalid'])
  })
})
