import { vi } from 'vitest'
import { DAY_MS, instant, type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { assert } from '#core/result.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { money } from '#core/money/money.ts'
import { EVIDENCE_WAITS } from '#server/trading/evidence/collect-evidence.ts'
import { recentOrders } from '#server/trading/orders/own-orders.ts'
import { toOwnTrade } from '#server/trading/orders/trade-reply.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { RecordedMarket, type RecordedProvider } from '#test/support/recorded-market.ts'
import { recordedTrades } from '#test/support/recorded-trades.ts'
import type { ScriptedTrade } from '#test/support/providers/record-server.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'

/**
 * The clock advances 1 s at a time, because each step costs a few queries. Prices of the last second are as fresh as
 * those of most providers.
 */
const STEP_MS = 1_000
const POLL = { interval: 1 }
export const OPENS_MS = 5 * SECOND_MS
export const ORDERS = 3

/** One site, its provider and its clock. The site can be stopped for a while; the provider's market does not stop. */
export class RecordedSite {
  readonly #database: TestDatabase
  readonly #waits: 'demo' | 'live'
  readonly ctx: TestContext
  readonly market: RecordedMarket
  isDropped: (trade: ScriptedTrade) => boolean = () => false
  /** The feed of the next start. Default: the feed of the market. */
  feedOf: (ctx: TestContext) => Promise<Feed> = (ctx) => this.market.open(ctx)
  #app: TestApp | null = null
  /** The expiry of the orders, set when they are placed. */
  expiry = TEST_START
  #userId = ''

  /** The id of the user who places the orders. */
  get userId(): string {
    return this.#userId
  }

  private constructor(database: TestDatabase, ctx: TestContext, market: RecordedMarket, waits: 'demo' | 'live') {
    this.#waits = waits
    this.#database = database
    this.ctx = ctx
    this.market = market
  }

  /**
   * `isTraded` chooses the trades of the market, whose numbers have no gaps. `waits` sets how long the server queries the record for late evidence.
   */
  static async begin(
    database: TestDatabase,
    provider: RecordedProvider,
    {
      days = 0,
      isTraded = () => true,
      waits = 'live',
    }: { days?: number; isTraded?: (trade: ScriptedTrade) => boolean; waits?: 'demo' | 'live' } = {},
  ): Promise<RecordedSite> {
    const ctx = createTestContext(database.db, TEST_START)
    const until = later(TEST_START, days * DAY_MS + 20 * MINUTE_MS)
    const all = recordedTrades(later(TEST_START, -10 * SECOND_MS), until, days > 0 ? 20 : 4)
    const trades = all.filter(isTraded).map((trade, at) => ({ ...trade, ref: (all[0]?.ref ?? 0) + at }))
    const begun = new RecordedSite(database, ctx, await RecordedMarket.start(ctx, provider, trades), waits)
    await begun.startSite()
    await begun.stopSite()
    // Terms are forced while no server uses the database.
    await forceTerms(database.db, [{ what: 'rule', of: 'all', value: '2' }])
    await begun.startSite()
    return begun
  }

  get app(): TestApp {
    if (this.#app === null) throw new Error('the site runs')
    return this.#app
  }

  async startSite(): Promise<void> {
    await this.#passTime(this.#open())
  }

  async #open(): Promise<void> {
    const feed = await this.feedOf(this.ctx)
    const app = await createTestApp(this.#database, { ctx: this.ctx, feed, evidenceWaits: EVIDENCE_WAITS[this.#waits] })
    await app.start()
    this.#app = app
  }

  /** Stops the site, so that nothing listens to the provider. */
  async stopSite(): Promise<void> {
    const app = this.#app
    this.#app = null
    if (app === null) return
    await this.#passTime(app.stop())
  }

  /** Advances the clock in small steps until the work, which may wait for the clock, is done. */
  async #passTime<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false }
    const done = work.finally(() => {
      state.isDone = true
    })
    while (!state.isDone) {
      this.ctx.clock.advance(1)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return await done
  }

  async end(): Promise<void> {
    await this.stopSite()
    await this.market.stop()
  }

  /** Runs the market and the site until an instant. */
  async runUntil(at: Instant): Promise<void> {
    while (this.ctx.now() < at) {
      this.ctx.clock.advance(Math.min(STEP_MS, at - this.ctx.now()))
      this.market.say(this.isDropped)
      await new Promise((resolve) => setImmediate(resolve))
      // Waits until the prices of the earlier steps are in the log, because a write waits for the previous one.
      await vi.waitFor(() => {
        const since = this.app.ticks.waitingSince(BTC.id)
        if (since !== null) this.ctx.clock.advance(1)
        assert(since === null || since >= this.ctx.now() - 10, 'the prices are in the log')
      }, POLL)
    }
  }

  async stopFrom(from: Instant, forMs: number): Promise<void> {
    await this.runUntil(from)
    await this.stopSite()
    this.ctx.clock.jump(forMs)
    await this.startSite()
  }

  async placeOrders(seconds?: number): Promise<void> {
    const setting = this.app.catalogue.settings.find((one) => one.seconds === seconds)
    this.#userId = await this.#passTime(createFundedUser(this.ctx, money(1_000_000n)))
    await this.runUntil(later(TEST_START, OPENS_MS))
    const placed = Array.from({ length: ORDERS }, (_, at) =>
      this.app.engine.place({
        userId: this.#userId,
        clientOrderId: `order-${at}`,
        direction: at % 2 === 0 ? BUY : SELL,
        tradeSettingId: setting?.id ?? 1,
        stake: money(10_000n),
        symbol: 'BTC',
        marketType: null,
        slippageGuard: null,
      }),
    )
    // Orders are delayed for a moment, because prices arrive in steps.
    const replies = await this.#runUntilDone(Promise.all(placed))
    for (const reply of replies) assert(reply.ok, reply.ok ? '' : `the order is refused: ${reply.refusal}`)
    const [order] = await this.#database.db
      .selectFrom('open_order')
      .select(['expires_ms', 'rule_version'])
      .orderBy('expires_ms')
      .execute()
    assert(order?.rule_version === 2, 'the orders follow rule 2')
    this.expiry = instant(Number(order.expires_ms))
  }

  /**
   * Runs the market until the work is done, at most ten times as fast as real time. Otherwise prices would be too old
   * when the database is slow.
   */
  async #runUntilDone<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false }
    const done = work.finally(() => {
      state.isDone = true
    })
    while (!state.isDone) {
      await this.runUntil(later(this.ctx.now(), 10))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return await done
  }

  /** Runs the site until all orders have ended, at most for `forMs`. */
  async runUntilSettled(forMs = 5 * MINUTE_MS): Promise<void> {
    const until = later(this.ctx.now(), forMs)
    while ((await this.openOrders()) > 0 && this.ctx.now() < until)
      await this.runUntil(later(this.ctx.now(), SECOND_MS))
  }

  async openOrders(): Promise<number> {
    const rows = await this.#passTime(this.#database.db.selectFrom('open_order').select('id').execute())
    return rows.length
  }

  /** Returns the user's newest orders as the app shows them. */
  async ownTrades() {
    const orders = await this.#passTime(recentOrders(this.#database.db, this.#userId, ORDERS))
    return orders.map((order) => toOwnTrade(order, this.app.catalogue, this.ctx.now()))
  }

  async results() {
    return await this.#database.db
      .selectFrom('order_history')
      .select(['expires_ms', 'exit_price', 'exit_time_ms', 'result', 'void_reason'])
      .orderBy('id')
      .execute()
  }

  /**
   * Lists differences from the provider's full list of trades, and faults of log and ledger. Empty when every order
   * ended as it would have without a stop.
   */
  async differences(): Promise<unknown[]> {
    const results = await this.results()
    const differing = results.filter((result) => {
      const { last } = this.market.around(instant(Number(result.expires_ms)))
      const isSamePrice = Number(result.exit_price) === Math.round(Number(last?.price) * 100)
      return result.void_reason !== null || Number(result.exit_time_ms) !== last?.timeMs || !isSamePrice
    })
    const chain = await verifyTickChain(this.#database.db)
    const ledger = await checkLedger(this.#database.db)
    return [
      ...differing,
      ...(results.length === ORDERS ? [] : [{ orders: results.length }]),
      ...(chain.ok ? [] : [chain]),
      ...(ledger.clean ? [] : [ledger]),
    ]
  }
}
