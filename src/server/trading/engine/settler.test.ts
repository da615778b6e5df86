import { describe, expect, it, vi } from 'vitest'
import type { Direction } from '#core/orders/order.ts'
import { instant } from '#core/time/instant.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { useSettlingMarket } from '#test/support/settling-market.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const market = useSettlingMarket(database)
type Settle = () => ReturnType<EngineStore['settleBatch']>
const { boot, bootOn, newEngine, shutDown, priceAt, flushed, order, results, settled, toExpiry, win, pass, balance } =
  market

describe('an order at its expiry', () => {
  it.each<[Direction, number, number, bigint]>([
    [1, 101, 1, 8_000n],
    [1, 99, 2, -10_000n],
    [1, 100, 3, 0n],
    [2, 101, 2, -10_000n],
    [2, 99, 1, 8_000n],
    [2, 100, 3, 0n],
  ])(
    'settles direction %s from 100 to %s with result %s and a change of %s',
    async (direction, exit, result, change) => {
      await priceAt(100, market.ctx.now())
      const placedOrder = await order(direction)
      toExpiry(placedOrder, -50)
      await priceAt(exit, placedOrder.expiresAt)
      await market.engine.settleDue()
      expect(results()).toEqual([])
      toExpiry(placedOrder, 10)
      await priceAt(777, placedOrder.expiresAt + 1)
      await settled(1)
      expect(results()[0]).toMatchObject({
        orderId: placedOrder.orderId,
        result,
        resultAmount: change,
        exitPrice: exit,
        balanceAfter: 100_000n + change,
        voidReason: null,
      })
      expect(await balance()).toMatchObject({ cash: 100_000n + change, staked: 0n, open_orders: 0 })
      expect(await market.ctx.db.selectFrom('settlement_price').selectAll().executeTakeFirst()).toMatchObject({
        exit_price: BigInt(exit),
        next_price: 777n,
      })
      expect(await market.ctx.db.selectFrom('order_history').select(['received_ms', 'opened_ms']).execute()).toEqual([
        { received_ms: BigInt(TEST_START), opened_ms: BigInt(placedOrder.openedAt) },
      ])
      expect((await checkLedger(market.ctx.db)).clean).toBe(true)
    },
  )

  it('uses the last of several ticks in the millisecond of the expiry', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder)
    for (const units of [95, 105, 102]) market.feed.tick(BTC.id, units, placedOrder.expiresAt)
    await flushed(() => market.ticks.latest(BTC.id)?.price === 102)
    market.ctx.clock.advance(5)
    await priceAt(90, placedOrder.expiresAt + 1)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 102 })
  })

  it('ignores a tick whose time at the source is before the time of the previous tick', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder)
    await priceAt(101, placedOrder.expiresAt - 10)
    market.feed.tick(BTC.id, 90, placedOrder.expiresAt - 11)
    market.ctx.clock.advance(200)
    await priceAt(80, placedOrder.expiresAt + 150)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 101 })
  })

  it('settles on a heartbeat when no later tick arrives', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(2)
    toExpiry(placedOrder, -1_000)
    await priceAt(99, market.ctx.now())
    toExpiry(placedOrder, 500)
    market.feed.heartbeat(BTC.id, placedOrder.expiresAt + 1)
    await flushed(() => (market.ticks.watermark(BTC.id) ?? 0) > placedOrder.expiresAt)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 99 })
  })
})

describe('a void order returns the stake', () => {
  it('when the last tick before the expiry is older than the maximum', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder, 200)
    await priceAt(150, market.ctx.now())
    await settled(1)
    expect(results()[0]).toMatchObject({
      result: 4,
      resultAmount: 0n,
      exitPrice: null,
      voidReason: 'no_tick_before_expiry',
    })
    expect(await balance()).toMatchObject({ cash: 100_000n, staked: 0n, open_orders: 0 })
  })

  it('when the feed does not pass the expiry within a minute', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder, -100)
    await priceAt(150, market.ctx.now())
    toExpiry(placedOrder, 60_000)
    await market.engine.settleDue()
    expect(results()).toEqual([])
    market.ctx.clock.advance(2)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 4, voidReason: 'no_price_after_expiry' })
    expect((await checkLedger(market.ctx.db)).clean).toBe(true)
  })
})

describe('AT14: settling exactly once', () => {
  it('pays each order once when two settlers run', async () => {
    await priceAt(100, market.ctx.now())
    const orders: AcceptedOrder[] = []
    for (let at = 0; at < 9; at += 1) orders.push(await order(1, 1_000n))
    const second = newEngine()
    await second.start()
    await pass(orders, 102)
    await Promise.all([market.engine.settleDue(), second.settleDue()])
    await settled(9)
    expect(new Set(results().map((result) => result.orderId)).size).toBe(9)
    expect(await balance()).toMatchObject({ cash: 100_000n + 9n * 800n, staked: 0n })
    const numbers = await market.ctx.db.selectFrom('order_history').select('result_number as number').execute()
    expect(new Set(numbers.map(({ number }) => number))).toEqual(new Set([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]))
    await second.stop()
  })

  it('announces each result with the balance after it', async () => {
    await priceAt(100, market.ctx.now())
    const stakes = [1_000n, 2_000n, 3_000n]
    const orders: AcceptedOrder[] = []
    for (const stake of stakes) orders.push(await order(1, stake))
    await pass(orders, 100)
    await settled(3)
    const final = await balance()
    expect(final.cash).toBe(100_000n + 4_800n)
    expect(results().at(-1)?.balanceAfter).toBe(final.cash)
  })

  it('leaves an order open when its user has no balance to credit', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    await database.asOwner((owner) => owner.deleteFrom('balance').execute())
    await pass([placedOrder])
    await market.engine.settleDue()
    expect(results()).toEqual([])
    expect((await market.ctx.db.selectFrom('open_order').select('id').execute()).map(({ id }) => id)).toEqual([
      placedOrder.orderId,
    ])
    expect(await market.ctx.db.selectFrom('transfer').where('step', '=', 'close').selectAll().execute()).toEqual([])
  })
})

