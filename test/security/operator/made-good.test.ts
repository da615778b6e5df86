import { describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { readBundle } from '#core/proof/bundle-file.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { listWaiting } from '#server/proof/made-good/made-good.queries.ts'
import { payAmendments } from '#server/proof/made-good/pay-made-good.ts'
import { countAudits, isChosen } from '#server/proof/audit/record-audit.queries.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import { useMadeGoodSites } from '#test/support/made-good-sites.ts'
import { ORDERS } from '#test/support/recorded-site.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const { begin, voidSite, payments, owed, orders, missedProfits, runUntilMadeGood, jobsByHand, readTwice } =
  useMadeGoodSites(database)

describe('A89: attack: history host cut for a day', () => {
  it("pays what the users of void orders missed, once the provider's history is read", async () => {
    const site = await voidSite()
    await site.runUntil(later(site.ctx.now(), MINUTE_MS))
    // Until it has read the provider's record, the server pays nothing.
    expect(await owed()).toEqual([])
    site.market.record.mood = 'well'
    await runUntilMadeGood(site)
    const missed = await missedProfits(site)
    expect(missed.size).toBeGreaterThan(0)
    expect(missed.size).toBeLessThan(ORDERS)
    const paid = await payments()
    expect(new Map(paid.map((row) => [row.ref, row.amount]))).toEqual(missed)
    expect(paid.every((row) => row.user_id === site.userId && row.from_account === 'house:trading')).toBe(true)
    // The results stay as they were signed, and no money is taken back.
    expect((await orders()).map((row) => row.result)).toEqual(Array(ORDERS).fill(4))
    expect((await checkLedger(database.db)).clean).toBe(true)
    const voids = await site.app.call(calls.proofVoids, { query: { by: 'cause' } })
    expect(voids.body.data.voids.made_good).toMatchObject({ orders: missed.size, unread: 0, waiting: [] })
  })

  it('signs a receipt of each payment that anyone can check', async () => {
    const site = await voidSite()
    site.market.record.mood = 'well'
    await runUntilMadeGood(site)
    const [one] = await owed()
    const order = (await orders()).find(({ id }) => id === one?.order_id)
    const params = { trx: order?.trx ?? '' }
    const keys = await site.app.call(calls.proofKeys)
    const check = async () => {
      const receipts = await site.app.call(calls.proofReceipt, { params })
      const evidence = await site.app.call(calls.proofEvidence, { params })
      expect([receipts.status, receipts.body, evidence.status]).toEqual([200, receipts.body, 200])
      const read = readBundle({
        ...receipts.body.data,
        evidence: evidence.body.data,
        keys: keys.body.data.keys,
      })
      if (read === null || (read.amended ?? null) === null) return null
      return checkBundle(SERVER_TOOLS, { ...read, ...read.evidence })
    }
    await vi.waitFor(async () => {
      site.ctx.clock.advance(SECOND_MS)
      expect(await check()).not.toBeNull()
    })
    const checked = await check()
    expect(checked?.faults).toEqual([])
    expect(checked?.amended).toMatchObject({ by: 'record', amended: 'win', paid: order?.profit_basis_points })
    expect(checked?.amended?.record.last?.ref).toBe(site.market.around(instant(order?.expires_ms ?? 0n)).last?.ref)
  })

  it("accepts no orders after the provider's history was unread for 72 hours, and accepts orders once it is read", async () => {
    const { market, pauseOf, readAfter } = await jobsByHand()
    await readAfter(0)
    await readAfter(3 * DAY_MS - MINUTE_MS)
    expect(pauseOf()).toBeNull()
    await readAfter(2 * MINUTE_MS)
    expect(pauseOf()).toBe('record_unread')
    market.record.mood = 'well'
    await readAfter(DAY_MS)
    expect(pauseOf()).toBe('record_unread')
    await readAfter(DAY_MS)
    await readAfter(DAY_MS)
    expect(pauseOf()).toBeNull()
  })

  it("pays only after two equal readings of the provider's history", async () => {
    const { site, market, readAfter } = await jobsByHand()
    const { last } = market.around(site.expiry)
    const reading = () =>
      database.db
        .selectFrom('record_check')
        .select(['first_reading', 'read_ms'])
        .where('expires_ms', '=', BigInt(site.expiry))
        .executeTakeFirstOrThrow()
    market.record.mood = 'well'
    await readAfter(0)
    if ((await reading()).first_reading === null) await readAfter(DAY_MS)
    const first = await reading()
    market.correctRecord((trade) => (trade.ref === last?.ref ? { ...trade, price: '61234.56' } : trade))
    await readAfter(DAY_MS)
    const second = await reading()
    expect(second.read_ms).toBeNull()
    expect(second.first_reading).not.toBe(first.first_reading)
    await readAfter(DAY_MS)
    expect((await reading()).read_ms).not.toBeNull()
  })
})

describe('A89: attack: withhold, redirect or double a payment that is owed', () => {
  it('pays once when two servers pay concurrently', async () => {
    const { site, payer } = await readTwice()
    await Promise.all([payAmendments(payer), payAmendments({ ...payer, signingKey: await makeSigningKey() })])
    await payAmendments(payer)
    const missed = await missedProfits(site)
    expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(missed)
    expect((await checkLedger(database.db)).clean).toBe(true)
  })

  it('signs the receipt after a crash between payment and receipt', async () => {
    const { payer } = await readTwice()
    const crashing = { ...payer.signingKey, sign: () => Promise.reject(new Error('killed')) }
    await expect(payAmendments({ ...payer, signingKey: crashing })).rejects.toThrow('killed')
    const paid = await payments()
    expect(paid.length).toBeGreaterThan(0)
    const batches = () => database.db.selectFrom('receipt_batch').select('id').where('kind', '=', 'amended').execute()
    expect(await batches()).toEqual([])
    await payAmendments(payer)
    expect(await batches()).toHaveLength(1)
    expect(await payments()).toEqual(paid)
  })

  it('pays a blocked user, and publishes a large incident 72 hours before the payment', async () => {
    const { site, payer, mails } = await readTwice()
    await database.db
      .insertInto('user_measure')
      .values({
        id: site.ctx.newId(),
        user_id: site.userId,
        kind: 'sign_in_off',
        value: null,
        reason: 'A winner who is to be kept out.',
        since_ms: site.ctx.now(),
        until_ms: null,
        asked_by: null,
      })
      .execute()
    await payAmendments({ ...payer, shownAbove: money(1n) })
    expect(await payments()).toEqual([])
    const missed = await missedProfits(site)
    const waiting = { source: 'binance', orders: missed.size, paysAt: later(site.ctx.now(), 3 * DAY_MS) }
    expect(await listWaiting(database.db, site.ctx.now())).toMatchObject([waiting])
    expect(mails).toMatchObject([waiting])
    site.ctx.clock.jump(3 * DAY_MS)
    await payAmendments(payer)
    expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(missed)
  })

  it('refuses changes of amounts, users and readings by the server', async () => {
    const site = await voidSite()
    site.market.record.mood = 'well'
    await runUntilMadeGood(site)
    const { db } = database
    for (const change of [
      db.updateTable('made_good').set({ amount: 1n }),
      db.updateTable('made_good').set({ user_id: site.ctx.newId() }),
      db.deleteFrom('made_good'),
      db.deleteFrom('record_check'),
      db.updateTable('record_check').set({ source: 'other' }),
    ])
      await expect(change.execute()).rejects.toThrow(/permission denied/)
    await expect(db.updateTable('record_check').set({ first_reading: '{}', reading: '{}' }).execute()).rejects.toThrow(
      'the record of this expiry was read',
    )
  })
})

describe('the audit of decided prices', () => {
  it("finds a price that the provider's history contradicts, and pays users who would have received more", async () => {
    const site = await begin()
    await site.placeOrders()
    await site.runUntilSettled()
    const before = await orders()
    const loser = before.find((order) => order.result === 2)
    const { market, payer, readAfter } = await jobsByHand(site)
    const { symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence } = await database.db
      .selectFrom('decided_price')
      .selectAll()
      .where('expires_ms', '=', loser?.expires_ms ?? 0n)
      .executeTakeFirstOrThrow()
    const key = { symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence }
    // The hash of the log chooses one decided price in a hundred for the audit. Here it has chosen this one.
    await database.db
      .insertInto('record_audit')
      .values({ ...key, chosen_ms: site.ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { last } = market.around(instant(expires_ms))
    const entry = Number(loser?.entry_price)
    const other = loser?.direction === BUY ? entry + 100 : entry - 100
    market.correctRecord((trade) => (trade.ref === last?.ref ? { ...trade, price: (other / 100).toFixed(2) } : trade))
    await readAfter(MINUTE_MS)
    // The hash may also have chosen other prices, which agree with the provider's history.
    const { chosen, equal, different } = await countAudits(database.db, TEST_START)
    expect([different, chosen - equal]).toEqual([1, 1])
    await payAmendments(payer)
    expect(await payments()).toEqual([])
    await readAfter(DAY_MS)
    await payAmendments(payer)
    const wins = (order: (typeof before)[number], exit: number) =>
      exit !== Number(order.entry_price) && exit > Number(order.entry_price) === (order.direction === BUY)
    const expected = before
      .filter((order) => order.expires_ms === expires_ms && order.result === 2 && wins(order, other))
      .map((order) => [order.id, order.stake + (order.stake * BigInt(order.profit_basis_points)) / 10_000n] as const)
    expect(expected.length).toBeGreaterThan(0)
    expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(new Map(expected))
    expect(await orders()).toEqual(before)
    expect((await checkLedger(database.db)).clean).toBe(true)
  })

  it("finds nothing where the provider's history agrees", async () => {
    const site = await begin()
    await site.placeOrders()
    await site.runUntilSettled()
    const { readAfter } = await jobsByHand(site)
    const { symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence } = await database.db
      .selectFrom('decided_price')
      .selectAll()
      .executeTakeFirstOrThrow()
    await database.db
      .insertInto('record_audit')
      .values({ symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence, chosen_ms: site.ctx.now() })
      .execute()
    await readAfter(MINUTE_MS)
    expect(await countAudits(database.db, TEST_START)).toEqual({ chosen: 1, equal: 1, different: 0 })
    expect(await database.db.selectFrom('record_check').selectAll().execute()).toEqual([])
  })

  it('chooses about one expiry in a hundred, by the log and the expiry alone', () => {
    const head = 'ab'.repeat(32)
    const chosen = Array.from({ length: 20_000 }, (_, at) => isChosen(head, at)).filter(Boolean).length
    expect(chosen).toBeGreaterThan(100)
    expect(chosen).toBeLessThan(300)
    expect(isChosen(head, 7)).toBe(isChosen(head, 7))
  })
})
