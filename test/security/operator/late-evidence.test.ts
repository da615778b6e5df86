import { afterEach, describe, expect, it, vi } from 'vitest'
import { DAY_MS, HOUR_MS, instant, type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { BUY } from '#core/orders/order.ts'
import { money } from '#core/money/money.ts'
import { EVIDENCE_WAITS } from '#server/trading/evidence/collect-evidence.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { RecordedMarket, type RecordedProvider } from '#test/support/recorded-market.ts'
import { recordedTrades } from '#test/support/recorded-trades.ts'
import type { ScriptedTrade } from '#test/support/providers/record-server.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

const STEP_MS = 250
const POLL = { timeout: 20_000, interval: 1 }
const OPENS_MS = 5 * SECOND_MS
const ORDERS = 3

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

/** One site, its provider and its clock. The site can be away for a while; the provider's market goes on. */
class World {
  readonly ctx: TestContext
  readonly market: RecordedMarket
  isDropped: (trade: ScriptedTrade) => boolean = () => false
  #app: TestApp | null = null
  /** Set when the orders are placed. */
  expiry = TEST_START
  #userId = ''

  private constructor(ctx: TestContext, market: RecordedMarket) {
    this.ctx = ctx
    this.market = market
  }

  static async begin(provider: RecordedProvider, { days = 0 } = {}): Promise<World> {
    const ctx = createTestContext(database.db, TEST_START)
    const until = later(TEST_START, days * DAY_MS + 20 * MINUTE_MS)
    const trades = recordedTrades(later(TEST_START, -10 * SECOND_MS), until, days > 0 ? 20 : 4)
    const begun = new World(ctx, await RecordedMarket.start(ctx, provider, trades))
    world = begun
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
    const feed = await this.market.open(this.ctx)
    const app = await createTestApp(database, { ctx: this.ctx, feed, evidenceWaits: EVIDENCE_WAITS.live })
    await app.start()
    this.#app = app
  }

  /** The site is away: nothing listens to the provider. */
  async stopSite(): Promise<void> {
    const app = this.#app
    this.#app = null
    if (app === null) return
    await this.#passTime(app.stop())
  }

  /** Lets a little time pass until something is done that may wait for the clock. */
  async #passTime<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      this.ctx.clock.advance(1)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return await done
  }

  async end(): Promise<void> {
    await this.stopSite()
    await this.market.stop()
  }

  /** Lets the market and the site run until a moment. */
  async runUntil(at: Instant): Promise<void> {
    while (this.ctx.now() < at) {
      this.ctx.clock.advance(Math.min(STEP_MS, at - this.ctx.now()))
      this.market.say(this.isDropped)
      await new Promise((resolve) => setImmediate(resolve))
      // The prices of the step before are in the log.
      await vi.waitFor(() => expect(this.app.ticks.waitingSince(BTC.id) ?? this.ctx.now()).toBe(this.ctx.now()), POLL)
    }
  }

  async stopFrom(from: Instant, forMs: number): Promise<void> {
    await this.runUntil(from)
    await this.stopSite()
    this.ctx.clock.jump(forMs)
    await this.startSite()
  }

  async placeOrders(): Promise<void> {
    this.#userId = await this.#passTime(createFundedUser(this.ctx, money(1_000_000n)))
    await this.runUntil(later(TEST_START, OPENS_MS))
    const placed = Array.from({ length: ORDERS }, (_, at) =>
      this.app.engine.place({
        userId: this.#userId,
        clientOrderId: `order-${at}`,
        direction: BUY,
        tradeSettingId: 1,
        stake: money(10_000n),
        symbol: 'BTC',
        marketType: null,
        slippageGuard: null,
      }),
    )
    // Orders are held for a moment, because prices arrive in steps.
    const replies = await this.#runUntilDone(Promise.all(placed))
    for (const reply of replies) expect(reply).toEqual(expect.objectContaining({ ok: true }))
    const [order] = await database.db
      .selectFrom('open_order')
      .select(['expires_ms', 'rule_version'])
      .orderBy('expires_ms')
      .execute()
    expect(order?.rule_version).toBe(2)
    this.expiry = instant(Number(order?.expires_ms))
  }

  /** Lets the market and the site run until something is done. */
  async #runUntilDone<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) await this.runUntil(later(this.ctx.now(), STEP_MS))
    return await done
  }

  /** Lets the site run until all orders have ended, at most for a while. */
  async runUntilSettled(forMs = 5 * MINUTE_MS): Promise<void> {
    const until = later(this.ctx.now(), forMs)
    while ((await this.openOrders()) > 0 && this.ctx.now() < until)
      await this.runUntil(later(this.ctx.now(), SECOND_MS))
  }

  async openOrders(): Promise<number> {
    const rows = await this.#passTime(database.db.selectFrom('open_order').select('id').execute())
    return rows.length
  }

  async results() {
    return await database.db
      .selectFrom('order_history')
      .select(['expires_ms', 'exit_price', 'exit_time_ms', 'result', 'void_reason'])
      .orderBy('id')
      .execute()
  }

  /** Every order ended as the provider's full list of trades says, whoever was away. */
  async expectResultsOfTheMarket(): Promise<void> {
    const results = await this.results()
    expect(results).toHaveLength(ORDERS)
    for (const result of results) {
      const { last } = this.market.around(instant(Number(result.expires_ms)))
      expect(result.void_reason).toBeNull()
      expect(Number(result.exit_time_ms)).toBe(last?.timeMs)
      expect(Number(result.exit_price)).toBe(Math.round(Number(last?.price) * 100))
    }
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true })
    expect(await checkLedger(database.db)).toMatchObject({ clean: true })
  }
}

