import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

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
  },
  end: () => app.stop(),
})

const NEW = {
  code: 'SUI',
  name: 'Sui',
  market_type: 'crypto',
  decimals: 4,
  max_tick_age_ms: 5_000,
  source: 'scripted',
} as const
const add = (change: object = {}) => markets.call(staffCalls.staffAddSymbol, { body: { ...NEW, ...change } })
const read = async (code: string) => (await markets.call(staffCalls.staffSymbol, { params: { code } })).body.data
const listed = async (code: string) =>
  (await app.call(calls.currencyList)).body.data.currencies.find(({ symbol }) => symbol === code)

async function edit(code: string, change: object, version?: number) {
  const { name, is_featured, color, decimals, sort, version: stored } = await read(code)
  const body = { name, is_featured, color, decimals, sort, version: version ?? stored }
  return markets.call(staffCalls.staffEditSymbol, { params: { code }, body: { ...body, ...change } })
}

/** Announces trade terms of a symbol that apply as soon as the notice is over. */
async function announce(what: 'symbol' | 'max_tick_age', of: string, value: string) {
  const { newest_n: seen } = (await markets.call(staffCalls.staffTermsState)).body.data
  return markets.call(staffCalls.staffAnnounceTerms, { body: { what, of, value, applies_at: null, seen_n: seen } })
}

async function idOf(code: string): Promise<number> {
  const { id } = await app.ctx.db
    .selectFrom('market_symbol')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  return id
}

/** Sends a price and waits until it is the symbol's latest tick. */
async function speak(code: string, units: number): Promise<void> {
  const id = await idOf(code)
  const time = app.ctx.now()
  app.feed.tick(id, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(id)?.time).toBe(time))
}

let orders = 0
const place = (symbol: string, tradeSettingId = 1) => {
  orders += 1
  return app.engine.place({
    userId: user.id,
    clientOrderId: `order-${orders}`,
    direction: 1,
    tradeSettingId,
    stake: money(10_000n),
    symbol,
    marketType: null,
    slippageGuard: null,
  })
}

describe('a new symbol', () => {
  it('appears after the notice, with prices from the beginning, and accepts orders that settle', async () => {
    const listedFrom = toIso(later(app.ctx.now(), MINUTE_MS + 5 * SECOND_MS))
    expect((await add({ is_featured: true, color: '#4da2ff' })).body.data).toEqual({
      code: 'SUI',
      listed_from: listedFrom,
    })
    expect(await listed('SUI')).toBeUndefined()
    await speak('SUI', 31_000)
    await app.passNotice()
    expect(app.ctx.announced).toContainEqual({ kind: 'markets-changed' })
    expect(await listed('SUI')).toMatchObject({ product_id: 'SUIUSDT', decimals: 4, is_featured: true, price: 3.1 })
    await speak('SUI', 31_234)
    expect(await listed('SUI')).toMatchObject({ price: 3.1234, is_open: true })
    expect(await place('SUI')).toMatchObject({ ok: true, value: { entryPrice: 31_234 } })
    app.ctx.clock.advance(MINUTE_MS - SECOND_MS)
    await speak('SUI', 31_300)
    app.ctx.clock.advance(2 * SECOND_MS)
    await speak('SUI', 31_301)
    await app.engine.settleDue()
    expect(app.ctx.announced).toContainEqual(
      expect.objectContaining({ kind: 'order-settled', order: expect.objectContaining({ result: 1 }) }),
    )
  })

  it('appears last in the list, with its own id and an audit entry', async () => {
    await add()
    await add({ code: 'APT', name: 'Aptos' })
    expect([await idOf('SUI'), await idOf('APT')]).toEqual([10_001, 10_002])
    const { rows } = (await markets.call(staffCalls.staffSymbols, { query: { market_type: 'crypto', limit: 100 } }))
      .body.data
    expect(rows.slice(-2).map(({ code }) => code)).toEqual(['SUI', 'APT'])
    const action = await app.ctx.db
      .selectFrom('admin_action')
      .selectAll()
      .where('target', '=', 'SUI')
      .executeTakeFirst()
    expect(action).toMatchObject({
      who: 'markets',
      after: expect.objectContaining({ code: 'SUI', source: 'scripted' }),
    })
  })

  describe('with wrong input', () => {
    share()

    it.each<[string, object, string]>([
      ['a code that is there', { code: 'btc' }, 'symbol_taken'],
      ['the exchanges’ name of another', { code: 'BTCUSDT', market_type: 'us_stocks' }, 'symbol_taken'],
      ['another source', { source: 'replay' }, 'source_unknown'],
      ['what the source does not know', { code: 'NOPRICE' }, 'source_unknown'],
      ['a pair that is none', { code: 'EUR', market_type: 'us_fx' }, 'pair_code'],
      ['a price age of 91 s', { max_tick_age_ms: 91_000 }, 'terms_bounds'],
      ['too many decimals', { decimals: 9 }, 'bad_request'],
      ['a code with signs', { code: 'A/B' }, 'bad_request'],
      ['a colour that is none', { color: 'red' }, 'bad_request'],
    ])('is refused: %s', async (_, change, code) => {
      const before = (await app.call(calls.currencyList)).body.data.currencies.length
      expect((await add(change)).body.code).toBe(code)
      expect((await app.call(calls.currencyList)).body.data.currencies).toHaveLength(before)
    })
  })

  it('exists once after two staff members add it at the same time', async () => {
    const replies = await Promise.all([add(), add()])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })
})

