import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { noteSaleExpiries } from '#server/trading/sales/note-sale-expiries.ts'
import { BASE, SaleRun } from '#test/support/sale-run.ts'
import type { TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let run: SaleRun
let app: TestApp

beforeEach(async () => {
  run = await SaleRun.start(database)
  app = run.app
})
afterEach(() => app.stop())

const cash = async () =>
  (await database.db.selectFrom('balance').select('cash').where('user_id', '=', run.alice.id).executeTakeFirstOrThrow())
    .cash

describe('an order is sold back', () => {
  it('at the first price more than a second after the request, and pays its value less the fee', async () => {
    const id = await run.orderForSale()
    const before = await cash()
    const { offer } = await run.quote(id)
    assert(offer, 'a sale is offered')
    expect(offer.paid).toBe(Math.round((offer.gross - offer.fee) * 100) / 100)
    expect(offer.fee).toBe(4)
    const { body } = await run.sell(id, { least: offer.paid - 3, clientSaleId: 'sale-1' })
    expect(body.data.request).toMatchObject({ state: 'selling', least: offer.paid - 3 })
    app.ctx.clock.advance(SECOND_MS + 1)
    await run.speak(BASE + 3_000)
    const soldAt = app.ctx.now() - 100
    app.ctx.clock.advance(400)
    await run.speak(BASE - 3_000)
    await run.decided(id)
    const trade = await run.tradeOf(id)
    expect(trade).toMatchObject({ result: 5, post_trade_price: (BASE + 3_000) / 100 })
    const [sale] = await database.db.selectFrom('sale_end').selectAll().execute()
    assert(sale, 'the sale is stored')
    expect((await cash()) - before).toBe(sale.paid)
    expect(trade.result_amount).toBe((Number(sale.paid) - 10_000) / 100)
    expect(Number(sale.gross) - Number(sale.fee)).toBe(Number(sale.paid))
    expect(soldAt).toBeGreaterThan(body.data.request.requested_ms + SECOND_MS)
    // Repeating the request returns the first reply.
    expect((await run.sell(id, { least: 1, clientSaleId: 'sale-1' })).body.data.request.state).toBe('sold')
    // The expiry changes nothing, and 2 minutes later the payment at the expiry is stored for the public figures.
    await run.calm(80)
    await noteSaleExpiries(app.ctx)
    expect(await database.db.selectFrom('sale_expiry').selectAll().execute()).toEqual([])
    app.ctx.clock.jump(3 * MINUTE_MS)
    await noteSaleExpiries(app.ctx)
    await noteSaleExpiries(app.ctx)
    const [kept, ...more] = await database.db.selectFrom('sale_expiry').selectAll().execute()
    expect(more).toEqual([])
    expect([0n, 10_000n, 18_500n]).toContain(kept?.payment)
    expect(await database.db.selectFrom('order_history').select(['result', 'result_number']).execute()).toEqual([
      { result: 5, result_number: 1n },
    ])
    expect(await checkLedger(database.db)).toMatchObject({ clean: true, openOrders: 0 })
    const kinds = await database.db
      .selectFrom('transfer')
      .select('kind')
      .where('ref', '=', id)
      .orderBy('kind')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['order_sale', 'order_sale_fee', 'order_sold', 'order_stake'])
  })

  it('not for less than the user wants: the order stays open and is settled at its expiry', async () => {
    const id = await run.orderForSale()
    await run.sell(id, { least: 150, clientSaleId: 'sale-1' })
    await run.calm(2)
    await run.decided(id)
    expect((await run.quote(id)).request).toMatchObject({ state: 'lapsed', reason: 'sale_below_least' })
    await run.calm(80)
    await vi.waitFor(async () => expect((await run.tradeOf(id)).result).toBeGreaterThan(0))
    expect((await run.tradeOf(id)).result).not.toBe(5)
    expect(await checkLedger(database.db)).toMatchObject({ clean: true })
  })

  it('not at a price that comes too late, and no order is settled before its request is decided', async () => {
    const id = await run.orderForSale()
    await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
    app.ctx.clock.advance(10 * MINUTE_MS)
    expect(await run.state(id)).toBe('selling')
    expect((await run.tradeOf(id)).result).toBe(0)
    await run.calm(3)
    await run.decided(id)
    expect((await run.quote(id)).request).toMatchObject({ state: 'lapsed', reason: 'sale_no_price' })
    await vi.waitFor(async () => {
      app.ctx.clock.advance(SECOND_MS)
      expect((await run.tradeOf(id)).result).toBeGreaterThan(0)
    })
    expect(await database.db.selectFrom('order_history').select('id').execute()).toHaveLength(1)
  })

  it('and its loss counts against the limits that the user set', async () => {
    const id = await run.orderForSale()
    const changes = [{ key: 'loss_day' as const, value: 200 }]
    await app.call(calls.changeLimits, { token: run.alice.token, body: { changes } })
    await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
    app.ctx.clock.advance(SECOND_MS + 1)
    await run.speak(BASE - 3_000)
    await run.decided(id)
    const { result_amount: change } = await run.tradeOf(id)
    assert(change !== null && change < 0, 'the sale is a loss')
    const limits = (await app.call(calls.limits, { token: run.alice.token })).body.data
    expect(limits.loss.day?.used).toBe(-change)
    const { net_total: net, stake_total: stakes } = await database.db
      .selectFrom('balance')
      .select(['net_total', 'stake_total'])
      .where('user_id', '=', run.alice.id)
      .where('currency', '=', 'USDT')
      .executeTakeFirstOrThrow()
    expect([Number(net), stakes]).toEqual([Math.round(change * 100), 10_000n])
  })

  it('once, however many requests come at the same time', async () => {
    const id = await run.orderForSale()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => run.sell(id, { least: 1, clientSaleId: `sale-${at}` })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['sale_running']),
    )
    await run.calm(2)
    await run.decided(id)
    expect(await run.state(id)).toBe('sold')
    expect(await checkLedger(database.db)).toMatchObject({ clean: true })
  })
})

