import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { price, type Price, volume } from '#core/money/price.ts'
import { readBundle } from '#core/proof/bundle-file.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import type { RecordQuery } from '#server/market-data/feeds/base/feed.ts'
import { toHex } from '#core/proof/bytes.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import type { SourceClass } from '#core/markets/source-class.ts'
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

const COMPUTED = ['synthetic', 'replay'] as const

function configurationOf(names: readonly string[], sourceClass: SourceClass): SourceConfiguration {
  return {
    program: 'test',
    providers: names.map((name) => ({ name, kind: name })),
    limits: limitsOf({ limits: {} }, {}),
    symbols: [
      {
        code: BTC.code,
        id: BTC.id,
        decimals: BTC.decimals,
        rounding: 'half-even',
        sources: names.map((provider) => ({ provider, symbol: 'BTC', channel: 'trade', class: sourceClass })),
      },
    ],
  }
}

beforeEach(async () => {
  refs = { binance: 100, coinbase: 7_000 }
  app = await createTestApp(database)
  await forceTerms(database.db, [{ what: 'rule', of: 'all', value: '2' }])
  await app.startMarkets()
  await configure(configurationOf(SOURCES, 'ids'))
  userId = await createFundedUser(app.ctx, money(1_000_000n))
})
afterEach(() => app.stop())

async function configure(configuration: SourceConfiguration): Promise<void> {
  const { inForce } = await publishSources(app.ctx, 'demo', configuration)
  app.feed.configured(toHex(inForce?.hash ?? new Uint8Array()))
  await app.catalogue.reload()
}

/**
 * Sends a trade of a source with the present time. The trade numbers show that the server missed `missed` trades
 * before.
 */
async function trade(source: (typeof SOURCES)[number], units: number, missed = 0): Promise<void> {
  refs[source] += 1 + missed
  const time = app.ctx.now()
  app.feed.trade(BTC.id, units, { time, source, ref: refs[source] })
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC.id)?.time).toBe(time))
}

/** Sends a price of a source that computes its prices, with the present time and without a trade number. */
async function computed(source: string, units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.trade(BTC.id, units, { time, source })
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC.id)?.time).toBe(time))
}

/** Places an order that begins on a source. Returns its expiry. */
async function place(source = 'binance'): Promise<Instant> {
  if (source === 'binance') await trade('binance', ENTRY)
  else await computed(source, ENTRY)
  expect(await app.engine.place(orderRequest(userId, 'order'))).toMatchObject({ ok: true })
  const { expires_ms: expiresMs } = await database.db
    .selectFrom('open_order')
    .select('expires_ms')
    .where('entry_source', '=', source)
    .executeTakeFirstOrThrow()
  return later(app.ctx.now(), Number(expiresMs) - app.ctx.now())
}

/** Checks the receipts of the order with public data only, as anybody can, and returns the faults. */
async function checkedFaults(): Promise<readonly string[]> {
  const { trx } = await database.db.selectFrom('order_history').select('trx').executeTakeFirstOrThrow()
  const [receipts, evidence, keys] = await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    const replies = [
      await app.call(calls.proofReceipt, { params: { trx } }),
      await app.call(calls.proofEvidence, { params: { trx } }),
      await app.call(calls.proofKeys),
    ] as const
    expect(replies[0].body.data.result).not.toBeNull()
    return replies
  })
  const read = readBundle({ ...receipts.body.data, evidence: evidence.body.data, keys: keys.body.data.keys })
  if (read === null) throw new Error('the reply is a check file')
  return checkBundle(SERVER_TOOLS, { ...read, ...read.evidence }).faults
}

const history = () => database.db.selectFrom('order_history').selectAll().execute()
const until = (at: Instant) => app.ctx.clock.advance(at - app.ctx.now())

it('A85: attack: the first source cut so that the second decides', async () => {
  const expiry = await place()
  until(later(expiry, -2 * SECOND_MS))
  // The server now receives only the second source, at a price at which the order loses.
  await trade('coinbase', ENTRY - 5_000)
  until(later(expiry, SECOND_MS))
  await trade('coinbase', ENTRY - 5_000)
  app.ctx.clock.advance(10 * MINUTE_MS)
  await trade('coinbase', ENTRY - 5_000)
  // While the record of the first source cannot be read, the order is void. As soon as the record can be read, the
  // order is made good.
  await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    await app.engine.settleDue()
    expect(await history()).toMatchObject([{ result: 4, void_reason: 'history_unavailable', exit_price: null }])
  })
  expect(await checkedFaults()).toEqual([])
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
  expect(await checkedFaults()).toEqual([])
})

it('A230: attack: simulated prices replaced by others before an expiry', async () => {
  await configure(configurationOf(COMPUTED, 'computed'))
  const recorded: { time: Instant; price: Price }[] = []
  Object.assign(app.feed, {
    record: ({ source }: RecordQuery): Promise<JudgedRecord | null> =>
      Promise.resolve(
        source === 'synthetic'
          ? {
              prices: recorded.map((one) => ({ ...one, ref: null, volume: volume(0) })),
              leftOut: [],
              isNewest: false,
              isSettled: true,
            }
          : null,
      ),
  })
  const expiry = await place('synthetic')
  // The source computes prices at which the order wins. The server receives only the other source, at whose prices the
  // order loses.
  recorded.push({ time: later(expiry, -SECOND_MS), price: price(ENTRY + 1_000) })
  recorded.push({ time: later(expiry, SECOND_MS), price: price(ENTRY + 900) })
  until(later(expiry, -2 * SECOND_MS))
  await computed('replay', ENTRY - 5_000)
  until(later(expiry, SECOND_MS))
  await computed('replay', ENTRY - 5_000)
  await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    await app.engine.settleDue()
    expect(await history()).toMatchObject([{ result: 1, void_reason: null, exit_price: BigInt(ENTRY + 1_000) }])
  })
  expect(await checkedFaults()).toEqual([])
})

it('A230: attack: simulated prices replaced by others, without a later price of the first', async () => {
  await configure(configurationOf(COMPUTED, 'computed'))
  const expiry = await place('synthetic')
  until(later(expiry, -2 * SECOND_MS))
  await computed('synthetic', ENTRY + 1_000)
  await computed('replay', ENTRY - 5_000)
  until(later(expiry, SECOND_MS))
  await computed('replay', ENTRY - 5_000)
  app.ctx.clock.advance(2 * MINUTE_MS)
  await computed('replay', ENTRY - 5_000)
  await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    await app.engine.settleDue()
    expect(await history()).toMatchObject([{ result: 4, void_reason: 'no_price_after_expiry', exit_price: null }])
  })
  expect(await checkedFaults()).toEqual([])
})
