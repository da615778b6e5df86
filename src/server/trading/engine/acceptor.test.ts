import { beforeEach, describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { type Instant, later } from '#core/time/instant.ts'
import { Acceptor, type AcceptorOptions } from '#server/trading/engine/acceptor.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import type { OrderRequest } from '#server/trading/engine/engine.ts'
import type { SuspectReason } from '#server/market-data/feeds/base/feed.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { capGate } from '#test/support/caps.ts'
import { AAPL, BTC, ONE_DAY, createFundedUser, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { setRights } from '#test/support/set-rights.ts'
import { TEST_START, type TestContext, createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
const HEAD = { lastSeq: 4_321, hash: GENESIS_HASH }
let newest: Map<number, Tick>
let doubts: Map<number, SuspectReason>
let late: Map<number, number>
let waiting: Map<number, Instant>
beforeEach(async () => {
  ctx = createTestContext(database.db)
  doubts = new Map()
  late = new Map()
  waiting = new Map()
  newest = new Map([BTC, AAPL].map(({ id }) => [id, tickOf(id)]))
})

const tickOf = (symbolId: number, change: Partial<Tick> = {}): Tick => ({
  seq: 7,
  symbolId,
  price: price(6_728_410),
  volume: volume(0),
  time: TEST_START,
  receivedAt: TEST_START,
  source: 'scripted',
  ...change,
})
const acceptor = (change: Partial<AcceptorOptions> = {}) =>
  new Acceptor({
    ctx,
    store: createEngineStore(ctx),
    ticks: {
      latest: (symbolId) => newest.get(symbolId) ?? null,
      doubt: (symbolId) => doubts.get(symbolId) ?? null,
      head: () => HEAD,
      feedDelayMs: (symbolId) => late.get(symbolId) ?? 0,
      waitingSince: (symbolId) => waiting.get(symbolId) ?? null,
    },
    catalogue: fixedCatalogue(),
    caps: capGate(ctx),
    lanes: Math.min(2, database.connections),
    maxBatchSize: 500,
    maxQueueLength: 5_000,
    maxOpenOrders: 100,
    closed: () => null,
    onAccepted: () => {},
    onBatch: () => {},
    ...change,
  })
let requestCount = 0
const request = (userId: string, change: Partial<OrderRequest> = {}): OrderRequest =>
  orderRequest(userId, `client-${(requestCount += 1)}`, { symbol: 'btc', marketType: 'crypto', ...change })
const cashOf = async (userId: string) =>
  await ctx.db
    .selectFrom('balance')
    .select(['cash', 'staked', 'open_orders'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
const openOrders = async () => (await ctx.db.selectFrom('open_order').selectAll().execute()).length

describe('an accepted order', () => {
  it('freezes the terms, the newest tick and the expiry, and moves the stake', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const answer = await acceptor().place(request(user))
    expect(answer).toMatchObject({
      ok: true,
      value: {
        symbolId: BTC.id,
        direction: 1,
        stake: 10_000n,
        payout: 8_000,
        entrySeq: 7,
        entryPrice: 6_728_410,
        openedAt: TEST_START,
        expiresAt: later(TEST_START, 60_000),
        balance: 15_000n,
      },
    })
    expect(await cashOf(user)).toEqual({ cash: 15_000n, staked: 10_000n, open_orders: 1 })
    expect((await checkLedger(ctx.db)).clean).toBe(true)
  })
})

describe('a refused order changes no balance', () => {
  it.each<[string, Partial<OrderRequest>]>([
    ['symbol_unknown', { symbol: 'NOPE' }],
    ['symbol_unknown', { symbol: 'BTC', marketType: 'us_fx' }],
    ['setting_unknown', { tradeSettingId: 99 }],
    ['below_minimum', { stake: money(999n) }],
    ['above_maximum', { stake: money(500_001n) }],
    ['insufficient_balance', { stake: money(25_001n) }],
    ['expiry_after_close', { symbol: 'AAPL', marketType: null, tradeSettingId: ONE_DAY.id }],
    ['price_moved', { slippageGuard: { shown: '67284.00', maxDistance: '0.09' } }],
    ['price_moved', { slippageGuard: { shown: 'abc', maxDistance: '1' } }],
  ])('AT11: %s', async (refusal, change) => {
    const user = await createFundedUser(ctx, money(25_000n))
    expect(await acceptor().place(request(user, change))).toMatchObject({ ok: false, refusal })
    expect(await cashOf(user)).toEqual({ cash: 25_000n, staked: 0n, open_orders: 0 })
    expect(await openOrders()).toBe(0)
  })

  it('AT11: refuses a price older than the maximum age, and accepts a price of exactly this age', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    newest.set(BTC.id, tickOf(BTC.id, { time: later(TEST_START, -5_001) }))
    expect(await acceptor().place(request(user))).toMatchObject({ refusal: 'price_stale' })
    newest.set(BTC.id, tickOf(BTC.id, { time: later(TEST_START, -5_000) }))
    expect(await acceptor().place(request(user))).toMatchObject({ ok: true })
    newest.delete(BTC.id)
    expect(await acceptor().place(request(user))).toMatchObject({ refusal: 'price_stale' })
  })

  it('refuses a price from the future, as after the clock was set back', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    newest.set(BTC.id, tickOf(BTC.id, { time: later(TEST_START, 5_001) }))
    expect(await acceptor().place(request(user))).toMatchObject({ refusal: 'price_stale' })
    newest.set(BTC.id, tickOf(BTC.id, { time: later(TEST_START, 5_000) }))
    expect(await acceptor().place(request(user))).toMatchObject({ ok: true })
  })

  it('P11: refuses while a newer price has waited for more than a second to be written to the tick log', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    waiting.set(BTC.id, later(TEST_START, -1_001))
    expect(await acceptor().place(request(user))).toMatchObject({ refusal: 'price_stale' })
    waiting.set(BTC.id, later(TEST_START, -1_000))
    expect(await acceptor().place(request(user))).toMatchObject({ ok: true })
  })

  it('P11: refuses a price that is older than the maximum age at the expiry, even when the maximum age now is larger', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const stricter = acceptor({ catalogue: fixedCatalogue({ tickAgeAt: () => 3_000 }) })
    newest.set(BTC.id, tickOf(BTC.id, { time: later(TEST_START, -3_001) }))
    expect(await stricter.place(request(user))).toMatchObject({ refusal: 'price_stale' })
    newest.set(BTC.id, tickOf(BTC.id, { time: later(TEST_START, -3_000) }))
    expect(await stricter.place(request(user))).toMatchObject({ ok: true })
  })

  it('AT11: refuses while the price is suspect, and accepts afterwards', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    doubts.set(BTC.id, 'divergence')
    expect(await acceptor().place(request(user))).toMatchObject({ refusal: 'price_stale' })
    doubts.delete(BTC.id)
    expect(await acceptor().place(request(user))).toMatchObject({ ok: true })
  })

  it('refuses when market or symbol is closed, manually or by the calendar', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const byHand = fixedCatalogue({ closures: new Map([['crypto', 'maintenance']]) })
    expect(await acceptor({ catalogue: byHand }).place(request(user))).toMatchObject({ refusal: 'market_closed' })
    const symbol = fixedCatalogue({ symbols: [{ ...BTC, closedReason: 'halted' }] })
    expect(await acceptor({ catalogue: symbol }).place(request(user))).toMatchObject({ refusal: 'symbol_closed' })
    ctx.clock.advance(12 * 3_600_000)
    const night = request(user, { symbol: 'AAPL', marketType: 'us_stocks' })
    expect(await acceptor().place(night)).toMatchObject({ refusal: 'market_closed' })
  })

  it('refuses an unknown user, an unverified user, and a user who may not trade', async () => {
    const unverified = await createFundedUser(ctx, money(25_000n), { verified: false })
    expect(await acceptor().place(request(unverified))).toMatchObject({ refusal: 'not_verified' })
    expect(await acceptor().place(request(ctx.newId()))).toMatchObject({ refusal: 'not_verified' })
    const stopped = await createFundedUser(ctx, money(25_000n))
    await setRights(ctx, ctx.db, stopped, { tradeOff: 'papers missing' })
    expect(await acceptor().place(request(stopped))).toEqual({
      ok: false,
      refusal: 'trade_off',
      params: { reason: 'papers missing' },
    })
    expect(await openOrders()).toBe(0)
  })

  it('refuses when the user has too many open orders', async () => {
    const user = await createFundedUser(ctx, money(100_000n))
    const answers = await Promise.all([1, 2, 3, 4].map(() => acceptor({ maxOpenOrders: 3 }).place(request(user))))
    expect(answers.map((answer) => (answer.ok ? 'taken' : answer.refusal)).toSorted()).toEqual([
      'taken',
      'taken',
      'taken',
      'too_many_open_orders',
    ])
  })

  it('refuses with busy when the queue is full', async () => {
    const user = await createFundedUser(ctx, money(100_000n))
    const small = acceptor({ maxQueueLength: 1, lanes: 1 })
    const answers = await Promise.all([1, 2, 3].map(() => small.place(request(user))))
    expect(answers.filter((answer) => !answer.ok && answer.refusal === 'busy').length).toBe(1)
  })
})