describe('after a restart', () => {
  it('settles from the log an order that expired during the downtime', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    toExpiry(placedOrder, -20)
    await priceAt(103, market.ctx.now())
    await shutDown()
    toExpiry(placedOrder, 30_000)
    await boot()
    expect(results()).toEqual([])
    await priceAt(50, market.ctx.now())
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 103 })
  })

  it('makes an order void if the server was down when its price came', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    await shutDown()
    toExpiry(placedOrder, 61_000)
    await boot()
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 4, voidReason: 'no_price_after_expiry' })
    expect(await balance()).toMatchObject({ cash: 100_000n, staked: 0n, open_orders: 0 })
  })

  it('settles an order that is still open at its expiry', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(2)
    await shutDown()
    await boot()
    toExpiry(placedOrder)
    await priceAt(98, market.ctx.now())
    market.ctx.clock.advance(20)
    await priceAt(120, market.ctx.now())
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 98 })
  })
})

describe('a ledger that does not reconcile', () => {
  it('stops new orders until it reconciles, while open orders still settle', async () => {
    await priceAt(100, market.ctx.now())
    const placedOrder = await order(1)
    await market.ctx.db.updateTable('balance').set({ cash: 95_000n }).where('user_id', '=', market.user).execute()
    await market.engine.stop()
    market.engine = newEngine()
    await market.engine.start()
    expect(market.engine.takesOrders()).toBe(false)
    const report = await checkLedger(market.ctx.db)
    expect(report).toMatchObject({ clean: false, sumOfAll: 5_000n })
    expect(report.mismatches).toEqual([{ userId: market.user, what: 'cash', cached: 95_000n, counted: 90_000n }])
    await expect(order(1)).rejects.toThrow('trading_paused')
    await pass([placedOrder])
    await settled(1)
    await market.ctx.db
      .updateTable('balance')
      .set((eb) => ({ cash: eb('cash', '-', 5_000n) }))
      .where('user_id', '=', market.user)
      .execute()
    await vi.waitFor(
      () => {
        market.ctx.clock.advance(60_000)
        expect(market.engine.takesOrders()).toBe(true)
      },
      { interval: 20 },
    )
  })
})

it('retries after a database failure while settling, and loses nothing', async () => {
  await priceAt(100, instant(TEST_START + 1_000))
  const placedOrder = await order(1)
  await database.asOwner((owner) => owner.schema.alterTable('order_history').renameTo('order_history_gone').execute())
  await pass([placedOrder])
  await market.engine.settleDue()
  expect(results()).toEqual([])
  expect(await balance()).toMatchObject({ staked: 10_000n, open_orders: 1 })
  await database.asOwner((owner) => owner.schema.alterTable('order_history_gone').renameTo('order_history').execute())
  await settled(1)
  expect(results()[0]).toMatchObject({ result: 1 })
})

describe('a settlement with a lost reply is announced once', () => {
  /** Lets an order win, on a store whose first `settleBatch` runs `breaking` instead. Returns the order. */
  async function winOn(breaking: (settle: Settle) => ReturnType<Settle>) {
    let isFirst = true
    await bootOn((store) => ({
      settleBatch(orders, now, lane) {
        if (!isFirst) return store.settleBatch(orders, now, lane)
        isFirst = false
        return breaking(() => store.settleBatch(orders, now, lane))
      },
    }))
    const [placedOrder] = await win(1)
    await market.engine.settleDue()
    return placedOrder
  }

  it('when the statement was committed', async () => {
    const placedOrder = await winOn(async (settle) => {
      await settle()
      throw new Error('Connection terminated unexpectedly')
    })
    await settled(1)
    expect(results()[0]).toMatchObject({ orderId: placedOrder?.orderId, result: 1, balanceAfter: 100_800n })
    await market.engine.settleDue()
    expect(results()).toHaveLength(1)
  })

  it('when the database finishes the statement after the connection broke', async () => {
    let goOn: Settle = () => Promise.resolve([])
    const placedOrder = await winOn((settle) => {
      goOn = settle
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    // The next round tries the due expiry again, and finds that the order is settled.
    await goOn()
    await settled(1)
    expect(results()[0]).toMatchObject({ orderId: placedOrder?.orderId, result: 1 })
    expect((await checkLedger(market.ctx.db)).clean).toBe(true)
  })
})

describe('a settlement whose result could not be read', () => {
  it('the settler reads the result again', async () => {
    let fails = 2
    await bootOn((store) => ({
      async settleBatch(orders, now, lane) {
        const done = await store.settleBatch(orders, now, lane)
        if (done.length > 0) throw new Error('Connection terminated unexpectedly')
        return done
      },
      findSettled(keys) {
        fails -= 1
        return fails >= 0 ? Promise.reject(new Error('gone')) : store.findSettled(keys)
      },
    }))
    await win(1)
    await settled(1)
    expect(fails).toBeLessThan(0)
  })
})
