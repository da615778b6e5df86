import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
type OrdersPage = z.output<typeof staffCalls.staffOrders.reply>
type TransfersPage = z.output<typeof staffCalls.staffTransfers.reply>

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let alice: TestUser
let bob: TestUser
let owner: StaffSession
let support: StaffSession
/**
 * References of the orders in the sequence of their opening: Alice's won, drawn and lost order, Bob's lost order, and
 * Alice's open order.
 */
let trxs: string[]

/** Creates the trades that all tests read. */
beforeAll(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  owner = await app.staff('owner')
  support = await app.staff('support')
  alice = await app.verifiedUser('alice')
  bob = await app.verifiedUser('bob')
  for (const user of [alice, bob])
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  trxs = [await trade(alice, BUY, 6_000), await trade(alice, BUY, 5_000), await trade(alice, SELL, 7_000)]
  trxs.push(await trade(bob, BUY, 4_000))
  await speak(5_000)
  trxs.push((await place(alice, BUY)).trx)
})
afterAll(async () => {
  await app.stop()
})

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

async function place(user: TestUser, direction: Direction) {
  const placed = await app.engine.place({
    userId: user.id,
    clientOrderId: app.ctx.newId(),
    direction,
    tradeSettingId: 1,
    stake: money(10_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  assert(placed.ok, 'placed')
  return placed.value
}

async function trade(user: TestUser, direction: Direction, exit: number): Promise<string> {
  await speak(5_000)
  const { trx } = await place(user, direction)
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak(exit)
  app.ctx.clock.advance(2_000)
  await speak(exit + 1)
  await app.engine.settleDue()
  return trx
}

describe('the list of orders', () => {
  const list = async (query: Record<string, string | number>, who = support) => {
    const { body } = await who.call(staffCalls.staffOrders, { query })
    return body.data.rows.map(({ trx, state }) => [trx, state])
  }

  it('contains the orders of all users, newest first, open and settled together, in pages', async () => {
    const [won, draw, lost, bobs, open] = trxs
    const everything = [
      [open, 'open'],
      [bobs, 'lost'],
      [lost, 'lost'],
      [draw, 'draw'],
      [won, 'won'],
    ]
    expect(await list({})).toEqual(everything)
    const seen: unknown[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page: OrdersPage = (
        await support.call(staffCalls.staffOrders, { query: { limit: 2, ...(after && { after }) } })
      ).body.data
      seen.push(...page.rows.map(({ trx, state }) => [trx, state]))
      after = page.next
    }
    expect(seen).toEqual(everything)
  })

  it('finds orders by user, reference, state, symbol and time', async () => {
    const [won, draw, lost, bobs, open] = trxs
    expect(await list({ search: 'BOB' })).toEqual([[bobs, 'lost']])
    expect(await list({ search: 'nobody' })).toEqual([])
    expect(await list({ search: won?.toLowerCase().slice(0, 14) ?? '' })).toEqual([[won, 'won']])
    expect(await list({ search: open ?? '' })).toEqual([[open, 'open']])
    expect(await list({ state: 'open' })).toEqual([[open, 'open']])
    expect(await list({ state: 'draw' })).toEqual([[draw, 'draw']])
    expect(await list({ state: 'void' })).toEqual([])
    expect(await list({ state: 'lost', search: 'alice' })).toEqual([[lost, 'lost']])
    expect(await list({ symbol: 'eth' })).toEqual([])
    expect(await list({ symbol: 'btc', state: 'won' })).toEqual([[won, 'won']])
    const day = toIso(app.ctx.now()).slice(0, 10)
    expect(await list({ from: day, to: day })).toHaveLength(5)
    expect(await list({ to: '2020-01-01' })).toEqual([])
    expect((await support.call(staffCalls.staffOrders, { query: { from: 'soon' } })).status).toBe(422)
  })

  it('shows the ticks that decided an order, which no call can change', async () => {
    const { body } = await support.call(staffCalls.staffOrder, { params: { trx: trxs[0] ?? '' } })
    expect(body.data).toMatchObject({
      state: 'won',
      username: 'alice',
      direction: 'buy',
      stake: 100,
      entry_price: 50,
      exit_price: 60,
      rule_version: 2,
      void_reason: null,
      entry: { price: 50 },
      exit: { price: 60 },
      next: { price: 60.01 },
    })
    expect(body.data.exit?.q).toBeLessThan(body.data.next?.q ?? 0)
    expect(Date.parse(body.data.exit?.at ?? '')).toBeLessThan(Date.parse(body.data.expires_at))
    const running = await support.call(staffCalls.staffOrder, { params: { trx: trxs[4] ?? '' } })
    expect(running.body.data).toMatchObject({ state: 'open', exit: null, next: null, decided_at: null, result: null })
    expect((await support.call(staffCalls.staffOrder, { params: { trx: 'FW-0000' } })).status).toBe(404)
    expect(app.routes.filter((route) => route.includes('/api/admin/orders'))).toEqual([
      'GET /api/admin/orders',
      'GET /api/admin/orders.csv',
      'GET /api/admin/orders/:trx',
    ])
  })
})

describe('the ledger', () => {
  const list = async (query: Record<string, string>) => {
    const { body } = await owner.call(staffCalls.staffTransfers, { query })
    return body.data.rows
  }

  it('finds transfers by user, kind, account, reference and time', async () => {
    const everything = await list({})
    // The orders have 10 transfers: five stakes, four settlements and one profit. The other transfers are deposits.
    expect(everything.filter(({ kind }) => kind.startsWith('order_'))).toHaveLength(10)
    expect(everything[0]).toMatchObject({ kind: 'order_stake', username: 'alice', amount: 100 })
    expect(new Set((await list({ user: 'Bob' })).map(({ username }) => username))).toEqual(new Set(['bob']))
    expect(await list({ user: 'nobody' })).toEqual([])
    expect(await list({ kind: 'order_profit' })).toHaveLength(1)
    expect((await list({ account: 'house:deposits', user: 'bob' })).map(({ kind }) => kind)).toEqual(['deposit'])
    expect(await list({ account: 'house:trading' })).toHaveLength(3)
    expect(await list({ account: 'withdrawing' })).toEqual([])
    expect(await list({ account: 'staked' })).toHaveLength(9)
    expect((await list({ ref: trxs[0] ?? '' })).map(({ step }) => step).toSorted()).toEqual([
      'close',
      'profit',
      'stake',
    ])
    expect(await list({ ref: 'FW-NONE' })).toEqual([])
    expect(await list({ to: '2020-01-01' })).toEqual([])
    expect((await support.call(staffCalls.staffTransfers)).body.code).toBe('not_allowed')
  })

  it('returns each transfer once across pages, even when many share one time', async () => {
    const seen: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page: TransfersPage = (
        await owner.call(staffCalls.staffTransfers, { query: { limit: 5, ...(after && { after }) } })
      ).body.data
      seen.push(...page.rows.map(({ ref, step }) => `${ref} ${step}`))
      after = page.next
    }
    expect(seen).toEqual((await list({})).map(({ ref, step }) => `${ref} ${step}`))
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('lists all transfers of one order, in the sequence of posting', async () => {
    const [first] = await list({ kind: 'order_profit' })
    const params = { user_id: first?.user_id ?? '', ref: first?.ref ?? '' }
    const { body } = await owner.call(staffCalls.staffTransfersOf, { params })
    expect(body.data.about).toEqual({ kind: 'order', trx: trxs[0] })
    expect(body.data.transfers.map(({ kind }) => kind)).toEqual(['order_stake', 'order_profit', 'order_win'])
    const none = { ...params, user_id: bob.id }
    expect((await owner.call(staffCalls.staffTransfersOf, { params: none })).status).toBe(404)
  })

  it('reports the last reconciliation and runs one on request', async () => {
    const report = async () => (await owner.call(staffCalls.staffLedger)).body.data.report
    app.ctx.clock.advance(1)
    const requestedAt = toIso(app.ctx.now())
    expect((await owner.call(staffCalls.staffCheckLedger)).status).toBe(200)
    await vi.waitFor(async () => expect((await report())?.checked_at).toBe(requestedAt))
    expect(await report()).toMatchObject({
      whole_at: requestedAt,
      sums_until: null,
      is_clean: true,
      open_orders: 1,
      transfers: (await list({})).length,
      sum_of_all: 0,
      mismatches: [],
    })
    const accounts = new Map((await report())?.accounts.map(({ account, total }) => [account, total]))
    expect(accounts.get('house:deposits')).toBeLessThanOrEqual(-2_000)
    expect([...accounts.values()].reduce((sum, total) => sum + total, 0)).toBeCloseTo(0)
  })

  it('reports a balance that differs from its transfers, and blocks new orders until they agree again', async () => {
    const cash = database.db.updateTable('balance').where('user_id', '=', bob.id)
    const { cash: before } = await database.db
      .selectFrom('balance')
      .select('cash')
      .where('user_id', '=', bob.id)
      .executeTakeFirstOrThrow()
    const isClean = async () => {
      await owner.call(staffCalls.staffCheckLedger)
      await vi.waitFor(async () => expect((await owner.call(staffCalls.staffLedger)).body.data.is_checking).toBe(false))
      return (await owner.call(staffCalls.staffLedger)).body.data.report
    }
    await cash.set({ cash: before + 1n }).execute()
    expect(await isClean()).toMatchObject({ is_clean: false, mismatches: [{ user_id: bob.id, what: 'cash' }] })
    expect(app.engine.takesOrders()).toBe(false)
    await cash.set({ cash: before }).execute()
    expect(await isClean()).toMatchObject({ is_clean: true })
    expect(app.engine.takesOrders()).toBe(true)
  })
})

describe('the audit log', () => {
  const list = async (query: Record<string, string>) =>
    (await owner.call(staffCalls.staffAudit, { query })).body.data.rows

  it('finds entries by staff member, action, subject and address', async () => {
    await owner.call(staffCalls.staffInviteMember, {
      body: { name: 'vera', role: 'support', mail: 'vera@example.com' },
    })
    const [line] = await list({ area: 'staff' })
    expect(line).toMatchObject({ who: 'owner', what: 'staff/invite', target: 'vera', outcome: 'done' })
    expect(line?.request_id).not.toBe('')
    expect(line?.seq).toBeGreaterThan(0)
    expect(await list({ target: 'vera' })).toEqual([line])
    expect((await list({ who: 'OWNER', outcome: 'done', area: 'staff' })).map(({ id }) => id)).toEqual([line?.id])
    expect(await list({ who: 'nobody' })).toEqual([])
    expect(await list({ to: '2020-01-01' })).toEqual([])
    const detail = await owner.call(staffCalls.staffAuditLine, { params: { id: line?.id ?? '' } })
    expect(detail.body.data).toMatchObject({ before: null, after: { role: 'support' } })
    expect(detail.body.data.hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await owner.call(staffCalls.staffAuditLine, { params: { id: alice.id } })).status).toBe(404)
  })

  it('can be exported as CSV, and the export adds an entry to it', async () => {
    const { text } = await owner.read('/admin/audit.csv?who=owner')
    expect(text.split('\r\n')[0]).toBe('\uFEFFid,seq,at,who,what,target,outcome,reason,request_id,address,target_name')
    expect((await list({ area: 'export' }))[0]).toMatchObject({ target: '/admin/audit', outcome: 'looked' })
  })

  it('F11: the entry of an export names whose data were exported, with which filters and from which address', async () => {
    await support.read(`/admin/users/${alice.id}/notes.csv?bom=no`)
    const [ofUser] = await list({ area: 'export' })
    expect(ofUser).toMatchObject({ target: `/admin/users/${alice.id}/notes`, target_name: 'Users' })
    expect(ofUser?.address).not.toBe('')
    await support.read('/admin/orders.csv?state=won&symbol=BTC')
    const [ofOrders] = await list({ area: 'export' })
    const { after } = (await owner.call(staffCalls.staffAuditLine, { params: { id: ofOrders?.id ?? '' } })).body.data
    expect(after).toEqual({ filters: { state: 'won', symbol: 'BTC' } })
  })

  it('verifies its chain and names an entry that was changed in the database', async () => {
    const verify = async (noted = '') => (await owner.call(staffCalls.staffVerifyAudit, { body: { noted } })).body.data
    const whole = await verify()
    expect(whole.broken).toBeNull()
    expect((await verify(whole.end)).broken).toBeNull()
    await database.asOwner(async (db) => {
      await sql`alter table admin_action disable trigger user`.execute(db)
      await db.updateTable('admin_action').set({ target: 'eve' }).where('target', '=', 'vera').execute()
      await sql`alter table admin_action enable trigger user`.execute(db)
    })
    const [changed] = await list({ target: 'eve' })
    expect((await verify()).broken).toEqual({ seq: changed?.seq, id: changed?.id, why: 'changed' })
  })
})
