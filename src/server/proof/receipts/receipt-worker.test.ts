import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { factsHash } from '#core/proof/receipt.ts'
import { hashTree, rootOf } from '#core/proof/hash-tree.ts'
import { toHex } from '#core/proof/bytes.ts'
import { readFacts } from '#core/proof/read-facts.ts'
import { later, MINUTE_MS } from '#core/time/instant.ts'
import { createEngine, type RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import { type Leaf, leavesOf, settledLeaves, acceptedLeaves } from '#server/proof/receipts/leaves.ts'
import { makeTrees } from '#server/proof/receipts/make-trees.ts'
import { createReceiptWorker, type ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import { KEY_BYTES, packKey, unpackKeys } from '#server/proof/receipts/packed-keys.ts'
import {
  beforeAllOf,
  type OrderPlace,
  type ReceiptKind,
  sweepPage,
} from '#server/proof/receipts/receipt-batch.queries.ts'
import { createBackfill, BACKFILL_SOURCES } from '#server/proof/receipts/backfill.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import { leafDigest, rootOfDigests } from '#server/proof/receipts/tree-root.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { AAPL, BTC, createFundedUser, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { runs } from '#test/support/random-plans.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const EURUSD = { ...BTC, id: 3, code: 'EUR/USD', productId: 'EURUSD', marketType: 'us_fx', decimals: 5 } as const
const SYMBOLS = [BTC, AAPL, EURUSD]
const catalogue = fixedCatalogue({ symbols: SYMBOLS })

const database = useTestDatabase()
let ctx: TestContext
let feed: ScriptedFeed
let ticks: TickService
let engine: RunningEngine
let user: string
let committed: CommittedBatch[]

beforeEach(async () => {
  ctx = createTestContext(database.db)
  feed = new ScriptedFeed(SYMBOLS)
  ticks = createTicks({ ctx, feed, symbols: SYMBOLS })
  await ticks.start()
  committed = []
  engine = createEngine({
    ctx,
    ticks,
    catalogue,
    connections: database.connections,
    onCommitted: (orders) => committed.push(orders),
  })
  await engine.start()
  user = await createFundedUser(ctx, money(100_000_000n))
})
afterEach(async () => {
  await engine.stop()
  await ticks.stop()
})

let said = 0
/** Writes a price of each symbol to the tick log. */
async function speak(units: readonly number[]): Promise<void> {
  const time = ctx.now()
  said += 1
  for (const [at, { id }] of SYMBOLS.entries()) feed.tick(id, units[at] ?? 1, time)
  ctx.clock.advance(100)
  await vi.waitFor(() => expect(SYMBOLS.map(({ id }) => ticks.latest(id)?.time)).toEqual(SYMBOLS.map(() => time)))
}

async function place(symbol: string, isBuy: boolean, stake: number): Promise<void> {
  const placed = await engine.place({
    userId: user,
    clientOrderId: ctx.newId(),
    direction: isBuy ? BUY : SELL,
    tradeSettingId: 1,
    stake: money(BigInt(stake)),
    symbol,
    marketType: null,
    slippageGuard: null,
  })
  expect(placed).toMatchObject({ ok: true })
}

async function settled(count: number): Promise<void> {
  await vi.waitFor(async () => {
    await engine.settleDue()
    const results = committed.flatMap((batch) => (batch.kind === 'result' ? batch.orders : []))
    expect(results).toHaveLength(count)
  })
}

/** Returns the leaves of all orders announced so far, as they would be signed. */
async function leavesFromMemory(heads: KnownHeads): Promise<Record<ReceiptKind, Leaf[]>> {
  const leaves: Record<ReceiptKind, Leaf[]> = { accepted: [], result: [], money: [] }
  for (const batch of committed) {
    if (batch.kind === 'accepted') leaves.accepted.push(...acceptedLeaves(catalogue, heads, batch.orders))
    else leaves.result.push(...(await settledLeaves(ctx.db, catalogue, heads, batch.orders)))
  }
  return leaves
}

const Price = fc.constantFrom(100, 101, 102)
const Order = fc.record({
  symbol: fc.constantFrom('BTC', 'AAPL', 'EURUSD'),
  isBuy: fc.boolean(),
  stake: fc.integer({ min: 1_000, max: 9_000 }),
})

type Run = [number[], { symbol: string; isBuy: boolean; stake: number }[], number[], string, boolean]
const BOTH_WAYS = [true, false].flatMap((isBuy) => ['BTC', 'AAPL'].map((symbol) => ({ symbol, isBuy, stake: 1_000 })))
/** Examples with a win, a loss, a draw, and both kinds of void. */
const EACH_END: Run[] = ['price', 'stale', 'silence'].map((how) => [
  [100, 100, 100],
  BOTH_WAYS,
  [101, 100, 100],
  how,
  true,
])

it("makes identical facts from the engine's memory and from the stored rows", async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(Price, { minLength: 3, maxLength: 3 }),
      fc.array(Order, { minLength: 3, maxLength: 12 }),
      fc.array(Price, { minLength: 3, maxLength: 3 }),
      fc.constantFrom('price', 'price', 'price', 'stale', 'silence'),
      fc.boolean(),
      async (entries, orders, exits, how, areHeadsKnown) => {
        committed.length = 0
        await speak(entries)
        await Promise.all(orders.map(({ symbol, isBuy, stake }) => place(symbol, isBuy, stake)))
        if (how === 'price') {
          ctx.clock.advance(MINUTE_MS - 1_000)
          await speak(exits)
          ctx.clock.advance(2_000)
          await speak(entries)
        } else {
          ctx.clock.advance(how === 'stale' ? MINUTE_MS + 2_000 : 3 * MINUTE_MS)
          if (how === 'stale') await speak(exits)
        }
        await settled(orders.length)
        const heads = new KnownHeads()
        if (areHeadsKnown) await leavesFromMemory(heads)
        const memory = await leavesFromMemory(heads)
        for (const kind of ['accepted', 'result'] as const) {
          expect(memory[kind]).toHaveLength(orders.length)
          expect(memory[kind]).toEqual(await leavesOf(ctx.db, catalogue, kind, memory[kind]))
        }
        for (const { text } of memory.result) {
          const facts = readFacts(text)
          if (facts?.kind === 'result') seen.add(facts.void ?? facts.result)
        }
      },
    ),
    { numRuns: runs(14), endOnFailure: true, examples: EACH_END },
  )
  expect([...seen].toSorted()).toEqual(['draw', 'lose', 'no_price_after_expiry', 'no_tick_before_expiry', 'win'])
})

