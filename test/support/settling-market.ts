import { afterEach, beforeEach, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { readDirection } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { createEngine, type EngineOptions, type RunningEngine } from '#server/trading/engine/create-engine.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'

/** Provides one funded user, Bitcoin with scripted prices, and a started engine, newly created for each test. */
export function useSettlingMarket(database: TestDatabase): SettlingMarket {
  const market = new SettlingMarket(database)
  beforeEach(() => market.begin())
  afterEach(() => market.shutDown())
  return market
}

class SettlingMarket {
  ctx!: TestContext
  ticks!: TickService
  feed!: ScriptedFeed
  engine!: RunningEngine
  user!: string
  readonly #database: TestDatabase

  constructor(database: TestDatabase) {
    this.#database = database
  }

  async begin(): Promise<void> {
    this.ctx = createTestContext(this.#database.db)
    this.user = await createFundedUser(this.ctx, money(100_000n))
    await this.boot()
  }

  /** Starts prices and orders like a server start, on the same clock and database. */
  readonly boot = async (change: Partial<EngineOptions> = {}): Promise<void> => {
    await this.startTicks()
    this.engine = this.newEngine(change)
    await this.engine.start()
  }

  async startTicks(): Promise<void> {
    const { ctx } = this
    this.feed = new ScriptedFeed([BTC])
    this.ticks = createTicks({ ctx, feed: this.feed, symbols: [BTC] })
    await this.ticks.start()
  }

  readonly newEngine = (change: Partial<EngineOptions> = {}): RunningEngine => {
    const { ctx, ticks } = this
    const catalogue = fixedCatalogue({ symbols: [BTC] })
    return createEngine({ ctx, ticks, catalogue, connections: this.#database.connections, ...change })
  }

  /** Restarts with a wrapper between the settler and its store. */
  readonly bootOn = async (
    between: (store: EngineStore) => Partial<EngineStore>,
    change: Partial<EngineOptions> = {},
  ): Promise<void> => {
    await this.shutDown()
    const store = createEngineStore(this.ctx)
    await this.boot({ store: { ...store, ...between(store) }, ...change })
  }

  readonly shutDown = async (): Promise<void> => {
    await this.engine.stop()
    await this.ticks.stop()
  }

  /** Sends a price for an instant and waits until it is in the log. */
  readonly priceAt = async (units: number, time: Instant | number): Promise<void> => {
    this.feed.tick(BTC.id, units, time)
    await this.flushed(() => this.ticks.latest(BTC.id)?.time === time && this.ticks.latest(BTC.id)?.price === units)
  }

  readonly flushed = (isThere: () => boolean): Promise<void> =>
    vi.waitFor(
      () => {
        this.ctx.clock.advance(1)
        assert(isThere(), 'the price must be in the log')
      },
      { interval: 2 },
    )

  readonly order = async (direction: number, stake = 10_000n, of = this.engine): Promise<AcceptedOrder> => {
    const answer = await of.place({
      userId: this.user,
      clientOrderId: this.ctx.newId(),
      direction: readDirection(direction),
      tradeSettingId: ONE_MINUTE.id,
      stake: money(stake),
      symbol: 'BTC',
      marketType: null,
      slippageGuard: null,
      receivedAt: TEST_START,
    })
    if (!answer.ok) throw new Error(`refused: ${answer.refusal}`)
    return answer.value
  }

  readonly results = (): SettledOrder[] =>
    this.ctx.announced.flatMap((announcement) => (announcement.kind === 'order-settled' ? [announcement.order] : []))

  /** Waits until this many orders are settled. */
  readonly settled = (count: number): Promise<void> =>
    vi.waitFor(
      async () => {
        await this.engine.settleDue()
        assert(this.results().length === count, `${count} orders have ended, not ${this.results().length}`)
      },
      { interval: 5 },
    )

  readonly toExpiry = (order: AcceptedOrder, offset = 0): void =>
    this.ctx.clock.advance(order.expiresAt - this.ctx.now() + offset)

  /** Places orders whose prices make them win. */
  readonly win = async (count: number, take = () => this.order(1, 1_000n)): Promise<AcceptedOrder[]> => {
    await this.priceAt(100, this.ctx.now())
    const orders: AcceptedOrder[] = []
    for (let at = 0; at < count; at += 1) orders.push(await take())
    await this.pass(orders)
    return orders
  }

  /** Advances to the last expiry, with a price at this expiry and a price after it. */
  readonly pass = async (orders: readonly AcceptedOrder[], next = 101): Promise<void> => {
    const last = orders.at(-1)
    if (last === undefined) throw new Error('no orders')
    this.toExpiry(last)
    await this.priceAt(101, this.ctx.now())
    this.ctx.clock.advance(20)
    await this.priceAt(next, this.ctx.now())
  }

  readonly balance = () =>
    this.ctx.db.selectFrom('balance').selectAll().where('user_id', '=', this.user).executeTakeFirstOrThrow()
}