describe('the same client order id', () => {
  it('AT5: opens one order for 100 parallel requests with this id, and gives all of them the same reply', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const same = request(user)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => acceptor({ lanes: 1 + (at % 2) }).place(same)),
    )
    expect(await openOrders()).toBe(1)
    const ids = new Set(answers.map((answer) => (answer.ok ? answer.value.orderId : answer.refusal)))
    expect(ids.size).toBe(1)
    expect(await cashOf(user)).toEqual({ cash: 15_000n, staked: 10_000n, open_orders: 1 })
  })

  it('returns the first reply even when no orders are accepted any more', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const same = request(user)
    const first = await acceptor().place(same)
    newest.clear()
    expect(await acceptor().place(same)).toMatchObject({
      ok: true,
      value: { orderId: first.ok ? first.value.orderId : '' },
    })
  })

  it('refuses a repeated id with other content, and leaves the first order unchanged', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const same = request(user)
    await acceptor().place(same)
    for (const change of [{ stake: money(2_000n) }, { direction: 2 as const }, { symbol: 'AAPL', marketType: null }]) {
      expect(await acceptor().place({ ...same, ...change })).toMatchObject({ ok: false, refusal: 'order_conflict' })
    }
    expect(await cashOf(user)).toEqual({ cash: 15_000n, staked: 10_000n, open_orders: 1 })
  })

  it.each<[string, Partial<OrderRequest>]>([
    ['another market', { marketType: 'us_stocks' }],
    ['another payout', { shownPayout: basisPoints(7_000) }],
    ['another length', { shownSeconds: 61 }],
  ])('A19: refuses a repeat with %s and leaves the first order unchanged', async (_what, change) => {
    const user = await createFundedUser(ctx, money(25_000n))
    const same = request(user)
    const first = await acceptor().place(same)
    expect(await acceptor().place({ ...same, ...change })).toMatchObject({ ok: false, refusal: 'order_conflict' })
    expect(await acceptor().place(same)).toMatchObject(first)
    expect(await cashOf(user)).toEqual({ cash: 15_000n, staked: 10_000n, open_orders: 1 })
  })

  it('A19: replies to a repeat with the first reply after the symbol was closed', async () => {
    const user = await createFundedUser(ctx, money(25_000n))
    const same = request(user)
    const first = await acceptor().place(same)
    const catalogue = fixedCatalogue({ symbols: [AAPL], findKnown: (name) => fixedCatalogue().findKnown(name) })
    expect(await acceptor({ catalogue }).place(same)).toMatchObject(first)
    const other = { ...same, symbol: 'AAPL', marketType: null }
    expect(await acceptor({ catalogue }).place(other)).toMatchObject({ ok: false, refusal: 'order_conflict' })
  })

  it('opens separate orders for two users with the same client order id', async () => {
    const [one, two] = [await createFundedUser(ctx, money(25_000n)), await createFundedUser(ctx, money(25_000n))]
    const answers = await Promise.all(
      [one, two].map((user) => acceptor().place(request(user, { clientOrderId: 'mine' }))),
    )
    expect(answers.every((answer) => answer.ok)).toBe(true)
    expect(await openOrders()).toBe(2)
  })
})

