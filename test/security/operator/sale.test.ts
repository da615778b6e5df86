import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { decideSales } from '#server/trading/sales/decide-sales.ts'
import { BASE, faultsOf, SaleRun } from '#test/support/sale-run.ts'
import { stoppingServer } from '#test/support/stopping-server.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const server = stoppingServer(database)
let run: SaleRun
beforeEach(async () => {
  server.run()
  run = await SaleRun.start(server.opened())
})
afterEach(() => {
  server.run()
  return run.app.stop()
})

/** Runs statements with the rights of the server. */
const asServer = (...statements: string[]) =>
  database.db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

/** Sells an order at the first price after a second. */
async function soldOrder(): Promise<string> {
  const id = await run.orderForSale()
  await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
  run.app.ctx.clock.advance(SECOND_MS + 1)
  await run.speak(BASE + 3_000)
  run.app.ctx.clock.advance(400)
  await run.speak(BASE - 3_000)
  await run.decided(id)
  return id
}

/** Replaces the decision of the server: the same statement as the server's, with other values. */
const decideWith = (change: { price?: string; q?: string; time?: string }) =>
  `with o as (delete from open_order where selling is not null returning *),
    b as (update balance b set cash = cash + 9600, staked = b.staked - o.stake, open_orders = open_orders - 1, results = results + 1,
      net_total = net_total - 400, stake_total = stake_total + o.stake from o where b.user_id = o.user_id and b.currency = 'USDT'
      returning b.cash, b.results),
    t as (select (regexp_match(payload, '\\nt (\\d+) 1 (\\d+) \\d+ (\\d+) (\\d+) [^\\n]*\\n$'))::int8[] as l from tick_batch
      where payload ~ '\\nt \\d+ 1 ' order by first_seq desc limit 1),
    m as (insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
      select o.user_id, o.id, x.* from o cross join lateral (values
        ('close', 'order_sold', 'staked', 'house:trading', 'USDT', 10000, 1::int8), ('sale', 'order_sale', 'house:trading', 'cash', 'USDT', 10000, 1),
        ('sale_fee', 'order_sale_fee', 'cash', 'house:fees', 'USDT', 400, 1)) x),
    e as (insert into sale_end (order_id, n, user_id, tick_seq, received_ms, movement, left_ms, win, same, stake, gross, fee, paid, decided_ms, head_seq)
      select o.id, o.selling, o.user_id, ${change.q ?? 'l[1]'}, l[4], 100000000000, o.expires_ms - ${change.time ?? 'l[3]'}, 540540541, 0, o.stake,
        10000, 400, 9600, l[4], (select max(last_seq) from tick_batch) from o, t)
  insert into order_history (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake, profit_basis_points,
    rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms, head_seq, received_ms, terms_n,
    max_tick_age_ms, entry_ref, evidence, result, result_amount, balance_after, exit_seq, exit_price, exit_time_ms, settled_ms, result_number)
  select o.user_id, o.id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake, profit_basis_points,
    rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms, head_seq, received_ms, terms_n,
    max_tick_age_ms, entry_ref, evidence, 5, -400, b.cash, ${change.q ?? 'l[1]'}, ${change.price ?? 'l[2]'}, ${change.time ?? 'l[3]'}, l[4], b.results
  from o, t, b`

/**
 * The tests below decide before the server does. So the wall clock steps, and the time of the server's jobs does not
 * elapse.
 */
