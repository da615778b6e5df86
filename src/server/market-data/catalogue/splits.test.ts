import { describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { readCivilDay } from '#core/markets/calendar/civil-day.ts'
import { splitTakesEffectAt } from '#core/markets/splits/splits.ts'
import { DAY_MS, HOUR_MS, type Instant, instant, later, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import { seed } from '#server/seed/seed.ts'
import { parseSplits, readShippedSplits } from '#server/seed/seed-splits.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

const TSLA = 107

let app: TestApp
let markets: StaffSession
let user: TestUser
/** The trading day of the split, the moment it takes effect, and the close of the session before. */
let day: string
let effectiveAt: Instant
let closesAt: Instant

const { share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    await app.startMarkets()
    markets = await app.staff('markets')
    user = await app.verifiedUser('alice')
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
    ;({ day, effectiveAt, closesAt } = nextSplit())
  },
  end: () => app.stop(),
})

function dayOf(text: string): number {
  const read = readCivilDay(text)
  if (read === null) throw new Error(`no day: ${text}`)
  return read
}

/** A trading day at least ten days away that follows a full trading day. */
function nextSplit() {
  for (let at = later(app.ctx.now(), 10 * DAY_MS); ; at = later(at, DAY_MS)) {
    const text = toIso(at).slice(0, 10)
    const opens = splitTakesEffectAt(dayOf(text))
    const before = splitTakesEffectAt(dayOf(text) - 1)
    if (opens === null || before === null || opens - before !== DAY_MS) continue
    return { day: text, effectiveAt: opens, closesAt: later(before, 6.5 * HOUR_MS) }
  }
}

async function speak(units: number, at: Instant): Promise<void> {
  if (at > app.ctx.now()) app.ctx.clock.jump(at - app.ctx.now())
  app.feed.tick(TSLA, units, at)
  await vi.waitFor(() => {
    app.ctx.clock.advance(100)
    expect(app.ticks.latest(TSLA)?.time).toBe(at)
  })
}

const announce = (change: object = {}, code = 'TSLA') =>
  markets.call(staffCalls.staffAnnounceSplit, {
    params: { code },
    body: { split_version: 0, trading_day: day, new_shares: 3, old_shares: 1, source: 'ir.example.com', ...change },
  })
const item = async () => (await app.call(calls.currencyList)).body.data.currencies.find(({ id }) => id === TSLA)
const listed = async () => (await markets.call(staffCalls.staffSplits, { query: { code: 'TSLA' } })).body.data.rows
const place = (seconds: number) => {
  const setting = app.catalogue.settings.find((one) => one.seconds === seconds)
  return app.engine.place({
    userId: user.id,
    clientOrderId: `order-${app.ctx.newId()}`,
    direction: 1,
    tradeSettingId: setting?.id ?? 0,
    stake: money(10_000n),
    symbol: 'TSLA',
    marketType: null,
    slippageGuard: null,
  })
}