it('makes the receipt from the stored price when another server has decided the price first', async () => {
  await speak([100, 100, 100])
  await place('BTC', true, 1_000)
  ctx.clock.advance(MINUTE_MS - 1_000)
  await speak([101, 100, 100])
  await sql`insert into settlement_price (symbol_id, expires_ms, exit_seq, exit_price, exit_time_ms, watermark_ms, decided_ms,
      head_seq, max_tick_age_ms)
    select symbol_id, expires_ms, entry_seq, entry_price, entry_time_ms, expires_ms + 1, expires_ms + 2, head_seq, 4000
    from open_order`.execute(ctx.db)
  ctx.clock.advance(2_000)
  await speak([102, 100, 100])
  await settled(1)
  const { result } = await leavesFromMemory(new KnownHeads())
  expect(result).toEqual(await leavesOf(ctx.db, catalogue, 'result', result))
  expect(readFacts(result[0]?.text ?? '')).toMatchObject({ result: 'draw', max_tick_age_ms: 4_000, next: null })
})

/** Lists the orders of a kind without a receipt, `limit` per page. */
async function missingOf(kind: ReceiptKind, limit = 100): Promise<string[]> {
  const all: string[] = []
  const until = Number.MAX_SAFE_INTEGER
  for (const orders of BACKFILL_SOURCES[kind]) {
    for (let after: OrderPlace | null = beforeAllOf(0); after !== null; ) {
      const page = await sweepPage(ctx.db, orders, { after, until, limit })
      all.push(...page.missing.map(({ orderId }) => orderId))
      after = page.last
    }
  }
  return all
}