describe('an edit of a symbol', () => {
  it('applies immediately', async () => {
    expect((await edit('BTC', { name: 'Bit Coin', is_featured: false, color: '#112233', sort: 0 })).status).toBe(200)
    expect((await app.call(calls.currencyList)).body.data.currencies[0]).toMatchObject({
      symbol: 'BTC',
      name: 'Bit Coin',
      is_featured: false,
      color: '#112233',
    })
  })

  it('an edit of a symbol is refused after another edit, and the refusal names the editor and the changed fields', async () => {
    await edit('BTC', { name: 'First' })
    const { status, body } = await edit('BTC', { name: 'Second' }, 1)
    expect([status, body.code, body.message]).toEqual([
      409,
      'changed_meanwhile',
      expect.stringMatching(/^You changed this yourself .*\(Name\)/),
    ])
    expect((await read('BTC')).name).toBe('First')
  })

  it('cannot change the decimals', async () => {
    const { body } = await edit('BTC', { decimals: 3 })
    expect([body.code, Object.keys(body.errors ?? {})]).toEqual(['decimals_fixed', ['decimals']])
  })
})

describe('the trade terms of a symbol', () => {
  it('can remove the symbol from the list, and its open orders still settle as usual', async () => {
    await speak('BTC', 9_400_000)
    const fiveMinutes = 2
    await place('BTC', fiveMinutes)
    await announce('symbol', 'BTC', 'closing')
    expect(await listed('BTC')).toMatchObject({ is_open: true })
    await app.passNotice()
    await speak('BTC', 9_400_000)
    expect(await listed('BTC')).toBeUndefined()
    expect(await read('BTC')).toMatchObject({ is_listed: false })
    expect(await place('BTC')).toMatchObject({ refusal: 'symbol_unknown' })
    app.ctx.clock.advance(4 * MINUTE_MS - 6 * SECOND_MS)
    await speak('BTC', 9_500_000)
    app.ctx.clock.advance(2 * SECOND_MS)
    await speak('BTC', 9_500_001)
    await app.engine.settleDue()
    const [settled] = await app.ctx.db.selectFrom('order_history').select('result').execute()
    expect(settled).toEqual({ result: 1 })
  })

  it('with a new maximum price age apply it only to expiries that no order placed before can have', async () => {
    const announcedAt = app.ctx.now()
    const { applies_at: appliesAt } = (await announce('max_tick_age', 'BTC', '3000')).body.data
    expect(Date.parse(appliesAt)).toBe(later(announcedAt, MINUTE_MS + 5 * SECOND_MS))
    await speak('BTC', 9_400_000)
    expect(app.catalogue.byId(1)?.maxTickAgeMs).toBe(5_000)
    await app.passNotice()
    expect(app.catalogue.byId(1)?.maxTickAgeMs).toBe(3_000)
    // The longest duration is one day. So an order placed just before the change can expire up to one day after it.
    const lastBefore = later(announcedAt, MINUTE_MS + 5 * SECOND_MS + DAY_MS)
    expect(app.catalogue.tickAgeAt(1, lastBefore)).toBe(5_000)
    expect(app.catalogue.tickAgeAt(1, instant(lastBefore + 1))).toBe(3_000)
  })

  it('settle an order by the maximum price age that was in force at its opening, even when a lower maximum follows', async () => {
    await announce('max_tick_age', 'BTC', '3000')
    await app.publishTerms()
    app.ctx.clock.jump(30 * SECOND_MS)
    await speak('BTC', 9_400_000)
    await place('BTC')
    // This price is 4 s old at the expiry: too old by the new maximum of 3 s, but not by the maximum of 5 s at the
    // order's opening.
    app.ctx.clock.advance(MINUTE_MS - 4 * SECOND_MS - 100)
    await speak('BTC', 9_500_000)
    app.ctx.clock.advance(5 * SECOND_MS)
    // Runs a settlement round now, because a round that started before the clock advanced would be late by 5 s.
    await app.engine.settleDue()
    expect(await place('BTC')).toMatchObject({ refusal: 'price_stale' })
    await speak('BTC', 9_300_000)
    await app.engine.settleDue()
    const columns = ['result', 'void_reason', 'max_tick_age_ms'] as const
    const [settled] = await app.ctx.db.selectFrom('order_history').select(columns).execute()
    expect(settled).toEqual({ result: 1, void_reason: null, max_tick_age_ms: 5_000 })
  })
})