describe('an announced split', () => {
  it('P7: puts list, tick and ticker figures on one basis from its first price on', async () => {
    expect((await announce()).body.data).toEqual({ split_version: 1, effective_at: toIso(effectiveAt) })
    await speak(89_355, later(closesAt, -2 * HOUR_MS))
    await speak(91_500, later(closesAt, -HOUR_MS))
    await speak(89_129, later(closesAt, -MINUTE_MS))
    // At the opening the last price is still on the old basis, and all figures agree.
    expect(await item()).toMatchObject({ price: 891.29, open: 893.55, change: -0.253, high: 915 })
    await speak(30_236, effectiveAt)
    await speak(29_900, later(effectiveAt, 5 * SECOND_MS))
    // 893.55 / 3, 915.00 / 3 and 891.29 / 3, to the cent.
    const figures = { price: 299, open: 297.85, change: 0.386, high: 305, low: 297.1 }
    await vi.waitFor(async () => expect(await item()).toMatchObject(figures))
    const shown = await item()
    expect(Math.max(...(shown?.spark ?? []).map((close) => close ?? 0))).toBeLessThan(306)
    expect(app.ticks.quote(TSLA)?.open).toBe(29_785)
    const rows = (await app.call(calls.klineHistorical, { body: { symbol: 'TSLA', interval: '1m' } })).body.data
    expect(rows.map(([, open]) => open)).toEqual([893.55, 915, 891.29, 302.36])
  })

  it('P7: is shown to all users at once, and open pages get an event at its first price', async () => {
    await announce()
    expect(app.ctx.announced).toContainEqual({ kind: 'markets-changed' })
    expect((await item())?.splits.at(-1)).toEqual({ new_shares: 3, old_shares: 1, applies_at: effectiveAt })
    await speak(89_129, later(closesAt, -MINUTE_MS))
    // The market closes, opens, and has its first price.
    for (const at of [later(closesAt, HOUR_MS), later(effectiveAt, MINUTE_MS)]) {
      app.ctx.announced.length = 0
      app.ctx.clock.jump(at - app.ctx.now())
      await expectAnnounced()
    }
    app.ctx.announced.length = 0
    await speak(29_900, app.ctx.now())
    await expectAnnounced()
  })

  it('P7: refuses an order that would span it, and settles orders on either side normally', async () => {
    await announce()
    await speak(89_129, later(closesAt, -HOUR_MS))
    expect(await place(86_400)).toMatchObject({ ok: false, refusal: 'spans_split', params: { symbol: 'TSLA' } })
    const before = await place(60)
    expect(before).toMatchObject({ ok: true, value: { entryPrice: 89_129 } })
    await speak(89_200, later(app.ctx.now(), 50 * SECOND_MS))
    await speak(89_300, later(app.ctx.now(), 12 * SECOND_MS))
    await app.engine.settleDue()
    await speak(30_236, effectiveAt)
    const after = await place(60)
    expect(after).toMatchObject({ ok: true, value: { entryPrice: 30_236 } })
    const history = await app.ctx.db.selectFrom('order_history').select(['exit_price', 'result_amount']).execute()
    expect(history).toEqual([{ exit_price: 89_200n, result_amount: 8_000n }])
  })

  it('P7: is in the audit log, and only a later version replaces or withdraws it', async () => {
    await announce()
    expect((await announce()).body).toMatchObject({ code: 'changed_meanwhile' })
    expect((await announce({ split_version: 1, new_shares: 5 })).body.data).toMatchObject({ split_version: 2 })
    expect((await item())?.splits.at(-1)).toMatchObject({ new_shares: 5, old_shares: 1 })
    await announce({ split_version: 2, new_shares: 1 })
    expect((await item())?.splits.map(({ applies_at: at }) => at)).not.toContain(effectiveAt)
    expect((await listed()).map(({ version, state, who }) => [version, state, who])).toEqual([
      [3, 'withdrawn', 'markets'],
      [2, 'replaced', 'markets'],
      [1, 'replaced', 'markets'],
      [0, 'in-force', ''],
      [0, 'in-force', ''],
    ])
    const lines = await app.ctx.db
      .selectFrom('admin_action')
      .select(['who', 'after'])
      .where('target', '=', `split of TSLA on ${day}`)
      .where('outcome', '=', 'done')
      .orderBy('seq')
      .execute()
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatchObject({ who: 'markets', after: { version: 1, new_shares: 3, old_shares: 1 } })
    const csv = await markets.read('/admin/markets/splits.csv')
    expect(csv.text).toContain(`TSLA,${day},3,1,1,withdrawn`)
  })

  it('P7: is announced once when two staff members announce it concurrently', async () => {
    const replies = await Promise.all([announce(), announce({ new_shares: 5 })])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  const versions = () => app.ctx.db.selectFrom('stock_split').select('version').execute()

  it.each([
    ['inside the notice', () => later(effectiveAt, -MINUTE_MS + 1)],
    ['when it has taken effect', () => effectiveAt],
  ])('P7: is refused %s and changes nothing', async (_, at) => {
    await jumpTo(at())
    const before = await versions()
    expect((await announce()).body.code).toBe('split_too_soon')
    expect(await versions()).toEqual(before)
  })

  describe('with wrong input', () => {
    share()

    it.each<[string, object, string | undefined, string]>([
      ['of years ago', { trading_day: '2022-08-25' }, undefined, 'split_too_soon'],
      ['on a day without a session', { trading_day: '2027-01-02' }, undefined, 'split_no_session'],
      ['on a day that does not exist', { trading_day: '2027-02-30' }, undefined, 'bad_request'],
      ['in a year', { trading_day: '2030-01-02' }, undefined, 'split_too_late'],
      ['of a currency', {}, 'EURUSD', 'split_not_stock'],
      ['of a coin', {}, 'BTC', 'split_not_stock'],
      ['of a symbol that is not there', {}, 'NONE', 'not_found'],
      ['of no shares', { new_shares: 0 }, undefined, 'bad_request'],
      ['of half a share', { new_shares: 1.5 }, undefined, 'bad_request'],
      ['of more shares than any split has', { new_shares: 10_001 }, undefined, 'bad_request'],
      ['without a source', { source: ' ' }, undefined, 'bad_request'],
    ])('P7: is refused %s and changes nothing', async (_, change, code, refusal) => {
      const before = await versions()
      expect((await announce(change, code)).body.code).toBe(refusal)
      expect(await versions()).toEqual(before)
    })
  })

  it('P7: is refused for simulated prices, which shipped splits do not change either', async () => {
    await app.ctx.db.updateTable('market_symbol').set({ source: 'synthetic' }).where('id', '=', TSLA).execute()
    expect((await announce()).body.code).toBe('split_simulated')
    await app.catalogue.reload()
    expect((await item())?.splits).toEqual([])
  })

  it('P7: needs the permission for markets', async () => {
    const finance = await app.staff('finance')
    const body = { split_version: 0, trading_day: day, new_shares: 3, old_shares: 1, source: 'x' }
    expect((await finance.call(staffCalls.staffAnnounceSplit, { params: { code: 'TSLA' }, body })).status).toBe(403)
  })

  /** Jumps to a time after the previous session. */
  async function jumpTo(at: Instant): Promise<void> {
    app.ctx.clock.jump(at - app.ctx.now())
    markets = await app.staff('markets')
  }

  async function expectAnnounced(): Promise<void> {
    await vi.waitFor(() => {
      app.ctx.clock.advance(SECOND_MS)
      expect(app.ctx.announced).toContainEqual({ kind: 'markets-changed' })
    })
  }
})

describe('the shipped splits', () => {
  it('P7: belong to listed stocks and apply from the opening of their trading day', async () => {
    expect((await item())?.splits).toEqual([
      { new_shares: 5, old_shares: 1, applies_at: Date.UTC(2020, 7, 31, 13, 30) },
      { new_shares: 3, old_shares: 1, applies_at: Date.UTC(2022, 7, 25, 13, 30) },
    ])
    const codes = new Set(app.catalogue.symbols.map(({ code }) => code))
    expect(readShippedSplits().filter(({ code }) => !codes.has(code))).toEqual([])
  })

  it('P7: rank below an announced split of the same day, also after a restart', async () => {
    const row = { symbol_id: TSLA, trading_day: dayOf('2022-08-25'), version: 1, new_shares: 1, old_shares: 1 }
    const times = { effective_ms: BigInt(Date.UTC(2022, 7, 25, 13, 30)), announced_ms: 1n, source: 's', who: 'w' }
    await app.ctx.db
      .insertInto('stock_split')
      .values({ ...row, ...times })
      .execute()
    const passwords = createPasswords((count) => app.ctx.randomBytes(count))
    await seed({ ctx: app.ctx, passwords, mode: 'live', feed: app.feed })
    await app.catalogue.reload()
    expect((await item())?.splits.map(({ new_shares: shares }) => shares)).toEqual([5])
  })

  describe('in a wrong file', () => {
    share()

    it.each([
      ['another head', 'a,b'],
      ['no session that day', 'TSLA,2022-08-27,3,1'],
      ['no ratio', 'TSLA,2022-08-25,3,3'],
      ['a fraction', 'TSLA,2022-08-25,1.5,1'],
      ['a day that does not exist', 'TSLA,2022-13-41,3,1'],
      ['31 February', 'TSLA,2022-02-31,3,1'],
    ])('P7: are refused when a line contains %s', (_, line) => {
      const text = line === 'a,b' ? line : `symbol,trading_day,new_shares,old_shares\n${line}\n`
      expect(() => parseSplits(text)).toThrow(/^assertion failed: data\/splits\/us-stocks\.csv/)
    })
  })
})

it('P7: a split takes effect at the opening of the session of its day, also in summer time', () => {
  expect(splitTakesEffectAt(dayOf('2024-06-10'))).toBe(instant(Date.UTC(2024, 5, 10, 13, 30)))
  expect(splitTakesEffectAt(dayOf('2024-12-10'))).toBe(instant(Date.UTC(2024, 11, 10, 14, 30)))
  expect(splitTakesEffectAt(dayOf('2024-12-25'))).toBeNull()
})