const pagesOf = (limit: number) => ({ open: limit, ended: limit, results: limit, steps: limit })

async function withoutReceipt(): Promise<number> {
  return (await missingOf('accepted')).length + (await missingOf('result')).length
}

const isSecond = (_: unknown, nth: number) => nth % 2 === 1
const isFirst = (_: unknown, nth: number) => nth % 2 === 0

it('finds each order without a receipt once, whatever the page size', async () => {
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey())
  const without: Record<ReceiptKind, Set<string>> = { accepted: new Set(), result: new Set(), money: new Set() }
  /** Makes the receipts of every second committed order. */
  const tellSome = async () => {
    for (const batch of committed.splice(0)) {
      if (batch.kind === 'accepted') {
        receipts.enqueue({ kind: 'accepted', orders: batch.orders.filter(isSecond) })
        for (const { orderId } of batch.orders.filter(isFirst)) without.accepted.add(orderId)
      } else {
        receipts.enqueue({ kind: 'result', orders: batch.orders.filter(isSecond) })
        for (const { order } of batch.orders.filter(isFirst)) without.result.add(order.orderId)
      }
      await receipts.idle()
    }
  }
  for (let round = 0; round < 3; round += 1) {
    await speak([100, 100, 100])
    await Promise.all(['BTC', 'AAPL', 'BTC', 'BTC', 'AAPL'].map((symbol) => place(symbol, true, 1_000)))
    await tellSome()
    if (round === 2) break
    ctx.clock.advance(MINUTE_MS - 1_000)
    await speak([101, 99, 100])
    ctx.clock.advance(2_000)
    await speak([101, 99, 100])
    await vi.waitFor(async () => {
      await engine.settleDue()
      expect(await ctx.db.selectFrom('open_order').select('id').execute()).toEqual([])
    })
    await tellSome()
  }
  for (const kind of ['accepted', 'result'] as const) {
    expect(without[kind].size).toBeGreaterThan(1)
    for (const limit of [1, 2, 3, 7, 100]) {
      const found = await missingOf(kind, limit)
      expect(found).toHaveLength(without[kind].size)
      expect(new Set(found)).toEqual(without[kind])
    }
  }
  await receipts.stop()
})

it('keeps no more orders in memory than its limit, and finds the other orders by their rows', async () => {
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey(), { maxWaitingOrders: 3 })
  await speak([100, 100, 100])
  for (let order = 0; order < 5; order += 1) await place('BTC', true, 1_000)
  for (const orders of committed) receipts.enqueue(orders)
  expect(ctx.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  expect(await withoutReceipt()).toBe(5)
  await receipts.idle()
  expect(await withoutReceipt()).toBe(0)
  await place('BTC', false, 1_000)
  receipts.enqueue(committed.at(-1) ?? { kind: 'accepted', orders: [] })
  await receipts.idle()
  expect(await withoutReceipt()).toBe(0)
  const { rows } = await sql<{ leaves: number }>`
    select (sum(length(keys)) / 32)::int4 as leaves from receipt_batch where kind = 'accepted'`.execute(ctx.db)
  expect(rows).toEqual([{ leaves: 6 }])
  await receipts.stop()
})

it('reports its load as -1 without waiting orders, 0 at half of its limit, and 1 at its limit', async () => {
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey(), { maxWaitingOrders: 4 })
  await speak([100, 100, 100])
  const pressures = [receipts.pressure()]
  for (let order = 0; order < 4; order += 1) {
    await place('BTC', true, 1_000)
    receipts.enqueue(committed.at(-1) ?? { kind: 'accepted', orders: [] })
    pressures.push(receipts.pressure())
  }
  expect(pressures).toEqual([-1, -0.5, 0, 0.5, 1])
  await receipts.idle()
  expect(receipts.pressure()).toBe(-1)
  await receipts.stop()
})

