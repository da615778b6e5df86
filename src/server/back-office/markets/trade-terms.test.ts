import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import { later } from '#core/time/instant.ts'
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
    await speak()
  },
  end: () => app.stop(),
})

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
const rows = async () => (await markets.call(staffCalls.staffTradeTerms)).body.data.rows
const state = async () => (await markets.call(staffCalls.staffTermsState)).body.data
const shown = async (id: number) =>
  (await app.call(calls.currencyList)).body.data.trade_settings.find((setting) => setting.id === id)
const announce = async (change: object, who = markets) =>
  await who.call(staffCalls.staffAnnounceTerms, {
    body: { what: 'payout', of: '60', value: '6000', applies_at: null, seen_n: (await state()).newest_n, ...change },
  })

describe('an announced payout', () => {
  it('applies to new orders only, from its announced time on', async () => {
    expect(await place()).toMatchObject({ ok: true, value: { payout: 8_000 } })
    const appliesAt = later(app.ctx.now(), MINUTE_MS + 5 * SECOND_MS)
    const { newest_n: newest } = await state()
    expect((await announce({})).body.data).toEqual({ n: newest + 1, applies_at: toIso(appliesAt) })
    expect(await shown(1)).toMatchObject({
      profit_percentage: 80,
      changes: [{ what: 'payout', value: '6000', applies_at: appliesAt }],
    })
    app.ctx.clock.advance(MINUTE_MS - SECOND_MS)
    await speak(9_500_000)
    expect(await place()).toMatchObject({ value: { payout: 8_000 } })
    await app.passNotice()
    app.ctx.clock.step(-1)
    expect(app.catalogue.settings[0]?.payout).toBe(8_000)
    app.ctx.clock.step(1)
    await speak(9_500_000)
    expect(await place()).toMatchObject({ value: { payout: 6_000 } })
    expect(await shown(1)).toMatchObject({ profit_percentage: 60, changes: [] })
    await speak(9_500_000)
    await app.engine.settleDue()
    const settled = await app.ctx.db
      .selectFrom('order_history')
      .select(['profit_basis_points', 'result_amount'])
      .execute()
    expect(settled[0]).toEqual({ profit_basis_points: 8_000, result_amount: 8_000n })
  })

  it('gives its entry number to orders placed under it, which also store the maximum price age for their settlement', async () => {
    await place()
    const { n } = (await announce({})).body.data
    await app.passNotice()
    await speak()
    await place()
    const first = app.catalogue.terms.steps('payout', '60')[0]?.n
    await speak(9_500_000)
    await app.engine.settleDue()
    const columns = ['terms_n', 'max_tick_age_ms'] as const
    const settled = await app.ctx.db.selectFrom('order_history').select(columns).execute()
    const open = await app.ctx.db.selectFrom('open_order').select(columns).execute()
    expect(settled).toEqual([{ terms_n: BigInt(first ?? 0), max_tick_age_ms: 5_000 }])
    expect(open).toEqual([{ terms_n: BigInt(n), max_tick_age_ms: 5_000 }])
  })

  it('in force refuses an order from a page that still shows the earlier payout', async () => {
    await announce({})
    expect(await place({ shownPayout: 8_000 })).toMatchObject({ ok: true })
    await app.passNotice()
    await speak()
    expect(await place({ shownPayout: 8_000 })).toMatchObject({ refusal: 'payout_changed', params: { payout: 60 } })
    expect(await place({ shownPayout: 6_000 })).toMatchObject({ value: { payout: 6_000 } })
  })

  it('notifies open pages when it starts', async () => {
    await announce({})
    app.ctx.announced.length = 0
    await app.passNotice()
    await vi.waitFor(() => {
      app.ctx.clock.advance(SECOND_MS)
      expect(app.ctx.announced).toContainEqual({ kind: 'markets-changed' })
    })
  })

  describe('with wrong input', () => {
    share()

    it.each<[string, () => object, string]>([
      ['sooner than the notice', () => ({ applies_at: toIso(later(app.ctx.now(), 59_999)) }), 'notice_too_short'],
      ['in the past', () => ({ applies_at: '2020-01-01T00:00:00Z' }), 'notice_too_short'],
      ['in a year', () => ({ applies_at: toIso(later(app.ctx.now(), 365 * DAY_MS)) }), 'terms_too_late'],
      ['after an unseen one', () => ({ seen_n: 1 }), 'changed_meanwhile'],
      ['of nothing', () => ({ value: '0' }), 'terms_bounds'],
      ['above 100 %', () => ({ value: '10001' }), 'terms_bounds'],
      ['that is no number', () => ({ value: '1e3' }), 'terms_bounds'],
      ['of an unknown duration', () => ({ of: '77' }), 'not_found'],
      ['of an unknown part', () => ({ what: 'odds' }), 'bad_request'],
      ['for one user', () => ({ of: user.id }), 'bad_request'],
    ])('is refused: %s', async (_, change, code) => {
      expect((await announce(change())).body.code).toBe(code)
      expect(await shown(1)).toMatchObject({ profit_percentage: 80, changes: [] })
    })
  })

  it('one of two payouts announced at the same time is accepted, and a later announcement for the same start replaces it', async () => {
    const replies = await Promise.all([announce({}), announce({ value: '7000' })])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await announce({ value: '7500' })).status).toBe(200)
    expect((await shown(1))?.changes).toEqual([expect.objectContaining({ value: '7500' })])
  })

  it('the refusal of an outdated payout names the staff member whose announcement came first', async () => {
    const { newest_n: seen } = await state()
    await announce({})
    const reply = await announce({ seen_n: seen, value: '7000' }, await app.staff('owner'))
    expect(reply.body.message).toMatch(/^markets changed this while you were editing/)
  })

  it('cannot differ by user, because its tables have no column for a user, account or group', async () => {
    const { rows: columns } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name in ('terms_entry', 'trade_setting')`.execute(app.ctx.db)
    expect(columns.length).toBeGreaterThan(8)
    for (const { name } of columns) expect(name).not.toMatch(/user|account|group|delay/)
  })
})

describe('a duration', () => {
  it('appears once it is open and its payout and stakes are in force', async () => {
    const parts = [
      { what: 'duration', value: 'open' },
      { what: 'min_stake', value: '500' },
      { what: 'max_stake', value: '10000' },
    ]
    for (const part of parts) expect((await announce({ of: '600', ...part })).status).toBe(200)
    await app.passNotice()
    const id = (await rows()).find(({ seconds }) => seconds === 600)?.id ?? 0
    expect(id).toBeGreaterThan(1_000)
    expect(await shown(id)).toBeUndefined()
    expect((await rows()).find(({ seconds }) => seconds === 600)).toMatchObject({ is_open: true, is_offered: false })
    await announce({ of: '600', what: 'payout', value: '8250' })
    expect(await shown(id)).toBeUndefined()
    await app.passNotice()
    await speak()
    expect(await shown(id)).toMatchObject({ time: 600, min_amount: 5, max_amount: 100, profit_percentage: 82.5 })
    expect(await place({ tradeSettingId: id })).toMatchObject({ value: { payout: 8_250, seconds: 600 } })
  })

  it('disappears after the notice when staff withdraw it, and its open orders keep their expiry', async () => {
    const placed = await place()
    expect((await announce({ what: 'duration', value: 'withdrawn' })).status).toBe(200)
    expect((await shown(1))?.changes).toMatchObject([{ what: 'duration', value: 'withdrawn' }])
    expect(await place()).toMatchObject({ ok: true })
    await app.passNotice()
    await speak()
    expect(await place()).toMatchObject({ refusal: 'setting_unknown' })
    const open = await app.ctx.db.selectFrom('open_order').select(['seconds', 'expires_ms']).execute()
    expect(open[0]).toEqual({ seconds: 60, expires_ms: BigInt(placed.ok ? placed.value.expiresAt : 0) })
  })

  describe('with wrong input', () => {
    share()

    it.each([
      ['a minimum above the maximum', { what: 'min_stake', value: '500001' }, 'stakes_crossed'],
      ['a maximum below the minimum', { what: 'max_stake', value: '999' }, 'stakes_crossed'],
      ['a maximum above the ceiling', { what: 'max_stake', value: '1000001' }, 'terms_bounds'],
      ['a ceiling below a maximum', { what: 'ceiling', of: 'all', value: '499999' }, 'above_ceiling'],
      ['no stake', { what: 'min_stake', value: '0' }, 'terms_bounds'],
      ['9 seconds', { what: 'duration', of: '9', value: 'open' }, 'terms_bounds'],
      ['eight days', { what: 'duration', of: '691200', value: 'open' }, 'terms_bounds'],
      ['half a second', { what: 'duration', of: '60.5', value: 'open' }, 'bad_request'],
      ['a duration that is open', { what: 'duration', value: 'open' }, 'duration_known'],
      ['withdrawing an unknown duration', { what: 'duration', of: '61', value: 'withdrawn' }, 'not_found'],
      ['a notice below the floor', { what: 'notice', of: 'all', value: '59999' }, 'terms_bounds'],
      ['a notice of one symbol', { what: 'notice', of: 'BTC', value: '60000' }, 'not_found'],
      ['a price age of an unknown symbol', { what: 'max_tick_age', of: 'NOPE', value: '5000' }, 'not_found'],
    ])('refuses %s', async (_, change, code) => {
      const before = await state()
      expect((await announce(change)).body.code).toBe(code)
      expect(await state()).toEqual(before)
    })
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
    expect([await add(20), await add(0), await add(-1)]).toEqual([
      'amount_taken',
      'amount_not_positive',
      'amount_not_positive',
    ])
  })
})