const PROVIDERS: readonly RecordedProvider[] = ['binance', 'coinbase']

describe.each(PROVIDERS)('late evidence of %s', (provider) => {
  it('is not needed in normal running', async () => {
    const site = await World.begin(provider)
    await site.placeOrders()
    await site.runUntilSettled()
    await site.expectResultsOfTheMarket()
    expect(site.market.record.calls).toEqual([])
  })

  it('A80: attack: killed 8 s before an expiry', async () => {
    const site = await World.begin(provider)
    await site.placeOrders()
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), 20 * SECOND_MS)
    await site.runUntilSettled()
    await site.expectResultsOfTheMarket()
  })

  it.each([
    ['8 s before it', -9 * SECOND_MS, 8 * SECOND_MS, 0],
    ['8 s over it', -4 * SECOND_MS, 8 * SECOND_MS, 0],
    ['8 s from the expiry on', 0, 8 * SECOND_MS, 0],
    ['10 minutes over it', -30 * SECOND_MS, 10 * MINUTE_MS, 0],
    ['10 minutes from the expiry on', 0, 10 * MINUTE_MS, 0],
    ['a day over it', -30 * SECOND_MS, DAY_MS, 1],
  ])('ends all orders as without a stop: %s', async (_, fromMs, forMs, days) => {
    const site = await World.begin(provider, { days })
    await site.placeOrders()
    await site.stopFrom(later(site.expiry, fromMs), forMs)
    await site.runUntilSettled()
    await site.expectResultsOfTheMarket()
  })

  it('A81: attack: one packet dropped before an expiry', async () => {
    const site = await World.begin(provider)
    await site.placeOrders()
    const { last } = site.market.around(site.expiry)
    site.isDropped = ({ ref }) => ref === last?.ref
    await site.runUntilSettled()
    await site.expectResultsOfTheMarket()
  })
})

describe('a provider that does not answer', () => {
  it('A82: attack: history host cut for a day', async () => {
    const site = await World.begin('binance', { days: 2 })
    await site.placeOrders()
    site.market.record.mood = 'cut'
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), MINUTE_MS)
    await site.runUntil(later(site.expiry, 2 * MINUTE_MS))
    // Nothing is guessed while nothing is known.
    expect(await site.openOrders()).toBe(ORDERS)
    await site.stopFrom(site.ctx.now(), DAY_MS - HOUR_MS)
    site.market.record.mood = 'well'
    await site.runUntilSettled()
    await site.expectResultsOfTheMarket()
  })

  it('goes on asking after a restart, with what it has noted', async () => {
    const site = await World.begin('binance')
    await site.placeOrders()
    site.market.record.mood = 'failing'
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), MINUTE_MS)
    await site.runUntil(later(site.expiry, 90 * SECOND_MS))
    const asked = await database.db.selectFrom('history_question').selectAll().executeTakeFirstOrThrow()
    expect(asked).toMatchObject({ source: 'binance', outcome: null })
    expect(Number(asked.expires_ms)).toBe(site.expiry)
    await site.stopFrom(site.ctx.now(), MINUTE_MS)
    site.market.record.mood = 'well'
    await site.runUntilSettled()
    await site.expectResultsOfTheMarket()
    const first = await database.db.selectFrom('history_question').select('first_asked_ms').executeTakeFirstOrThrow()
    expect(first.first_asked_ms).toBe(asked.first_asked_ms)
  })
})
