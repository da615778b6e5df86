import { setTimeout as pause } from 'node:timers/promises'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { type FileContent, readBundle } from '#core/proof/bundle-file.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, later, SECOND_MS, toIso } from '#core/time/instant.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'

const BTC = 1
const EVERY_MS = 4 * SECOND_MS
export const BASE = 9_400_000
/** 320 ticks, one every 4 s, are prices of 21 minutes and 20 s. A sale needs 20 minutes. */
export const WARM_UP_TICKS = 320
const TICKS_PER_BATCH = 20

/** Only a failing test waits this long, however busy the machine is. */
const PATIENCE_MS = 600_000

/** Waits without vitest, so that journeys can use it too. */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const from = performance.now()
  while (!(await isSo())) {
    assert(performance.now() - from < PATIENCE_MS, what)
    await pause(2)
  }
}

/** Returns the faults that the public check finds in the receipts of an order. */
export function faultsOf({ evidence, keys, ...receipts }: FileContent): readonly string[] {
  assert(evidence && keys, 'the file is complete')
  return checkBundle(SERVER_TOOLS, { ...receipts, keys, ...evidence }).faults
}

/** A server with prices, on which orders of bitcoin can be sold back. */
export class SaleRun {
  app: TestApp
  readonly alice: TestUser
  readonly #database: TestDatabase
  #ticks = 0
  #orders = 0

  private constructor(app: TestApp, alice: TestUser, database: TestDatabase) {
    this.app = app
    this.alice = alice
    this.#database = database
  }

  static async start(database: TestDatabase): Promise<SaleRun> {
    const app = await createTestApp(database)
    await app.startMarkets()
    const alice = await app.verifiedUser('alice')
    const run = new SaleRun(app, alice, database)
    await run.deposit(alice, 1_000)
    return run
  }

  async deposit(user: TestUser, amount: number): Promise<void> {
    const { status } = await this.app.call(calls.saveDeposit, { token: user.token, body: { amount, method_id: 1 } })
    assert(status === 200, 'deposited')
  }

  /** Stops the server, and starts another one on its database after `awayMs`. */
  async restart(awayMs: number): Promise<void> {
    const startAt = later(this.app.ctx.now(), awayMs)
    await this.app.stop()
    this.app = await createTestApp(this.#database, { startAt })
    await this.app.startMarkets()
  }

  /** Sends one price and waits until it is in the log. */
  async speak(units: number): Promise<void> {
    const { app } = this
    const time = app.ctx.now()
    app.feed.tick(BTC, units, time)
    app.ctx.clock.advance(100)
    await this.#logged(time)
  }

  /** Sends prices that go up and down every 4 s. */
  async calm(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      await this.#speakNext()
      this.app.ctx.clock.advance(EVERY_MS - 100)
    }
  }

  /**
   * Sends the 20 minutes of prices that a sale needs. The wall clock steps from price to price, and the time of the
   * server's jobs elapses once per batch.
   */
  async warmUp(): Promise<void> {
    const { ctx, feed } = this.app
    for (let at = 1; at <= WARM_UP_TICKS; at += 1) {
      const time = ctx.now()
      feed.tick(BTC, this.#nextUnits(), time)
      ctx.clock.step(EVERY_MS)
      if (at % TICKS_PER_BATCH !== 0) continue
      ctx.clock.advance(100)
      await this.#logged(time)
    }
  }

  async #speakNext(): Promise<void> {
    await this.speak(this.#nextUnits())
  }

  #nextUnits(): number {
    this.#ticks += 1
    return BASE + (this.#ticks % 2) * 2_000
  }

  async #logged(time: number): Promise<void> {
    await until('the price is in the log', () => this.app.ticks.latest(BTC)?.time === time)
  }

  /** Sends the same prices as fast as real time passes, for a browser. Returns a function that ends it. */
  live(): () => Promise<void> {
    const ending = new AbortController()
    const run = async () => {
      for (let elapsedMs = EVERY_MS; !ending.signal.aborted; elapsedMs += 100) {
        if (elapsedMs >= EVERY_MS) {
          await this.#speakNext()
          elapsedMs = 0
        }
        await pause(100)
        this.app.ctx.clock.advance(100)
      }
    }
    const done = run()
    return async () => {
      ending.abort()
      await done
    }
  }

