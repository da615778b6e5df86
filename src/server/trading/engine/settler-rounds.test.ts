import { beforeEach, describe, expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { type Instant, later } from '#core/time/instant.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import type { EngineOptions } from '#server/trading/engine/create-engine.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import { shardOf } from '#server/trading/engine/user-shards.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { BTC, createFundedUser, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { useSettlingMarket } from '#test/support/settling-market.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const market = useSettlingMarket(useTestDatabase())
const { boot, bootOn, newEngine, shutDown, priceAt, order, results, settled, toExpiry, win, pass, balance } = market

describe('the settler', () => {
  it('settles orders as prices arrive', async () => {
    await win(1)
    await vi.waitFor(() => expect(results()).toHaveLength(1), { interval: 5 })
  })

  it('returns the stake when no price arrives', async () => {
    await priceAt(100, market.ctx.now())
    toExpiry(await order(1), 60_001)
    await vi.waitFor(
      () => {
        market.ctx.clock.advance(250)
        expect(results()).toMatchObject([{ voidReason: 'no_price_after_expiry' }])
      },
      { interval: 5 },
    )
  })

  it('P11: waits for a price that came in time but is not in the tick log yet', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder, -1_000)
    await priceAt(101, market.ctx.now())
    toExpiry(placedOrder, 59_950)
    market.feed.tick(BTC.id, 102, market.ctx.now())
    toExpiry(placedOrder, 60_001)
    expect(market.ticks.waitingSince(BTC.id)).toBe(later(placedOrder.expiresAt, 59_950))
    await market.engine.settleDue()
    await settled(1)
    expect(results()).toMatchObject([{ result: 1, voidReason: null }])
    expect(market.ticks.waitingSince(BTC.id)).toBeNull()
  })

  it('P11: stores a decision time that is not before the receipt of the deciding prices, even after the clock was set back', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder, -1_000)
    await priceAt(101, market.ctx.now())
    toExpiry(placedOrder, 100)
    market.feed.tick(BTC.id, 102, market.ctx.now())
    market.ctx.clock.step(-3_000)
    await market.flushed(() => market.ticks.latest(BTC.id)?.price === 102)
    await settled(1)
    const [stored] = await market.ctx.db.selectFrom('settlement_price').select('decided_ms').execute()
    expect(Number(stored?.decided_ms)).toBe(placedOrder.expiresAt + 100)
  })

  it('counts expiries that are still to come, and a shared expiry once', async () => {
    await priceAt(100, market.ctx.now())
    const both = [await order(1, 1_000n), await order(1, 1_000n)]
    expect(market.engine.load().expected).toBe(1)
    market.ctx.clock.advance(10)
    both.push(await order(1, 1_000n))
    expect(market.engine.load().expected).toBe(2)
    await pass(both)
    await settled(3)
    expect(market.engine.load().expected).toBe(0)
  })

  describe('with batches of two orders, two batches at a time', () => {
    let calls: { loaded: number; settled: number[]; lookedUp: number }
    let batches: CommittedBatch[]
    /** Starts an engine with batches of two orders. If given, `answers` replaces the `settleBatch` of the store. */
    async function bootInTwos(answers: EngineStore['settleBatch'] | null, change: Partial<EngineOptions> = {}) {
      calls = { loaded: 0, settled: [], lookedUp: 0 }
      batches = []
      const watched = (store: EngineStore): Partial<EngineStore> => ({
        loadDueOrders(keys, limit) {
          calls.loaded += 1
          return store.loadDueOrders(keys, limit)
        },
        settleBatch(orders, now, lane) {
          calls.settled.push(orders.length)
          return answers === null ? store.settleBatch(orders, now, lane) : answers(orders, now, lane)
        },
        findSettled(keys) {
          calls.lookedUp += 1
          return store.findSettled(keys)
        },
      })
      const onCommitted = (committed: CommittedBatch) => batches.push(committed)
      await bootOn(watched, { limits: { maxBatchSize: 2 }, connections: 1, onCommitted, ...change })
    }

    it('loads more orders until a load returns fewer than it may', async () => {
      await bootInTwos(null)
      await win(13)
      await settled(13)
      expect(calls).toEqual({ loaded: 2, settled: [2, 2, 2, 2, 2, 2, 1], lookedUp: 0 })
      expect(await balance()).toMatchObject({ open_orders: 0, staked: 0n })
    })

    it('continues when another server settled a whole batch, and announces only its own orders', async () => {
      const store = createEngineStore(market.ctx)
      await bootInTwos(async (orders, now, lane) => {
        const isFirst = calls.settled.length === 1
        const done = await store.settleBatch(orders, now, lane)
        return isFirst ? [] : done
      })
      await win(4)
      await settled(2)
      expect(calls.settled).toEqual([2, 2])
      const results = batches.filter(({ kind }) => kind === 'result')
      expect(results.map(({ orders }) => orders.length)).toEqual([2])
    })

    it('settles all its orders in one round, even where several nodes share the symbols', async () => {
      await bootInTwos(null, { settles: { owns: () => true } })
      await win(4)
      await settled(4)
      expect(calls.settled).toEqual([2, 2])
    })

    it('stops retrying orders that the database refuses because of the lease', async () => {
      await bootInTwos(() => Promise.resolve([]), { settles: { owns: () => true } })
      await win(4)
      await market.engine.settleDue()
      expect(calls).toEqual({ loaded: 1, settled: [2, 2], lookedUp: 0 })
    })
  })

  it('starts a new round at once for orders that became due during a round', async () => {
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await bootOn((store) => ({
      async settleBatch(orders, now, lane) {
        await held
        return store.settleBatch(orders, now, lane)
      },
    }))
    await priceAt(100, market.ctx.now())
    const first = await order(1, 1_000n)
    market.ctx.clock.advance(100)
    const second = await order(1, 1_000n)
    toExpiry(first, 10)
    await priceAt(101, market.ctx.now())
    await pass([second])
    expect(results()).toEqual([])
    letGo()
    await vi.waitFor(() => expect(results()).toHaveLength(2), { interval: 5 })
  })

  describe('while results are late because settling takes too long', () => {
    let began: Instant
    let letGo: () => void
    async function fallBehind(): Promise<void> {
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      let isHeld = false
      await bootOn((store) => ({
        async settleBatch(orders, now, lane) {
          isHeld = true
          await held
          return store.settleBatch(orders, now, lane)
        },
      }))
      await win(1)
      await vi.waitFor(() => expect(isHeld).toBe(true))
      began = market.ctx.now()
    }

    /** Advances the clock to `ms` after `began`, and adds a price at that time. */
    async function behindFor(ms: number): Promise<void> {
      market.ctx.clock.advance(later(began, ms) - market.ctx.now())
      await priceAt(100, market.ctx.now())
    }

    const isAccepted = () =>
      order(1).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('refused: busy')
          return false
        },
      )

    it('accepts all orders up to a lag of 2.5 s, and fewer orders the longer the lag', async () => {
      await fallBehind()
      await behindFor(2_500)
      for (let nth = 0; nth < 5; nth += 1) expect(await isAccepted()).toBe(true)
      await behindFor(3_750)
      expect([await isAccepted(), await isAccepted(), await isAccepted(), await isAccepted()]).toEqual([
        true,
        false,
        true,
        false,
      ])
      await behindFor(4_375)
      expect([await isAccepted(), await isAccepted(), await isAccepted(), await isAccepted()]).toEqual([
        true,
        false,
        false,
        false,
      ])
      letGo()
      await settled(1)
    })

    it('accepts no orders above a lag of 5 s, and all orders again once it has caught up', async () => {
      await fallBehind()
      await behindFor(5_100)
      expect([await isAccepted(), await isAccepted()]).toEqual([false, false])
      letGo()
      await settled(1)
      expect([await isAccepted(), await isAccepted()]).toEqual([true, true])
    })
  })

  it('refuses orders in proportion to the load of the work that follows an order', async () => {
    let pressure = 0
    await bootOn(() => ({}), { pressure: () => pressure })
    await priceAt(100, market.ctx.now())
    await order(1)
    pressure = 1
    await expect(order(1)).rejects.toThrow('refused: busy')
    pressure = 0
    await order(1)
  })

  it.each([
    [499, 'taken'],
    [500, 'refused: busy'],
  ])(
    'counts %i expiries of six seconds ago as backlog only if a round is full: an order is %s',
    async (count, answer) => {
      const from = market.ctx.now()
      await priceAt(100, from)
      await priceAt(101, later(from, 1_000))
      market.ctx.clock.advance(7_000)
      let [isTakingOver, isHeld] = [false, false]
      const keys = Array.from({ length: count }, (_, at) => ({ symbolId: BTC.id, expiresAt: later(from, 1 + at) }))
      let letGo = (): void => {}
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      await bootOn((store) => ({
        openExpiries: () => Promise.resolve(isTakingOver ? keys : []),
        async writeSettlementPrices(rows, now) {
          isHeld = true
          await held
          return store.writeSettlementPrices(rows, now)
        },
      }))
      await priceAt(102, market.ctx.now())
      isTakingOver = true
      await market.engine.takeOver()
      await vi.waitFor(() => expect(isHeld).toBe(true))
      await expect(
        order(1).then(
          () => 'taken',
          (error: Error) => error.message,
        ),
      ).resolves.toBe(answer)
      letGo()
    },
  )

  it('writes the prices of the next round while the orders of the previous round are still being settled', async () => {
    let placedOrder: AcceptedOrder | null = null
    const sizes: number[] = []
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await bootOn((store) => ({
      openExpiries() {
        const first = placedOrder?.expiresAt
        if (first === undefined) return Promise.resolve([])
        return Promise.resolve(
          Array.from({ length: 501 }, (_, at) => ({ symbolId: BTC.id, expiresAt: later(first, at) })),
        )
      },
      writeSettlementPrices(rows, now) {
        sizes.push(rows.length)
        return store.writeSettlementPrices(rows, now)
      },
      async settleBatch(orders, now, lane) {
        await held
        return store.settleBatch(orders, now, lane)
      },
    }))
    await priceAt(100, market.ctx.now())
    placedOrder = await order(1)
    await market.engine.takeOver()
    toExpiry(placedOrder, 600)
    await priceAt(101, market.ctx.now())
    await vi.waitFor(() => expect(sizes).toEqual([500, 1]), { interval: 5 })
    expect(results()).toEqual([])
    letGo()
    await settled(1)
  })

  it('settles 500 expiries in one round, and the rest in the next round', async () => {
    const from = market.ctx.now()
    const keys = Array.from({ length: 501 }, (_, at) => ({ symbolId: BTC.id, expiresAt: later(from, 1 + at) }))
    const sizes: number[] = []
    await bootOn((store) => ({
      openExpiries: () => Promise.resolve(keys),
      writeSettlementPrices(rows, now) {
        sizes.push(rows.length)
        return store.writeSettlementPrices(rows, now)
      },
    }))
    await priceAt(100, market.ctx.now())
    market.ctx.clock.advance(1_000)
    await priceAt(101, market.ctx.now())
    await vi.waitFor(() => expect(sizes).toEqual([500, 1]), { interval: 5 })
  })

  it('reads the whole log before deciding that there was no price', async () => {
    await shutDown()
    let caughtUp = 0
    await market.startTicks()
    const log = market.ticks
    const behind: TickService = {
      ...log,
      waitUntilCaughtUp: () => {
        caughtUp += 1
        return Promise.resolve()
      },
      aroundInstant: (symbolId, time) =>
        caughtUp > 0 ? log.aroundInstant(symbolId, time) : Promise.resolve({ last: null, next: null }),
    }
    market.engine = newEngine({ ticks: behind })
    await market.engine.start()
    await win(1)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, voidReason: null })
    expect(caughtUp).toBe(1)
    await win(1)
    await settled(2)
    expect(caughtUp).toBe(1)
  })

  it('logs a failed search for overdue orders, and searches again', async () => {
    let fails = 0
    await bootOn((store) => ({
      overdueExpiries: (...args) => (--fails >= 0 ? Promise.reject(new Error('gone')) : store.overdueExpiries(...args)),
    }))
    fails = 1
    market.ctx.clock.advance(5_000)
    await vi.waitFor(() => expect(JSON.stringify(market.ctx.lines)).toContain('overdue orders could not be looked up'))
    market.ctx.clock.advance(5_000)
    await vi.waitFor(() => expect(fails).toBeLessThan(0))
  })

  it('finds an overdue order about which no event arrived', async () => {
    const other = newEngine({ settles: false })
    await other.start()
    await win(1, () => order(1, 1_000n, other))
    await other.stop()
    await market.engine.settleDue()
    expect(market.engine.load().expected).toBe(0)
    expect(results()).toEqual([])
    market.ctx.clock.advance(5_000)
    await settled(1)
  })

  it('ends when it is stopped, and no timer remains', async () => {
    const timers = market.ctx.clock.pendingTimers
    const other = newEngine()
    await other.start()
    await other.stop()
    expect(market.ctx.clock.pendingTimers).toBe(timers)
    await market.engine.stop()
    market.ctx.clock.advance(1_000)
    await other.settleDue()
    expect(other.load().expected).toBe(0)
  })

  it('settles nothing after it was stopped', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    await market.engine.stop()
    await pass([placedOrder])
    await market.engine.settleDue()
    market.ctx.clock.advance(6_000)
    await market.engine.settleDue()
    expect(results()).toEqual([])
    expect(await balance()).toMatchObject({ open_orders: 1 })
  })

  it('passes the price that it has just written to onCommitted, but null for a price that was stored before', async () => {
    const batches: CommittedBatch[] = []
    let fails = 0
    await bootOn(
      (store) => ({
        settleBatch: (orders, now, lane) =>
          (fails -= 1) >= 0 ? Promise.reject(new Error('gone')) : store.settleBatch(orders, now, lane),
      }),
      { onCommitted: (committed) => batches.push(committed) },
    )
    const prices = () =>
      batches.flatMap((committed) => (committed.kind === 'result' ? committed.orders.map(({ price }) => price) : []))
    await win(1)
    await settled(1)
    expect(prices()).toMatchObject([{ symbolId: BTC.id, exit: { price: 101 }, voidReason: null }])
    fails = 1
    await win(1)
    await settled(2)
    expect(prices().slice(1)).toEqual([null])
  })

  it("settles the orders of each user in the user's lane, even when another lane fails", async () => {
    const users = await oneUserOfEachLane()
    const settleCalls: { lane: number; users: string[] }[] = []
    let fails = 1
    const watched = (store: EngineStore): Partial<EngineStore> => ({
      settleBatch(orders, now, lane) {
        settleCalls.push({ lane, users: orders.map(({ userId }) => userId) })
        const isBroken = lane === 1 && (fails -= 1) >= 0
        return isBroken ? Promise.reject(new Error('gone')) : store.settleBatch(orders, now, lane)
      },
    })
    await bootOn(watched, { connections: LANES })
    await priceAt(100, market.ctx.now())
    const placedOrders: AcceptedOrder[] = []
    for (const user of [...users, ...users]) {
      market.user = user
      placedOrders.push(await order(1, 1_000n))
    }
    await pass(placedOrders)
    await settled(4)
    const [first = '', second = ''] = users
    expect(settleCalls).toEqual([
      { lane: 0, users: [first, first] },
      { lane: 1, users: [second, second] },
      { lane: 1, users: [second, second] },
    ])
    expect(results().map(({ userId }) => userId)).toEqual([first, first, second, second])
  })

  it('uses a maximum price age of 5 s for a symbol removed from the catalogue', async () => {
    await shutDown()
    await boot({ catalogue: fixedCatalogue({ symbols: [BTC], tickAgeAt: () => null }) })
    for (const { age, reason } of [
      { age: 5_000, reason: null },
      { age: 5_001, reason: 'no_tick_before_expiry' },
    ]) {
      await priceAt(100, market.ctx.now())
      const placedOrder = await order(1, 1_000n)
      toExpiry(placedOrder, -age)
      await priceAt(101, market.ctx.now())
      toExpiry(placedOrder, 20)
      await priceAt(102, market.ctx.now())
      await vi.waitFor(
        async () => {
          await market.engine.settleDue()
          expect(results().at(-1)).toMatchObject({ orderId: placedOrder.orderId, voidReason: reason })
        },
        { interval: 5 },
      )
    }
  })
})

