import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
})
afterEach(() => app.stop())

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

let orders = 0
async function place(direction: Direction, user = alice, { setting = 1, units = 10_000n } = {}) {
  orders += 1
  const placed = await app.engine.place({
    userId: user.id,
    clientOrderId: `order-${orders}`,
    direction,
    tradeSettingId: setting,
    stake: money(units),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  assert(placed.ok, `placed${placed.ok ? '' : `: ${placed.refusal}`}`)
  return placed.value
}

/** Lets the open orders, which last one minute, expire at the price `exit`. */
async function expireAt(exit: number): Promise<void> {
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak(exit)
  app.ctx.clock.advance(2_000)
  await speak(exit + 1)
  await app.engine.settleDue()
}

const read = async (id: string, token = alice.token) => app.call(calls.ownTrade, { token, params: { id } })

it('CA15: shows an order from acceptance to its result, with the ticks that decided it', async () => {
  await speak(9_400_000)
  const { orderId, trx, expiresAt } = await place(BUY)
  const open = (await read(orderId)).body.data
  expect(open.trade).toMatchObject({
    id: orderId,
    trx,
    symbol: 'BTC',
    high_low: 1,
    amount: 100,
    profit_percentage: 80,
    price_was: 94_000,
    post_trade_price: null,
    result: 0,
    result_amount: null,
    expires_at: new Date(expiresAt).toISOString(),
  })
  expect(open.ticks).toMatchObject({
    entry: { q: 1, price: 94_000, source: 'scripted' },
    exit: null,
    next: null,
    around: [],
  })

  await expireAt(9_400_001)
  const closed = (await read(trx.toLowerCase())).body.data
  expect(closed.trade).toMatchObject({ id: orderId, result: 1, result_amount: 80, post_trade_price: 94_000.01 })
  expect(closed.ticks).toMatchObject({ exit: { q: 2, price: 94_000.01 }, next: { q: 3, price: 94_000.02 } })
  expect(closed.ticks.around.map(({ q }) => q)).toEqual([2, 3])
  const profile = await app.call(calls.profile, { token: alice.token })
  expect(profile.body.data.user).toMatchObject({ balance: 1_080, staked: 0, open_orders: 0 })
})

it('CA15: names the source of an exit tick that is far before the expiry and of another source than the entry', async () => {
  const trade = async (units: number, source: string) => {
    const time = app.ctx.now()
    app.feed.trade(BTC, units, { time, source, ref: undefined })
    app.ctx.clock.advance(100)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
  }
  await forceTerms(database.db, [{ what: 'max_tick_age', of: 'BTC', value: '15000' }])
  await app.catalogue.reload()
  await trade(9_400_000, 'a')
  const { orderId } = await place(BUY)
  app.ctx.clock.advance(MINUTE_MS - 8_000)
  await trade(9_400_001, 'b')
  app.ctx.clock.advance(9_000)
  await trade(9_400_002, 'a')
  await app.engine.settleDue()
  const { ticks } = (await read(orderId)).body.data
  expect([ticks.entry.source, ticks.exit?.source, ticks.next?.source]).toEqual(['a', 'b', 'a'])
})

it('CA16: replies to the legacy path with the stored result, whatever price the request names', async () => {
  await speak(9_400_000)
  const { orderId } = await place(SELL)
  await expireAt(9_500_000)
  const body = { game_log_id: orderId, price: 1 }
  const { body: reply } = await app.call(calls.tradeResult, { token: alice.token, body })
  expect(reply.data.trade).toMatchObject({ result: 2, result_amount: -100, post_trade_price: 95_000 })
})

it('CA15: recent orders contain every open order, however many newer ones have ended, and the 50 that ended last', async () => {
  await speak(9_400_000)
  const { trade_settings: settings } = (await app.call(calls.currencyList, { token: alice.token })).body.data
  const longer = settings.find(({ time }) => time > 60)
  assert(longer, 'an expiry of more than 60 s')
  const old = await place(BUY, alice, { setting: longer.id, units: BigInt(longer.min_amount * 100) })
  for (let n = 0; n < 51; n += 1) await place(SELL, alice, { units: 1_000n })
  await expireAt(9_400_001)
  const { trades } = (await app.call(calls.recentTrades, { token: alice.token })).body.data
  expect(trades).toHaveLength(51)
  expect(trades.at(-1)).toMatchObject({ id: old.orderId, result: 0 })
})

it('hides orders from other users', async () => {
  await speak(9_400_000)
  const { orderId, trx } = await place(BUY)
  const bob = await app.verifiedUser('bob')
  for (const id of [orderId, trx, orderId.toUpperCase(), "' or 1=1 --", 'FW-0000-0000-0000', '0'.repeat(36)]) {
    const { status, body } = await read(id, bob.token)
    expect([status, body.code], id).toEqual([404, 'not_found'])
    const older = await app.call(calls.tradeResult, { token: bob.token, body: { game_log_id: id } })
    expect([older.status, older.body.code], id).toEqual([404, 'not_found'])
  }
  for (const call of [calls.recentTrades, calls.pendingTransactions, calls.closedTransactions]) {
    const { body } = await app.call(call, { token: bob.token })
    expect(Object.values(body.data)).toEqual([[]])
  }
})

describe('P16: the ticks around an order', () => {
  const around = async (id: string, query: { from?: number } = {}, token = alice.token) =>
    app.call(calls.tradeTicks, { token, params: { id }, query })

  it('P16: include each tick from 25 % of the duration before the entry up to the watermark', async () => {
    await speak(9_399_990)
    app.ctx.clock.advance(900)
    await speak(9_400_000)
    const { orderId, trx } = await place(BUY)
    app.ctx.clock.advance(3_000)
    await speak(9_400_010)
    const { from_ms, through_ms, ticks } = (await around(orderId)).body.data
    expect(ticks.map(({ price }) => price)).toEqual([93_999.9, 94_000, 94_000.1])
    expect(through_ms).toBe(ticks.at(-1)?.time_ms)
    const { openedAt } =
      (await app.ctx.db.selectFrom('open_order').select('opened_ms as openedAt').executeTakeFirst()) ?? {}
    expect(from_ms).toBe(Number(openedAt) - 15_000)

    app.ctx.clock.advance(2_000)
    app.feed.heartbeat(BTC, app.ctx.now())
    await speak(9_400_011)
    const more = (await around(trx, { from: through_ms })).body.data
    expect(more).toMatchObject({ from_ms: through_ms, ticks: [{ price: 94_000.1 }, { price: 94_000.11 }] })
    expect((await around(orderId, { from: 8e15 })).body.data.ticks).toEqual([])
  })

  it('P16: end shortly after its expiry, even when a longer span is requested', async () => {
    await speak(9_400_000)
    const { orderId, expiresAt } = await place(BUY)
    await expireAt(9_400_001)
    app.ctx.clock.advance(MINUTE_MS)
    await speak(9_900_000)
    const { through_ms, ticks } = (await around(orderId)).body.data
    expect(through_ms).toBe(expiresAt + 15_000)
    expect(ticks.map(({ price }) => price)).toEqual([94_000, 94_000.01, 94_000.02])
  })

  it('P16: are refused to other users, for a negative start, and above the rate limit', async () => {
    await speak(9_400_000)
    const { orderId } = await place(BUY)
    const bob = await app.verifiedUser('bob')
    expect((await around(orderId, {}, bob.token)).status).toBe(404)
    expect((await around(orderId, { from: -1 })).status).toBe(422)
    const answers = await Promise.all(Array.from({ length: 30 }, async () => (await around(orderId)).status))
    expect(new Set(answers)).toEqual(new Set([200, 429]))
  })
})

describe('P18: the tick after the expiry', () => {
  it('P18: is the same in the order panel and in the receipt check, even when a heartbeat decided the price', async () => {
    await speak(9_400_000)
    const { orderId, trx, expiresAt } = await place(BUY)
    app.ctx.clock.advance(MINUTE_MS - 1_000)
    await speak(9_400_050)
    app.ctx.clock.advance(2_000)
    app.feed.heartbeat(BTC, app.ctx.now())
    app.ctx.clock.advance(100)
    await vi.waitFor(() => expect(app.ticks.watermark(BTC)).toBeGreaterThan(expiresAt))
    await app.engine.settleDue()
    await app.receipts.idle()
    const shown = async () => {
      const { next } = (await read(orderId)).body.data.ticks
      const evidence = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
      return [next && { q: next.q, price: next.price, time_ms: next.time_ms }, evidence.next]
    }
    expect(await shown()).toEqual([null, null])
    await speak(9_400_077)
    const [inPanel, inCheck] = await shown()
    expect(inPanel).toMatchObject({ q: 3, price: 94_000.77 })
    expect(inCheck).toEqual(inPanel)
  })
})

describe('the order lists', () => {
  it('list open orders by expiry, settled orders by settlement, and recent orders newest first', async () => {
    await speak(9_400_000)
    const first = await place(BUY)
    await expireAt(9_399_999)
    await speak(9_400_000)
    const second = await place(SELL)
    app.ctx.clock.advance(1_500)
    await speak(9_400_000)
    const third = await place(BUY)

    const recent = await app.call(calls.recentTrades, { token: alice.token })
    expect(recent.body.data.trades.map(({ id }) => id)).toEqual([third.orderId, second.orderId, first.orderId])
    const pending = await app.call(calls.pendingTransactions, { token: alice.token })
    expect(pending.body.data.transactions.map(({ id, remainingTime }) => [id, remainingTime])).toEqual([
      [second.orderId, -59],
      [third.orderId, -60],
    ])
    const closed = await app.call(calls.closedTransactions, { token: alice.token })
    expect(closed.body.data.transactions).toMatchObject([
      {
        id: first.orderId,
        amount: 100,
        remainingTime: 0,
        trade_log: { result: 2, result_amount: -100, profitCame: 80 },
      },
    ])
    expect((await app.call(calls.profile, { token: alice.token })).body.data.user).toMatchObject({
      balance: 700,
      staked: 200,
      open_orders: 2,
    })
  })

  it('return one page at a time', async () => {
    await speak(9_400_000)
    for (let turn = 0; turn < 5; turn += 1) await place(BUY)
    const page = async (number: number) =>
      (await app.call(calls.pendingTransactions, { token: alice.token, query: { page: number, per_page: 2 } })).body
    expect((await page(1)).meta).toEqual({ page: 1, per_page: 2, total: 5, pages: 3 })
    const ids = [
      ...(await page(1)).data.transactions,
      ...(await page(2)).data.transactions,
      ...(await page(3)).data.transactions,
    ]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(5)
    await expireAt(9_400_000)
    const closed = await app.call(calls.closedTransactions, { token: alice.token, query: { page: 3, per_page: 2 } })
    expect(closed.body.meta).toMatchObject({ total: 5 })
    expect(closed.body.data.transactions).toHaveLength(1)
    expect(closed.body.data.transactions[0]?.trade_log).toMatchObject({ result: 3, result_amount: 0 })
  })

  it('return only closed orders with the wanted outcome, and count only those', async () => {
    await speak(9_400_000)
    const won = await place(BUY)
    const lost = await place(SELL)
    await expireAt(9_400_100)
    await speak(9_400_000)
    const draw = await place(BUY)
    await expireAt(9_400_000)
    const withOutcome = async (outcome: string) => {
      const query = { outcome: outcome as 'won', page: 1, per_page: 10 }
      const { status, body } = await app.call(calls.closedTransactions, { token: alice.token, query })
      return status === 200 ? [body.meta?.total, ...body.data.transactions.map(({ id }) => id)] : status
    }
    expect(await withOutcome('won')).toEqual([1, won.orderId])
    expect(await withOutcome('lost')).toEqual([1, lost.orderId])
    expect(await withOutcome('draw')).toEqual([1, draw.orderId])
    expect(await withOutcome('void')).toEqual([0])
    expect(await withOutcome('sold')).toEqual([0])
    expect(await withOutcome('5')).toBe(422)
  })
})

it('CA14: shows every visitor the newest orders of a symbol with masked names, bots marked', async () => {
  await database.asOwner((owner) =>
    owner.updateTable('app_user').set({ is_bot: true }).where('username', '=', 'alice').execute(),
  )
  await speak(9_400_000)
  await place(BUY)
  await expireAt(9_400_000)
  await speak(9_410_000)
  await place(SELL)
  const latest = async (body: { currency: string | number; count?: number; price?: string }) =>
    (await app.call(calls.latestTrades, { body })).body.data.trades
  expect(await latest({ currency: 'btcusdt', price: 'ignored' })).toMatchObject([
    { user: 'a•••e', is_bot: true, price: 94_100, time: 60, unit: 'minute', direction: 2 },
    { user: 'a•••e', price: 94_000, direction: 1 },
  ])
  const newest = await app.call(calls.latestTrades, { body: { currency: BTC, count: 1 } })
  expect(newest.body.data.trades).toHaveLength(1)
  const [, older] = await latest({ currency: BTC })
  expect(newest.body.data.older_id, 'F54: what comes before is named').toBe(older?.id)
  expect((await app.call(calls.latestTrades, { body: { currency: BTC } })).body.data.older_id).toBeNull()
  expect(await latest({ currency: 'ETH' })).toEqual([])
  const unknown = await app.call(calls.latestTrades, { body: { currency: 'NOPE' } })
  expect([unknown.status, unknown.body.errors]).toEqual([422, { currency: ['This symbol is not listed'] }])
})