  /** Stores the report of a calibration. */
  async report(change: { isFair?: boolean; minFee?: number; ageMs?: number; days?: number } = {}): Promise<void> {
    const { isFair = true, minFee = 400, ageMs = 0, days = 20 } = change
    const now = this.app.ctx.now()
    await this.#database.db
      .insertInto('sale_report')
      .values({
        symbol_id: BTC,
        scale: 90,
        made_ms: now - ageMs,
        from_ms: now - 20 * DAY_MS,
        days,
        prices: 1_000_000,
        min_fee: minFee,
        is_fair: isFair,
        report: '{}',
      })
      .execute()
  }

  async offerSales(): Promise<void> {
    await this.report()
    await forceTerms(this.#database.db, [{ what: 'sale', of: 'BTC', value: 'm1c90f400' }])
    await this.app.catalogue.reload()
    await this.app.publishTerms()
  }

  /** Announces a pause of sales, as staff do. */
  async pauseSales(of: string, from: number, lengthMs: number) {
    const markets = await this.app.staff('markets')
    const { newest_n: seen } = (await markets.call(staffCalls.staffTermsState)).body.data
    const change = { what: 'sale_pause' as const, of, value: String(lengthMs), applies_at: toIso(instant(from)) }
    return await markets.call(staffCalls.staffAnnounceTerms, { body: { ...change, seen_n: seen } })
  }

  /** Places an order of five minutes. Returns its id. */
  async place(user = this.alice): Promise<string> {
    this.#orders += 1
    const placed = await this.app.engine.place({
      userId: user.id,
      clientOrderId: `order-${this.#orders}`,
      direction: BUY,
      tradeSettingId: 2,
      stake: money(10_000n),
      symbol: 'BTC',
      marketType: null,
      slippageGuard: null,
    })
    assert(placed.ok, 'the order is accepted')
    return placed.value.orderId
  }

  /**
   * Prepares an order that can be sold: 20 minutes of prices, then an order with a duration of five minutes, then 16 s
   * of prices.
   */
  async orderForSale(): Promise<string> {
    await this.warmUp()
    await this.offerSales()
    await this.calm(1)
    const id = await this.place()
    await this.calm(4)
    return id
  }

  async quote(id: string) {
    return (await this.app.call(calls.saleQuote, { token: this.alice.token, params: { id } })).body.data
  }

  async sell(id: string, body: { least: string | number; clientSaleId: string }, token = this.alice.token) {
    return await this.app.call(calls.sellOrder, { token, params: { id }, body })
  }

  async tradeOf(id: string, token = this.alice.token) {
    return (await this.app.call(calls.ownTrade, { token, params: { id } })).body.data.trade
  }

  async state(id: string) {
    return (await this.quote(id)).request?.state
  }

  /** Advances the clock until the jobs of the server have decided the request to sell the order. */
  async decided(id: string): Promise<void> {
    await until('the request is decided', async () => {
      this.app.ctx.clock.advance(500)
      return (await this.state(id)) !== 'selling'
    })
  }

  /**
   * Waits until the end of an order is signed. Returns its receipts with the log, terms and keys, as the check page
   * gets them.
   */
  async bundleOf(id: string, token = this.alice.token): Promise<FileContent> {
    const { app } = this
    const { trx } = await this.tradeOf(id, token)
    const ask = () => app.call(calls.proofReceipt, { params: { trx }, token })
    await until('the end of the order is signed', async () => {
      app.ctx.clock.advance(SECOND_MS)
      await app.receipts.idle()
      const { status, body } = await ask()
      return status === 200 && Boolean(body.data.sale ?? body.data.result)
    })
    const receipts = (await ask()).body.data
    const evidence = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
    const { keys } = (await app.call(calls.proofKeys)).body.data
    const bundle = readBundle({ ...receipts, evidence, keys })
    assert(bundle, 'the receipts can be read')
    return bundle
  }
}
