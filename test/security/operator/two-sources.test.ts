import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import { money } from '#core/money/money.ts'
import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { publishSources } from '#server/market-data/source-versions/publish-sources.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const ENTRY = 9_400_000
const SOURCES = ['binance', 'coinbase'] as const
const database = useTestDatabase()
let app: TestApp
let userId: string
let refs: Record<(typeof SOURCES)[number], number>

const CONFIGURATION: SourceConfiguration = {
  program: 'test',
  providers: SOURCES.map((name) => ({ name, kind: name })),
  limits: limitsOf({ limits: {} }, {}),
  symbols: [
    {
      code: BTC.code,
      id: BTC.id,
      decimals: BTC.decimals,
      rounding: 'half-even',
      sources: SOURCES.map((provider) => ({ provider, symbol: 'BTC', channel: 'trade', class: 'ids' })),
    },
  ],
}

beforeEach(async () => {
  refs = { binance: 100, coinbase: 7_000 }
  app = await createTestApp(database)
  await publishSources(app.ctx, 'demo', CONFIGURATION)
  await forceTerms(database.db, [{ what: 'rule', of: 'all', value: '2' }])
  await app.catalogue.reload()
  await app.startMarkets()
  userId = await createFundedUser(app.ctx, money(1_000_000n))
})
afterEach(() => app.stop())

/** A trade of a source, now. The server does not receive `missed` trades before it. */
async function trade(source: (typeof SOURCES)[number], units: number, missed = 0): Promise<void> {
  refs[source] += 1 + missed
  const time = app.ctx.now()
  app.feed.trade(BTC.id, units, { time, source, ref: refs[source] })
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC.id)?.time).toBe(time))
}

/** Places an order that begins on the first source. Returns its expiry. */
async function place(): Promise<Instant> {
  await trade('binance', ENTRY)
  expect(await app.engine.place(orderRequest(userId, 'order'))).toMatchObject({ ok: true })
  const { expires_ms: expiresMs } = await database.db
    .selectFrom('open_order')
    .select('expires_ms')
    .where('entry_source', '=', 'binance')
    .executeTakeFirstOrThrow()
  return later(app.ctx.now(), Number(expiresMs) - app.ctx.now())
}

const history = () => database.db.selectFrom('order_history').selectAll().execute()
const until = (at: Instant) => app.ctx.clock.advance(at - app.ctx.now())

it('A85: attack: the first source cut so that the second decides', async () => {
  const expiry = await place()
  until(later(expiry, -2 * SECOND_MS))
  // The server now hears the second source only, at a price at which the order loses.
  await trade('coinbase', ENTRY - 5_000)
  until(later(expiry, SECOND_MS))
  await trade('coinbase', ENTRY - 5_000)
  app.ctx.clock.advance(10 * MINUTE_MS)
  await trade('coinbase', ENTRY - 5_000)
  // The record of the first source cannot be read, so the order is void. After the record can be read, the order is made good.
  await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    await app.engine.settleDue()
    expect(await history()).toMatchObject([{ result: 4, void_reason: 'history_unavailable', exit_price: null }])
  })
})

it('A86: attack: a lying second source', async () => {
  const expiry = await place()
  until(later(expiry, -2 * SECOND_MS))
  await trade('binance', ENTRY + 1_000)
  // The second source contradicts the first one just before the expiry, and right after it.
  await trade('coinbase', 1)
  app.feed.doubt(BTC.id, 'divergence')
  until(later(expiry, SECOND_MS))
  await trade('coinbase', 1)
  await trade('binance', ENTRY + 900)
  await vi.waitFor(async () => {
    await app.engine.settleDue()
    expect(await history()).toMatchObject([{ result: 1, void_reason: null, exit_price: BigInt(ENTRY + 1_000) }])
  })
})