it('makes the receipts of the newest orders only when no other server can still be making them', async () => {
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey(), {
    maxWaitingOrders: 0,
    cluster: { runsBackfill: () => true },
  })
  await speak([100, 100, 100])
  await place('BTC', true, 1_000)
  for (const batch of committed) receipts.enqueue(batch)
  await receipts.idle()
  expect(await missingOf('accepted')).toHaveLength(1)
  ctx.clock.advance(10_000)
  await vi.waitFor(async () => {
    ctx.clock.advance(250)
    expect(await missingOf('accepted')).toEqual([])
  })
  await receipts.stop()
})

it('lets the caller make new receipts after each page of a backfill', async () => {
  await speak([100, 100, 100])
  for (let order = 0; order < 5; order += 1) await place('BTC', true, 1_000)
  const done: string[] = []
  const backfill = createBackfill(
    ctx,
    (kind, keys) => {
      done.push(`${kind} ${keys.length}`)
      return Promise.resolve()
    },
    { pages: pagesOf(2) },
  )
  const none = { accepted: new Set<string>(), result: new Set<string>(), money: new Set<string>() }
  await backfill.run(
    () => none,
    () => {
      done.push('new')
      return Promise.resolve(true)
    },
  )
  expect(done).toEqual(['accepted 2', 'new', 'accepted 2', 'new', 'accepted 1', 'new', 'money 2', 'new'])
})

describe('a backfill of several pages', () => {
  let receipts: ReceiptWorker

  /**
   * Runs a backfill with one order per page until its pause after the first of three orders. These orders were not
   * passed to `enqueue`. Each reading of the clock advances it by 1 ms.
   */
  async function restAfterFirst(): Promise<void> {
    let passed = 0
    const now = () => later(ctx.now(), (passed += 1))
    receipts = createReceiptWorker({ ...ctx, now }, catalogue, await makeSigningKey(), { pages: pagesOf(1) })
    await receipts.start()
    await speak([100, 100, 100])
    for (let order = 0; order < 3; order += 1) await place('BTC', true, 1_000)
    ctx.clock.advance(MINUTE_MS)
    await vi.waitFor(async () => expect(await missingOf('accepted')).toHaveLength(2))
  }

  it('continues after each pause', async () => {
    await restAfterFirst()
    await vi.waitFor(async () => {
      ctx.clock.advance(250)
      expect(await missingOf('accepted')).toEqual([])
    })
    await receipts.stop()
  })

  it('makes new receipts during a pause, and none twice', async () => {
    await restAfterFirst()
    const batch = committed.at(-1)
    if (batch) receipts.enqueue(batch)
    await vi.waitFor(async () => {
      ctx.clock.advance(250)
      expect(await missingOf('accepted')).toEqual([])
    })
    await receipts.stop()
    const { rows } = await sql<{ keys: Uint8Array }>`select keys from receipt_batch where kind = 'accepted'`.execute(
      ctx.db,
    )
    expect(rows.flatMap(({ keys }) => unpackKeys(keys))).toHaveLength(3)
  })

  it('does not pause while a caller waits for it', async () => {
    await restAfterFirst()
    await receipts.idle()
    expect(await missingOf('accepted')).toEqual([])
    await receipts.stop()
  })

  it('does not delay a stop, and the next server continues it', async () => {
    await restAfterFirst()
    await receipts.stop()
    expect(await missingOf('accepted')).toHaveLength(2)
    const next = createReceiptWorker(ctx, catalogue, await makeSigningKey(), { pages: pagesOf(1) })
    await next.start()
    expect(await missingOf('accepted')).toEqual([])
    await next.stop()
  })
})

