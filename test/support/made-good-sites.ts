import { afterEach, expect } from 'vitest'
import { BUY } from '#core/orders/order.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { WaitingPayments } from '#server/proof/made-good/made-good.queries.ts'
import { SHOWN_ABOVE } from '#core/orders/rules/made-good-limits.ts'
import type { AmendmentParts } from '#server/proof/made-good/pay-made-good.ts'
import { createRecordReader, type ReadRecordsParts, RECORD_WAITS } from '#server/proof/made-good/read-records.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { ORDERS, RecordedSite } from '#test/support/recorded-site.ts'

/**
 * Creates sites that pay users what they missed by a void order, once the provider's record of trades was read. Reads
 * what the sites owe. A site ends after its test.
 */
export function useMadeGoodSites(database: TestDatabase) {
  let current: RecordedSite | null = null
  afterEach(async () => {
    await current?.end()
    current = null
  })

  async function begin(waits: 'demo' | 'live' = 'live'): Promise<RecordedSite> {
    current = await RecordedSite.begin(database, 'binance', { waits })
    return current
  }

  /** Returns a site whose orders are void, because the provider's record was unavailable around their expiry. */
  async function voidSite(): Promise<RecordedSite> {
    const site = await begin('demo')
    await site.placeOrders()
    site.market.record.mood = 'cut'
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), 20 * SECOND_MS)
    await site.runUntilSettled()
    const results = await site.results()
    expect(results.map((row) => row.void_reason)).toEqual(Array(ORDERS).fill('history_unavailable'))
    return site
  }

  const payments = () => database.db.selectFrom('transfer').selectAll().where('kind', '=', 'make_good').execute()
  const owed = () => database.db.selectFrom('made_good').selectAll().orderBy('order_id').execute()
  const orders = () => database.db.selectFrom('order_history').selectAll().orderBy('id').execute()

  /** Returns the profit of each order that wins by the provider's full list of trades, by order id. */
  async function missedProfits(site: RecordedSite): Promise<Map<string, bigint>> {
    const missed = (await orders()).flatMap((order): [string, bigint][] => {
      const { last } = site.market.around(instant(order.expires_ms))
      const exit = Math.round(Number(last?.price) * 100)
      const change = exit - Number(order.entry_price)
      const isWin = order.direction === BUY ? change > 0 : change < 0
      return isWin ? [[order.id, (order.stake * BigInt(order.profit_basis_points)) / 10_000n]] : []
    })
    return new Map(missed)
  }

  /** Lets the site run until every record was read and everything owed was paid. */
  async function runUntilMadeGood(site: RecordedSite): Promise<void> {
    const until = later(site.ctx.now(), 10 * MINUTE_MS)
    while (!(await isMadeGood(database)) && site.ctx.now() < until)
      await site.runUntil(later(site.ctx.now(), 5 * SECOND_MS))
  }

  const jobsByHand = async (running?: RecordedSite) => runJobsByHand(running ?? (await voidSite()))

  /** Returns a site whose jobs the test runs itself, after the site has read the provider's record twice. */
  async function readTwice() {
    const jobs = await jobsByHand()
    jobs.market.record.mood = 'well'
    // The first query may still meet the connection that was cut.
    for (const ms of [0, DAY_MS, DAY_MS]) await jobs.readAfter(ms)
    return jobs
  }
  return { begin, voidSite, payments, owed, orders, missedProfits, runUntilMadeGood, jobsByHand, readTwice }
}

/** Whether every record was read, and everything owed was paid. */
async function isMadeGood({ db }: TestDatabase): Promise<boolean> {
  const checks = await db.selectFrom('record_check').select('closed_ms').execute()
  const owed = await db.selectFrom('made_good').select('paid_ms').execute()
  const areClosed = checks.length > 0 && checks.every((check) => check.closed_ms !== null)
  return areClosed && owed.every((row) => row.paid_ms !== null)
}

/** Stops a site, so that the test runs its jobs one by one, with the waits of a live site. */
async function runJobsByHand(site: RecordedSite) {
  const { app, ctx, market } = site
  const { catalogue } = app
  await site.stopSite()
  const ticks: ReadRecordsParts['ticks'] = { isLeader: () => true, record: (query) => app.ticks.record(query) }
  const read = createRecordReader({ ctx, ticks, catalogue, waits: RECORD_WAITS.live })
  const mails: WaitingPayments[] = []
  const payer: AmendmentParts = {
    ctx,
    catalogue,
    mode: 'live',
    shownAbove: SHOWN_ABOVE,
    signingKey: await makeSigningKey(),
    onWaiting: (payments) => Promise.resolve(void mails.push(payments)),
  }
  return {
    site,
    market,
    payer,
    /** The mails to the approvers about payments that wait for them. */
    mails,
    pauseOf: () => catalogue.pauseOf(1, ctx.now()),
    /** Moves the clock forward by `ms`, then runs the job that reads the provider's record. */
    readAfter: async (ms: number): Promise<void> => {
      ctx.clock.jump(ms)
      await read()
    },
  }
}
