import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { later } from '#core/time/instant.ts'
import type { AcceptRow } from '#server/trading/engine/accept.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { Acceptor, type AcceptorOptions } from '#server/trading/engine/acceptor.ts'
import type { OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import type { OrderAnswer } from '#server/trading/engine/order-queue.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'
import { capGate } from '#test/support/caps.ts'
import { AAPL, BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
let late: Map<number, number>
let closed: Extract<OrderRefusal, 'trading_paused' | 'restarting'> | null
let acceptedOrders: PlannedOrder[]
let requestCount = 0

beforeEach(() => {
  ctx = createTestContext(database.db)
  late = new Map()
  closed = null
  acceptedOrders = []
})

const ROW: AcceptRow = {
  outcome: 'accepted',
  balance: money(0n),
  cashLeft: money(0n),
  tradeReason: '',
  ownMaximum: null,
  ownOpenMaximum: null,
  openStakeLeft: null,
  openOrdersLeft: 0,
  own: null,
}

/** A store that accepts each client order id once, whatever the balance. */
const store: AcceptorOptions['store'] = {
  acceptWholeUsers: (orders) => Promise.resolve(orders.map(() => null)),
  acceptBatch: (orders) => {
    const rows = orders.map((order): AcceptRow => {
      if (acceptedOrders.some(({ clientOrderId }) => clientOrderId === order.clientOrderId))
        return { ...ROW, outcome: 'repeated' }
      acceptedOrders.push(order)
      return ROW
    })
    return Promise.resolve(rows)
  },
  findClosedRefusal: () => Promise.resolve(null),
  noteLimitReached: () => Promise.resolve(null),
  findByClientOrderId: (_userId, clientOrderId) => {
    const first = acceptedOrders.find((order) => order.clientOrderId === clientOrderId)
    if (first === undefined) return Promise.resolve(null)
    const { orderId, trx, direction, stake, placement } = first
    const { symbol, terms, entry, openedAt, expiresAt } = placement
    const own = { orderId, trx, clientOrderId, symbolId: symbol.id, direction, stake, openedAt, expiresAt }
    const entered = { entrySeq: entry.seq, entryPrice: entry.price, entryTime: entry.time, balance: money(0n) }
    return Promise.resolve({
      ...own,
      ...entered,
      payout: terms.payout,
      seconds: terms.seconds,
      tradeSettingId: terms.id,
    })
  },
}

/** A tick of the current time. Its sequence number is the time in ms since the start of the test, plus 1. */
const newest = (symbolId: number): Tick => ({
  seq: ctx.now() - TEST_START + 1,
  symbolId,
  price: price(6_728_410),
  volume: volume(0),
  time: ctx.now(),
  receivedAt: ctx.now(),
  source: 'scripted',
})

const acceptor = (change: Partial<AcceptorOptions> = {}) =>
  new Acceptor({
    ctx,
    store,
    ticks: {
      latest: newest,
      doubt: () => null,
      head: () => ({ lastSeq: 1, hash: GENESIS_HASH }),
      feedDelayMs: (symbolId) => late.get(symbolId) ?? 0,
      waitingSince: () => null,
    },
    catalogue: fixedCatalogue(),
    caps: capGate(ctx),
    lanes: 2,
    maxBatchSize: 500,
    maxQueueLength: 5_000,
    maxOpenOrders: 100,
    closed: () => closed,
    onAccepted: () => {},
    onBatch: () => {},
    ...change,
  })

const request = (change: Partial<OrderRequest> = {}): OrderRequest =>
  orderRequest('somebody', `client-${(requestCount += 1)}`, change)

/**
 * Returns the replies so far, after all work that waits for no timer: the opening time of an accepted order in ms since
 * the start, a refusal, or `none`.
 */
async function answers(...placed: readonly Promise<OrderAnswer>[]): Promise<string[]> {
  const found = placed.map(() => 'none')
  const hear = async (answer: Promise<OrderAnswer>, at: number) => {
    const given = await answer
    found[at] = given.ok ? String(given.value.openedAt - TEST_START) : given.refusal
  }
  for (const [at, answer] of placed.entries()) void hear(answer, at)
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve()
  return found
}

describe('AT12: an order on delayed prices', () => {
  it('waits exactly as long as the delay, then starts from the newest price', async () => {
    late.set(BTC.id, 1_000)
    const one = acceptor()
    const placed = one.place(request())
    ctx.clock.advance(999)
    expect(await answers(placed)).toEqual(['none'])
    expect([one.held, one.waiting]).toEqual([1, 0])
    ctx.clock.advance(1)
    expect(await placed).toMatchObject({ ok: true, value: { entrySeq: 1_001, openedAt: later(TEST_START, 1_000) } })
    expect(one.held).toBe(0)
  })

  it('A23: is refused for its late prices if its validity ends before the wait, but the repeat of an accepted order gets the first reply', async () => {
    late.set(BTC.id, 1_000)
    const one = acceptor()
    const [inTime, tooLate] = [
      request({ validUntil: later(TEST_START, 1_000) }),
      request({ validUntil: later(TEST_START, 999) }),
    ]
    const placed = [one.place(inTime), one.place(tooLate)]
    ctx.clock.advance(1_000)
    expect(await answers(...placed)).toEqual(['1000', 'price_stale'])
    late.clear()
    ctx.clock.advance(20_000)
    expect(await answers(one.place(inTime), one.place(tooLate))).toEqual(['1000', 'order_expired'])
  })

  it('A23: is refused at once, for its late prices, if the wait would outlast its validity', async () => {
    late.set(BTC.id, 3_500)
    const one = acceptor()
    const arrived = one.place(request({ validUntil: later(TEST_START, 3_000) }))
    const tooLate = one.place(request({ userId: 'c', validUntil: later(TEST_START, -1) }))
    expect(await answers(arrived, tooLate)).toEqual(['price_stale', 'order_expired'])
    expect([one.held, ctx.clock.pendingTimers]).toEqual([0, 0])
  })

  it.each([0, 34, 150])('waits for nothing and sets no timer when prices are %d ms late', async (ms) => {
    late.set(BTC.id, ms)
    expect(await answers(acceptor().place(request()))).toEqual(['0'])
    expect(ctx.clock.pendingTimers).toBe(0)
  })

  it.each([
    [151, BTC, '151'],
    [5_000, BTC, '5000'],
    [5_001, BTC, 'price_stale'],
    [5_000, AAPL, '5000'],
    [5_001, AAPL, 'price_stale'],
    [3_000, { ...BTC, maxTickAgeMs: 2_000 }, 'price_stale'],
  ])('waits %d ms, at most five seconds and the maximum price age', async (ms, symbol, expected) => {
    late.set(symbol.id, ms)
    const one = acceptor({ catalogue: fixedCatalogue({ symbols: [symbol] }) })
    const placed = one.place(request({ symbol: symbol.code }))
    if (expected === 'price_stale') expect(await answers(placed)).toEqual([expected])
    ctx.clock.advance(5_000)
    expect(await answers(placed)).toEqual([expected])
  })

  it('an order that waited for delayed prices is refused when prices are too late after the wait', async () => {
    late.set(BTC.id, 1_000)
    const placed = acceptor().place(request())
    late.set(BTC.id, 6_000)
    ctx.clock.advance(1_000)
    expect(await answers(placed)).toEqual(['price_stale'])
  })

  it('does not wait while only the prices of another symbol are delayed', async () => {
    late.set(AAPL.id, 1_000)
    expect(await answers(acceptor().place(request()))).toEqual(['0'])
  })

  it('waits equally long for any user, direction and stake', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          userId: fc.uuid(),
          direction: fc.constantFrom(1 as const, 2 as const),
          stake: fc.integer({ min: 1_000, max: 500_000 }).map((units) => money(BigInt(units))),
          slippageGuard: fc.constantFrom(null, { shown: '67284.10', maxDistance: '5' }),
        }),
        fc.integer({ min: 151, max: 5_000 }),
        async (change, ms) => {
          late.set(BTC.id, ms)
          const [began, one] = [ctx.now(), acceptor()]
          const placed = one.place(request(change))
          ctx.clock.advance(ms - 1)
          expect(one.held).toBe(1)
          ctx.clock.advance(1)
          expect(await placed).toMatchObject({ ok: true, value: { openedAt: later(began, ms) } })
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('AT12: a user cannot cancel a delayed order', () => {
  it("by placing another order, because one user's orders keep their sequence", async () => {
    late.set(BTC.id, 1_000)
    const one = acceptor()
    const first = one.place(request())
    ctx.clock.advance(600)
    const quick = one.place(request({ symbol: 'AAPL' }))
    late.set(BTC.id, 0)
    const others = one.place(request({ userId: 'somebody else' }))
    const own = one.place(request())
    expect(await answers(first, quick, others, own)).toEqual(['none', 'none', '600', 'none'])
    ctx.clock.advance(400)
    expect(await answers(first, quick, own)).toEqual(['1000', '1000', '1000'])
    expect(acceptedOrders.map(({ userId, placement }) => `${userId} ${placement.symbol.code}`)).toEqual([
      'somebody else BTC',
      'somebody BTC',
      'somebody AAPL',
      'somebody BTC',
    ])
  })

  it('by reusing its id with other content, because the first order counts', async () => {
    late.set(BTC.id, 1_000)
    const [one, same] = [acceptor(), request()]
    const first = one.place(same)
    const changed = one.place({ ...same, symbol: 'AAPL' })
    ctx.clock.advance(1_000)
    expect(await answers(first, changed)).toEqual(['1000', 'order_conflict'])
  })
})

it('opens one order, with the same reply, when a delayed order is sent again', async () => {
  late.set(BTC.id, 1_000)
  const [one, same] = [acceptor(), request()]
  const first = one.place(same)
  ctx.clock.advance(300)
  const again = one.place(same)
  ctx.clock.advance(700)
  expect(await answers(first, again)).toEqual(['1000', 'none'])
  ctx.clock.advance(300)
  expect(await again).toMatchObject(await first)
  expect(acceptedOrders).toHaveLength(1)
})

it.each(['restarting', 'trading_paused'] as const)(
  'refuses a delayed order when the server stops accepting orders: %s',
  async (refusal) => {
    late.set(BTC.id, 1_000)
    const one = acceptor()
    const placed = one.place(request())
    closed = refusal
    if (refusal === 'restarting') await one.stop()
    else ctx.clock.advance(1_000)
    expect(await answers(placed)).toEqual([refusal])
    expect([one.held, acceptedOrders.length, ctx.clock.pendingTimers]).toEqual([0, 0, 0])
  },
)

it("counts delayed orders in the queue limit and in the user's order limit", async () => {
  late.set(BTC.id, 1_000)
  const one = acceptor({ maxQueueLength: 3, maxOpenOrders: 2 })
  const own = [request(), request(), request()].map((order) => one.place(order))
  const others = ['a', 'b'].map((userId) => one.place(request({ userId })))
  const quick = one.place(request({ userId: 'c', symbol: 'AAPL' }))
  expect(await answers(...own, ...others, quick)).toEqual(['none', 'none', 'busy', 'none', 'busy', 'busy'])
  ctx.clock.advance(1_000)
  expect(await answers(...own, ...others)).toEqual(['1000', '1000', 'busy', '1000', 'busy'])
})