describe('the acceptor with many concurrent orders', () => {
  it('accepts one of 50 orders that each stake the whole balance', async () => {
    const user = await createFundedUser(ctx, money(10_000n))
    const [one, two] = [acceptor(), acceptor()]
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? one : two).place(request(user))))
    expect(answers.filter((answer) => answer.ok).length).toBe(1)
    expect(answers.filter((answer) => !answer.ok && answer.refusal === 'insufficient_balance').length).toBe(49)
    expect(await cashOf(user)).toEqual({ cash: 0n, staked: 10_000n, open_orders: 1 })
  })

  it('accepts an affordable order that comes after an order above the balance', async () => {
    const user = await createFundedUser(ctx, money(10_000n))
    const one = acceptor({ lanes: 1 })
    const answers = await Promise.all(
      [money(1_000n), money(20_000n), money(9_000n)].map((stake) => one.place(request(user, { stake }))),
    )
    expect(answers.map((answer) => (answer.ok ? answer.value.balance : answer.refusal))).toEqual([
      9_000n,
      'insufficient_balance',
      0n,
    ])
  })

  it('accepts the hundredth open order after an order that is refused for another limit', async () => {
    const user = await createFundedUser(ctx, money(900_000n))
    await setRights(ctx, ctx.db, user, { maxOpenStake: 100_000n })
    const open = Array.from({ length: 99 }, () => plannedOrder(ctx, user, { stake: money(1_000n) }))
    await acceptBatch(ctx.db, open, 100)
    expect(await openOrders()).toBe(99)
    const one = acceptor({ lanes: 1 })
    // While the order of another user is decided, the orders of this user wait, so one statement decides them together.
    const before = one.place(request(await createFundedUser(ctx, money(25_000n))))
    const stakes = [money(2_000n), money(1_000n)]
    const answers = await Promise.all(stakes.map((stake) => one.place(request(user, { stake }))))
    expect((await before).ok).toBe(true)
    expect(answers.map((answer) => (answer.ok ? 'accepted' : answer.refusal))).toEqual(['staff_open_limit', 'accepted'])
    expect(await openOrders()).toBe(101)
  })

  it('sends orders of many users in few statements and keeps the ledger reconciled', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => createFundedUser(ctx, money(30_000n))))
    const one = acceptor({ lanes: 1 })
    const answers = await Promise.all(
      users.flatMap((user) => Array.from({ length: 5 }, () => one.place(request(user, { stake: money(10_000n) })))),
    )
    expect(answers.filter((answer) => answer.ok).length).toBe(60)
    const report = await checkLedger(ctx.db)
    expect(report).toMatchObject({ clean: true, openOrders: 60, sumOfAll: 0n })
    const batchLine = ctx.lines.findLast((line) => line.message === 'largest order batch so far')
    expect(batchLine?.facts).toEqual({ orders: 50 })
  })

  it('sends a full batch before the previous batch returns, at most two at a time, but holds a smaller batch back', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => createFundedUser(ctx, money(30_000n))))
    const store = createEngineStore(ctx)
    const sizes: number[] = []
    const held: (() => void)[] = []
    const one = acceptor({
      lanes: 1,
      maxBatchSize: 3,
      store: {
        ...store,
        async acceptWholeUsers(orders, ...how) {
          sizes.push(orders.length)
          await new Promise<void>((resolve) => held.push(resolve))
          return await store.acceptWholeUsers(orders, ...how)
        },
      },
    })
    const placed = users.map((user) => one.place(request(user)))
    expect(sizes).toEqual([1, 3])
    expect(one.waiting).toBe(4)
    held.shift()?.()
    await placed[0]
    await expect.poll(() => sizes).toEqual([1, 3, 3])
    held.shift()?.()
    await placed[1]
    // One order remains. That is too few to send early, so it waits until no batch of the lane runs.
    expect(sizes).toEqual([1, 3, 3])
    held.shift()?.()
    await expect.poll(() => sizes).toEqual([1, 3, 3, 1])
    const stopped = one.stop()
    held.shift()?.()
    await stopped
    expect((await Promise.all(placed)).every((answer) => answer.ok)).toBe(true)
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: 8 })
  })
})