describe('with the rights of the server', () => {
  it.each([
    ['A131: attack: operator: a sale at another price than the log has', { price: 'l[2] + 5' }],
    ['A132: attack: operator: a sale at another tick than the first one after a second', { q: 'l[1] + 1' }],
  ])('%s', async (_, change) => {
    const id = await run.orderForSale()
    await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
    run.app.ctx.clock.step(SECOND_MS + 1)
    await run.speak(BASE + 3_000)
    await asServer(decideWith(change))
    const faults = faultsOf(await run.bundleOf(id))
    expect(faults.filter((fault) => fault === 'sale_tick' || fault === 'sale_value')).not.toEqual([])
  })

  it('A133: attack: operator: a request to sell that is stored when its price is known', async () => {
    const id = await run.orderForSale()
    const terms = `(select max(n) from terms_entry where kind = 'sale')`
    const request = (agoMs: number, head: string, n = terms) => [
      `update open_order set selling = 1 where id = '${id}'`,
      `insert into sale_request (order_id, n, user_id, client_sale_id, requested_ms, least, terms_n, head_seq)
       values ('${id}', 1, '${run.alice.id}', 'late', ${run.app.ctx.now() - agoMs}, 1, ${n}, ${head})`,
    ]
    const end = '(select max(last_seq) from tick_batch)'
    await run.speak(BASE)
    await expect(asServer(...request(3_000, end))).rejects.toThrow('the log has another time')
    run.app.ctx.clock.advance(3_000)
    await expect(asServer(...request(0, `${end} - 1`))).rejects.toThrow('the log has another time')
    await expect(asServer(...request(0, end, '1'))).rejects.toThrow('other terms are in force')
    await asServer(...request(0, end))
  })

  it('A140: attack: operator: a sale in an announced pause, or a pause with a short notice', async () => {
    const { app } = run
    const pause = (of: string, noticeMs: number) => {
      const [n, hash] = [
        '(select max(n) + 1 from terms_entry)',
        '(select hash from terms_entry order by n desc limit 1)',
      ]
      const [announced, applies] = [app.ctx.now(), app.ctx.now() + noticeMs]
      const text = `terms_entry_text(${n}, 'sale_pause', '${of}', '600000', ${announced}, ${applies}, false, ${hash})`
      return `insert into terms_entry select ${n}, 'sale_pause', '${of}', '600000', ${announced}, ${applies}, t,
        sha256('\\x00'::bytea || convert_to(t, 'UTF8')) from ${text} as t`
    }
    await run.calm(1)
    await run.offerSales()
    await expect(asServer(pause('BTC', 61 * MINUTE_MS - 1))).rejects.toThrow('the notice is too short')
    await expect(asServer(pause('all', 61 * MINUTE_MS))).rejects.toThrow('unknown symbol')
    await asServer(pause('BTC', 61 * MINUTE_MS))
    await expect(asServer(`delete from terms_entry`)).rejects.toThrow('permission denied')
    app.ctx.clock.jump(58 * MINUTE_MS)
    await run.calm(1)
    const id = await run.place()
    const before = await run.place()
    await run.calm(4)
    const request = (of: string) => [
      `update open_order set selling = 1 where id = '${of}'`,
      `insert into sale_request (order_id, n, user_id, client_sale_id, requested_ms, least, terms_n, head_seq)
       values ('${of}', 1, '${run.alice.id}', 'paused', ${app.ctx.now()}, 1,
         (select max(n) from terms_entry where kind = 'sale'), (select max(last_seq) from tick_batch))`,
    ]
    await expect(asServer(...request(id))).rejects.toThrow('selling is paused')
    await expect(asServer(...request(before))).rejects.toThrow('selling is paused')
  })

  it('A134: attack: operator: the fee of a sale kept twice, or another fee than published', async () => {
    const id = await soldOrder()
    const fee = (step: string, amount: number) =>
      `insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
       values ('${run.alice.id}', '${id}', '${step}', 'order_sale_fee', 'cash', 'house:fees', 'USDT', ${amount}, 1)`
    await expect(asServer(fee('sale_fee_2', 400))).rejects.toThrow('no sale')
    await expect(asServer(fee('sale_fee', 400))).rejects.toThrow(/duplicate key/)
    await expect(asServer(`update sale_end set fee = 800`)).rejects.toThrow('permission denied')
    const other = await run.place()
    await run.calm(4)
    await run.sell(other, { least: 1, clientSaleId: 'sale-2' })
    run.app.ctx.clock.step(SECOND_MS + 1)
    await run.speak(BASE + 3_000)
    // A fee of 8 % in place of the published 4 %.
    const dear = decideWith({}).replaceAll('400', '800').replaceAll('9600', '9200')
    await expect(asServer(dear)).rejects.toThrow('other amounts follow')
  })

  it('A135: attack: operator: an order that is sold and settled', async () => {
    const id = await soldOrder()
    await expect(
      asServer(
        `insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
         values ('${run.alice.id}', '${id}', 'close', 'order_lose', 'staked', 'house:trading', 'USDT', 10000, 1)`,
      ),
    ).rejects.toThrow(/duplicate key/)
    await expect(asServer(`insert into order_history select * from order_history where id = '${id}'`)).rejects.toThrow(
      /duplicate key/,
    )
    await run.calm(80)
    expect((await run.tradeOf(id)).result).toBe(5)
    expect(await checkLedger(database.db)).toMatchObject({ clean: true, openOrders: 0 })
  })
})

