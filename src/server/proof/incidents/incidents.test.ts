import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { IncidentOut } from '#contract/incidents.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { addIncidents, type IncidentRow } from '#server/market-data/feeds/multi-source/incidents.queries.ts'
import { insertGap } from '#server/market-data/tick-log/gap.queries.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const ETH = 2
const database = useTestDatabase()
let app: TestApp

beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

/** Lists incidents, after advancing the clock beyond the 5 s for which requests share a reply. */
async function list(query: { before?: string; symbol?: string } = {}) {
  app.ctx.clock.advance(5_000)
  return (await app.call(calls.proofIncidents, { query })).body.data
}

describe('void orders', () => {
  let orders = 0

  async function speak(symbolId: number, units: number): Promise<void> {
    const time = app.ctx.now()
    app.feed.tick(symbolId, units, time)
    app.ctx.clock.advance(100)
    await vi.waitFor(() => expect(app.ticks.latest(symbolId)?.time).toBe(time))
  }

  async function place({ id: userId }: TestUser, symbol: string) {
    orders += 1
    const placed = await app.engine.place({
      userId,
      clientOrderId: `secret-${orders}`,
      direction: BUY,
      tradeSettingId: 1,
      stake: money(123_400n),
      symbol,
      marketType: null,
      slippageGuard: null,
    })
    assert(placed.ok, 'placed')
    return placed.value
  }

  it('IN1, IN3: appear as a count per expiry without a price, and do not reveal their users', async () => {
    await app.startMarkets()
    const [alice, bob] = [await app.verifiedUser('alice'), await app.verifiedUser('bob')]
    for (const { token } of [alice, bob]) {
      await app.call(calls.saveDeposit, { token, body: { amount: 10_000, method_id: 1 } })
    }
    await speak(BTC, 9_400_000)
    await speak(ETH, 300_000)
    const placed = [
      await place(alice, 'BTC'),
      await place(alice, 'BTC'),
      await place(bob, 'BTC'),
      await place(bob, 'ETH'),
    ]
    app.ctx.clock.advance(MINUTE_MS - 1_000)
    await speak(ETH, 300_001)
    app.ctx.clock.advance(20_000)
    await speak(BTC, 9_500_000)
    await speak(ETH, 300_002)
    await app.engine.settleDue()

    const { incidents } = await list()
    const expiresAt = placed[0]?.expiresAt
    const voids = incidents.filter(({ kind }) => kind === 'void')
    expect(voids).toMatchObject([
      { cause: 'no_tick_before_expiry', symbol: 'BTC', from_ms: expiresAt, orders_refunded: 3, source: null },
    ])
    const gap = incidents.find(({ kind }) => kind === 'gap')
    expect(gap).toMatchObject({ cause: 'prices_missed', symbol: 'BTC', from_ms: TEST_START, orders_refunded: 3 })
    const text = JSON.stringify(incidents)
    const secrets = [alice, bob].flatMap(({ id, username }) => [id, username])
    const facts = placed.flatMap(({ orderId, trx }) => [orderId, trx])
    for (const secret of [...secrets, ...facts, 'secret', '1234']) expect(text).not.toContain(secret)
    expect(Object.keys(voids[0] ?? {}).toSorted()).toEqual(
      ['cause', 'from_ms', 'id', 'kind', 'orders_refunded', 'source', 'symbol', 'to_ms'].toSorted(),
    )
  })
})