describe('closing a symbol', () => {
  const close = (code: string, words: string, version: number) =>
    markets.call(staffCalls.staffCloseSymbol, { params: { code }, body: { version, words } })

  it('refuses new orders with a reason for users until it is opened', async () => {
    await speak('BTC', 9_400_000)
    expect((await close('BTC', 'Halted by the exchange', 1)).status).toBe(200)
    expect(await listed('BTC')).toMatchObject({ is_open: false, closed_reason: 'Halted by the exchange' })
    expect(await place('BTC')).toMatchObject({ refusal: 'symbol_closed', params: { reason: 'Halted by the exchange' } })
    expect(await read('BTC')).toMatchObject({ is_open: false, closed_by: 'symbol', version: 2 })
    await markets.call(staffCalls.staffOpenSymbol, { params: { code: 'BTC' }, body: { version: 2 } })
    expect(await place('BTC')).toMatchObject({ ok: true })
  })

  describe('with wrong input', () => {
    share()

    it.each([
      ['no words', 'BTC', ' ', 1, 'words_needed'],
      ['an old version', 'BTC', 'Halted', 7, 'changed_meanwhile'],
      ['no such symbol', 'NOPE', 'Halted', 1, 'not_found'],
    ] as const)('is refused: %s', async (_, code, words, version, refusal) => {
      expect((await close(code, words, version)).body.code).toBe(refusal)
      expect(await listed('BTC')).toMatchObject({ closed_reason: null })
    })
  })
})

describe("a symbol's picture", () => {
  const send = async (version: number, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('version', String(version))
    form.set('picture', new Blob([new Uint8Array(bytes)]), 'logo.png')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    return app.inject({
      method: 'POST',
      url: '/api/admin/markets/symbols/BTC/picture',
      headers: { cookie: markets.cookie, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
  }
  const png = () =>
    sharp({ create: { width: 900, height: 600, channels: 3, background: '#f7931a' } })
      .png()
      .toBuffer()

  it('the picture of a symbol is resized to 128 pixels and served to every caller', async () => {
    expect((await send(1, await png())).status).toBe(200)
    const { image_path: folder, currencies } = (await app.call(calls.currencyList)).body.data
    const image = currencies.find(({ symbol }) => symbol === 'BTC')?.image
    assert(image, 'it has a picture')
    const served = await app.http.inject({ method: 'GET', url: `${folder}${image}` })
    expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 128 })
    await markets.call(staffCalls.staffSymbolPicture, { params: { code: 'BTC' }, body: { version: 2 } })
    expect((await listed('BTC'))?.image).toBe('')
  })

  it('a picture is refused when the file is no picture, or the sent version of the symbol is outdated', async () => {
    expect((await send(1, Buffer.from('<svg onload="alert(1)"/>'))).body.code).toBe('file_type')
    expect((await send(9, await png())).body.code).toBe('changed_meanwhile')
    expect((await listed('BTC'))?.image).toBe('')
    expect((await app.http.inject({ method: 'GET', url: '/images/symbols/../../etc/passwd' })).statusCode).toBe(404)
  })
})