const LANES = 2

async function oneUserOfEachLane(): Promise<string[]> {
  const users = new Map<number, string>()
  while (users.size < LANES) {
    const user = await createFundedUser(market.ctx, money(100_000n))
    users.set(shardOf(user, LANES), user)
    // Ids in tests count up, and each user takes two. This extra id moves the next user to the other lane.
    market.ctx.newId()
  }
  return [...users].toSorted(([a], [b]) => a - b).map(([, user]) => user)
}

describe('a settler where several nodes share the symbols', () => {
  let isOurs: boolean
  beforeEach(async () => {
    await shutDown()
    await boot({ settles: { owns: () => isOurs } })
  })

  it('settles no orders whose symbol another node settles, until it takes the symbol over', async () => {
    isOurs = false
    await win(1)
    expect(market.engine.load().expected).toBe(0)
    await market.engine.settleDue()
    expect(results()).toEqual([])
    isOurs = true
    await market.engine.takeOver()
    await settled(1)
  })

  it('forgets an overdue expiry whose symbol another node settles', async () => {
    isOurs = true
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    expect(market.engine.load().expected).toBe(1)
    isOurs = false
    await pass([placedOrder])
    await market.engine.settleDue()
    expect(market.engine.load().expected).toBe(1)
    market.ctx.clock.advance(60_000)
    await market.engine.settleDue()
    expect(market.engine.load().expected).toBe(0)
    expect(results()).toEqual([])
  })
})