const feedIncident = (n: number, change: Partial<IncidentRow> = {}): IncidentRow => ({
  id: `0195a000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
  symbolId: BTC,
  kind: 'silent',
  source: 'somewhere',
  at: TEST_START,
  lasts: true,
  detail: 'a message of its own',
  ...change,
})

async function insertVoid(symbolId: number, expiresMs: number, refunded = 0): Promise<void> {
  await sql`insert into settlement_price (symbol_id, expires_ms, watermark_ms, void_reason, decided_ms)
    values (${symbolId}, ${expiresMs}, 0, 'no_price_after_expiry', ${expiresMs + 60_000})`.execute(app.ctx.db)
  for (let n = 0; n < refunded; n += 1) {
    const own = { user_id: app.ctx.newId(), id: app.ctx.newId(), symbol_id: symbolId, expires_ms: expiresMs }
    const voidColumns = { void_reason: 'no_price_after_expiry', settled_ms: expiresMs + 60_000 }
    await app.ctx.db
      .insertInto('order_history')
      .values(historyRow({ ...own, ...voidColumns }))
      .execute()
  }
}

describe('incidents of feeds', () => {
  it("IN1: show symbol, duration and number of orders, but not the feed's own text", async () => {
    const { db } = app.ctx
    const endedIncident = feedIncident(1, { kind: 'divergence', source: null })
    const lasting = feedIncident(2, { at: later(TEST_START, 1_000), symbolId: ETH, kind: 'gap' })
    const moment = feedIncident(3, { at: later(TEST_START, 2_000), kind: 'spike_dropped', lasts: false })
    const of = feedIncident(4, { at: later(TEST_START, 3_000), kind: 'lost', lasts: false, symbolId: null })
    await addIncidents(
      db,
      [endedIncident, lasting, moment, of],
      [{ incidentId: endedIncident.id, at: later(TEST_START, 30_000) }],
    )
    await insertVoid(BTC, TEST_START - 1, 1)
    await insertVoid(BTC, TEST_START + 30_000, 2)
    const { incidents, next } = await list()
    expect(next).toBeNull()
    const from = (ms: number) => ({ from_ms: TEST_START + ms })
    expect(incidents).toMatchObject([
      { kind: 'void', orders_refunded: 2, ...from(30_000), to_ms: TEST_START + 90_000 },
      { kind: 'feed', cause: 'lost', symbol: null, orders_refunded: null, ...from(3_000) },
      { cause: 'spike', symbol: 'BTC', orders_refunded: 0, ...from(2_000), to_ms: TEST_START + 2_000 },
      { cause: 'outage', symbol: 'ETH', source: 'somewhere', ...from(1_000), to_ms: null },
      { cause: 'divergence', orders_refunded: 2, ...from(0), to_ms: TEST_START + 30_000 },
      { kind: 'void', orders_refunded: 1, ...from(-1) },
    ])
    expect(JSON.stringify(incidents)).not.toContain('message of its own')
  })
})

describe('paging', () => {
  async function walk(symbol?: string, between?: () => Promise<void>): Promise<IncidentOut[]> {
    const all: IncidentOut[] = []
    for (let before: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        ...(before !== null && { before }),
        ...(symbol !== undefined && { symbol }),
      })
      all.push(...page.incidents)
      await between?.()
      before = page.next
      if (before === null) return all
    }
  }

  it('IN2: skips and repeats no incident, even when many incidents start at one instant and more incidents arrive', async () => {
    const { db } = app.ctx
    const rows: IncidentRow[] = []
    for (let n = 0; n < 30; n += 1) {
      const at = instant(TEST_START + Math.floor(n / 7) * 1_000)
      const symbolId = n % 2 === 0 ? BTC : ETH
      rows.push(feedIncident(n + 1, { at, symbolId }))
      await insertGap(db, { symbolId: n + 1, from: at, until: later(at, 5) }, at)
      await insertVoid(n % 5, at + n)
    }
    await addIncidents(db, rows, [])
    let more = 0
    const all = await walk(undefined, async () => {
      more += 1
      await insertVoid(90 + more, TEST_START + 100_000)
    })
    const ids = all.map(({ id }) => id)
    expect(new Set(ids).size).toBe(90)
    expect(ids).toHaveLength(90)
    const times = all.map(({ from_ms }) => from_ms)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const btc = await walk('btc')
    expect(btc.map(({ id }) => id)).toEqual(all.filter(({ symbol }) => symbol === 'BTC').map(({ id }) => id))
  })

  it('IN1: replies 304 to a client that has the page already, and shares the newest page for 5 s', async () => {
    await insertVoid(BTC, TEST_START)
    app.ctx.clock.advance(5_000)
    const { headers } = await app.call(calls.proofIncidents)
    expect(headers['cache-control']).toBe('no-cache')
    await insertVoid(ETH, TEST_START)
    const etag = String(headers['etag'])
    expect((await app.call(calls.proofIncidents, { headers: { 'if-none-match': etag } })).status).toBe(304)
    app.ctx.clock.advance(5_000)
    const { status, body } = await app.call(calls.proofIncidents, { headers: { 'if-none-match': etag } })
    expect([status, body.data.incidents.length]).toEqual([200, 2])
  })

  it('IN1: refuses malformed queries and clients that call too often', async () => {
    const statusOf = async (query: Record<string, string>) => (await app.call(calls.proofIncidents, { query })).status
    expect(await statusOf({ before: 'yesterday' })).toBe(422)
    expect(await statusOf({ before: "1:void:1'--" })).toBe(422)
    expect(await statusOf({ symbol: 'NOBODYS' })).toBe(422)
    expect(await statusOf({ before: '0:void:0' })).toBe(200)
    let status = 200
    for (let n = 0; n < 100 && status === 200; n += 1) status = await statusOf({})
    expect(status).toBe(429)
  })
})