describe('users and networks', () => {
  it('A136: attack: another user sells an order, or learns what it is worth', async () => {
    const id = await run.orderForSale()
    const mallory = await run.app.verifiedUser('mallory')
    const quoted = await run.app.call(calls.saleQuote, { token: mallory.token, params: { id } })
    const unknown = { params: { id: '00000000-0000-7000-8000-00000000abcd' } }
    const nothing = await run.app.call(calls.saleQuote, { token: mallory.token, ...unknown })
    expect([quoted.status, quoted.body]).toEqual([nothing.status, nothing.body])
    expect((await run.sell(id, { least: 1, clientSaleId: 'theft' }, mallory.token)).status).toBe(404)
    expect(await database.db.selectFrom('sale_request').selectAll().execute()).toEqual([])
  })

  it('A137: attack: a request to sell that is repeated, raced, or made after the expiry', async () => {
    const id = await run.orderForSale()
    const requests = Array.from({ length: 10 }, () => run.sell(id, { least: 1, clientSaleId: 'same' }))
    const replies = await Promise.all(requests)
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body.data]))).size).toBe(1)
    const { app } = run
    const everything = { ctx: app.ctx, catalogue: app.catalogue, owns: () => true }
    app.ctx.clock.step(SECOND_MS + 1)
    await run.speak(BASE + 1_000)
    // Two servers decide at the same moment, while a third one settles.
    await Promise.all([decideSales(everything), decideSales(everything), app.engine.settleDue()])
    await run.decided(id)
    expect((await run.tradeOf(id)).result).toBe(5)
    expect((await run.sell(id, { least: 1, clientSaleId: 'again' })).status).toBe(404)
    const second = await run.place()
    app.ctx.clock.advance(5 * MINUTE_MS + 1)
    expect((await run.sell(second, { least: 1, clientSaleId: 'late' })).status).not.toBe(200)
    expect(await checkLedger(database.db)).toMatchObject({ clean: true })
  })

  it('A138: attack: a server that stops while it stores or decides a request to sell', async () => {
    const id = await run.orderForSale()
    const { app } = run
    // One statement, because the server itself may decide at any moment.
    const count = async () => {
      const { rows } = await sql<{ counts: number[] }>`
        select array[(select count(*) from sale_request), (select count(*) from sale_end),
          (select count(*) from order_history)]::int4[] as counts`.execute(database.db)
      return rows[0]?.counts ?? []
    }
    for (let at = 0; ; at += 1) {
      server.stopAfter(at)
      const { status } = await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
      server.run()
      const stored = await count()
      expect([
        [0, 0, 0],
        [1, 0, 0],
      ]).toContainEqual(stored)
      if (status === 200) break
    }
    app.ctx.clock.step(SECOND_MS + 1)
    await run.speak(BASE + 1_000)
    for (let at = 0; (await count())[1] === 0; at += 1) {
      server.stopAfter(at)
      await decideSales({ ctx: app.ctx, catalogue: app.catalogue, owns: () => true }).catch(() => undefined)
      server.run()
      expect([
        [1, 0, 0],
        [1, 1, 1],
      ]).toContainEqual(await count())
    }
    await run.calm(80)
    expect(await count()).toEqual([1, 1, 1])
    expect(await checkLedger(database.db)).toMatchObject({ clean: true, openOrders: 0 })
  })
})