it('makes the missing receipts of a dead server, even after newer receipts were made', async () => {
  await speak([100, 100, 100])
  await place('BTC', true, 1_000)
  await vi.waitUntil(() => committed.some(({ kind }) => kind === 'accepted'))
  // No server is notified of this order. The next server makes receipts of its own before it takes over the backfill.
  committed.length = 0
  let runsBackfill = false
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey(), {
    cluster: { runsBackfill: () => runsBackfill },
  })
  await receipts.start()
  ctx.clock.advance(4 * MINUTE_MS)
  await speak([100, 100, 100])
  await place('BTC', true, 1_000)
  await vi.waitUntil(() => committed.some(({ kind }) => kind === 'accepted'))
  // The first order is due now. During its settlement, a search would find it among both the open and the settled
  // orders.
  await settled(1)
  for (const batch of committed) receipts.enqueue(batch)
  await receipts.idle()
  expect(await missingOf('accepted')).toHaveLength(1)
  runsBackfill = true
  await vi.waitFor(async () => {
    ctx.clock.advance(1_000)
    expect(await missingOf('accepted')).toEqual([])
  })
  await receipts.stop()
})

it('makes the receipts of orders that a server accepted just before it was killed, within eleven seconds of a start', async () => {
  await speak([100, 100, 100])
  await place('BTC', true, 1_000)
  await vi.waitUntil(() => committed.some(({ kind }) => kind === 'accepted'))
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey(), {
    cluster: { runsBackfill: () => true },
  })
  await receipts.start()
  expect(await missingOf('accepted')).toHaveLength(1)
  ctx.clock.advance(11_000)
  await receipts.idle()
  expect(await missingOf('accepted')).toEqual([])
  await receipts.stop()
})

it('puts orders of a quarter of a second into one tree, and retries after a failure', async () => {
  const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey())
  await speak([100, 100, 100])
  for (let order = 0; order < 3; order += 1) await place('AAPL', true, 1_000)
  for (const orders of committed) receipts.enqueue(orders)
  await database.asOwner(async (db) => {
    await sql`alter table receipt_batch rename to away`.execute(db)
    return undefined
  })
  await receipts.idle()
  expect(ctx.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  await database.asOwner(async (db) => {
    await sql`alter table away rename to receipt_batch`.execute(db)
    return undefined
  })
  ctx.clock.advance(1_000)
  await vi.waitFor(async () => expect(await withoutReceipt()).toBe(0))
  const { rows } = await sql`select kind, length(keys) / 32 as leaves from receipt_batch`.execute(ctx.db)
  expect(rows).toEqual([{ kind: 'accepted', leaves: 3 }])
  await receipts.stop()
})

it('rootOfDigests computes the same root as hashTree, from which the proofs are made', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 40 }), (texts) => {
      const leaves = texts.map((text) => factsHash(sha256, text))
      expect(rootOfDigests(texts.map(leafDigest))).toBe(toHex(rootOf(hashTree(sha256, leaves))))
    }),
  )
})

it('unpacks packed keys', () => {
  const Key = fc.record({ userId: fc.uuid(), orderId: fc.uuid() })
  fc.assert(
    fc.property(fc.array(Key), (keys) => {
      const packed = new Uint8Array(keys.length * KEY_BYTES)
      for (const [at, key] of keys.entries()) packKey(packed, at, key)
      expect(unpackKeys(packed)).toEqual(keys.map((key) => ({ ...key })))
    }),
  )
})

it("P11: signs no result before its decision, even when the deciding server's clock is ahead", async () => {
  const key = await makeSigningKey()
  const [atMs, decidedMs] = [ctx.now(), later(ctx.now(), 4_000)]
  await makeTrees(ctx, key, 'result', [{ userId: user, orderId: ctx.newId(), atMs, decidedMs, text: '{}' }])
  const [stored] = await ctx.db.selectFrom('receipt_batch').select(['last_ms', 'made_ms']).execute()
  expect([Number(stored?.last_ms), Number(stored?.made_ms)]).toEqual([atMs, decidedMs])
})