describe('a sale is refused', () => {
  it('without published terms, and with a calibration that is unfair or needs a higher fee than the terms', async () => {
    await run.warmUp()
    const id = await run.place()
    await run.calm(4)
    expect(await run.quote(id)).toMatchObject({ offer: null, why_not: 'sale_off', request: null })
    expect((await run.sell(id, { least: 1, clientSaleId: 'a' })).body.code).toBe('sale_off')
    await run.offerSales()
    expect((await run.quote(id)).offer).not.toBeNull()
    for (const change of [{ isFair: false }, { minFee: 450 }]) {
      app.ctx.clock.advance(SECOND_MS)
      await run.report(change)
      expect((await run.quote(id)).why_not).toBe('sale_off')
    }
  })

  it('for orders of other users, for invalid amounts, and shortly before the expiry', async () => {
    const id = await run.orderForSale()
    const bob = await app.verifiedUser('bob')
    expect((await run.sell(id, { least: 1, clientSaleId: 'a' }, bob.token)).status).toBe(404)
    for (const least of [-1, 'NaN', '1e309', '1e3', 0, 185.02, 1.234])
      expect((await run.sell(id, { least, clientSaleId: 'a' })).status, String(least)).toBe(422)
    expect(await database.db.selectFrom('sale_request').selectAll().execute()).toEqual([])
    await run.calm(64)
    expect((await run.quote(id)).why_not).toBe('sale_not_now')
  })

  it('while an announced pause touches the time from 20 minutes before the request to the expiry', async () => {
    await run.calm(1)
    await run.offerSales()
    const from = app.ctx.now() + 70 * MINUTE_MS
    expect((await run.pauseSales('crypto', from, 10 * MINUTE_MS)).status).toBe(200)
    const whyNot = async (at: number) => {
      app.ctx.clock.jump(at - app.ctx.now())
      await run.calm(1)
      const id = await run.place()
      await run.calm(4)
      const { why_not: why } = await run.quote(id)
      expect((await run.sell(id, { least: 1, clientSaleId: 'a' })).body.code).toBe(why)
      return why
    }
    // Outside the pause, these sales are refused too, because a sale needs twenty minutes of prices.
    expect(await whyNot(from - 6 * MINUTE_MS)).toBe('sale_unsure')
    expect(await whyNot(from - 4 * MINUTE_MS)).toBe('sale_pause')
    expect(await whyNot(from + 29 * MINUTE_MS)).toBe('sale_pause')
    expect(await whyNot(from + 31 * MINUTE_MS)).toBe('sale_unsure')
    expect(await database.db.selectFrom('sale_request').selectAll().execute()).toEqual([])
  })

  it('after a jump of the price', async () => {
    const id = await run.orderForSale()
    await run.speak(BASE + 60_000)
    expect((await run.quote(id)).why_not).toBe('sale_after_jump')
  })
})

describe('staff offer sales', () => {
  it('only with a recent, fair calibration report on the tick log of the installation, and a fee at least as high as it requires', async () => {
    const markets = await app.staff('markets')
    const announce = async (value: string) => {
      const { newest_n: seen } = (await markets.call(staffCalls.staffTermsState)).body.data
      return await markets.call(staffCalls.staffAnnounceTerms, {
        body: { what: 'sale', of: 'BTC', value, applies_at: null, seen_n: seen },
      })
    }
    expect((await announce('m1c90f400')).body.code).toBe('sale_report_missing')
    await run.report({ ageMs: 8 * DAY_MS })
    expect((await announce('m1c90f400')).body.code).toBe('sale_report_missing')
    expect((await announce('m1c60f400')).body.code).toBe('terms_bounds')
    await run.report()
    expect((await announce('m1c90f399')).body).toMatchObject({
      code: 'sale_fee_low',
      message: expect.stringContaining('at least 4%'),
    })
    app.ctx.clock.advance(SECOND_MS)
    await run.report({ isFair: false, days: 3 })
    expect((await announce('m1c90f400')).body).toMatchObject({
      code: 'sale_days_missing',
      message: expect.stringMatching(/3 days .* need 10 days/),
    })
    app.ctx.clock.advance(SECOND_MS)
    await run.report({ isFair: false })
    expect((await announce('m1c90f400')).body.code).toBe('sale_report_unfair')
    app.ctx.clock.advance(SECOND_MS)
    await run.report()
    expect((await announce('m1c90f400')).status).toBe(200)
    expect((await announce('off')).status).toBe(200)
  })

  it('the database requires an order for each sale, and a sale for each sale transfer and sale result', async () => {
    const id = await run.orderForSale()
    await run.sell(id, { least: 1, clientSaleId: 'a' })
    const refused = (statement: string) =>
      expect(sql.raw(statement).execute(database.db)).rejects.toMatchObject({ code: '23514' })
    await refused(
      `insert into sale_end values ('${id}', 1, '${run.alice.id}', null, 1, null, 1, 1, 1, 500000000, 0, 10000, 20000, 400, 19600, 1, 1)`,
    )
    await refused(
      `insert into transfer values ('${run.alice.id}', gen_random_uuid(), 'sale', 'order_sale', 'house:trading', 'cash', 'USDT', 1, 1)`,
    )
  })
})
