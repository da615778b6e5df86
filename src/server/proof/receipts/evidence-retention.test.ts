import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import type { CheckTools } from '#core/proof/check-signature.ts'
import { readReceipt } from '#core/proof/receipt.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, SECOND_MS } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'
import { batchesAfter } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import { textToTicks } from '#server/market-data/tick-log/tick-text.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const [BTC, ETH, AAPL] = [1, 2, 101]
const EVER = instant(9_000_000_000_000)
const POLL = { interval: 2 }
const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let alice: TestUser

beforeAll(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
})
afterAll(async () => {
  await app.stop()
})

const TOOLS: CheckTools = {
  sha256,
  verify: (x, signature, message) => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(x).toString('base64url') }
    return verify(null, message, createPublicKey({ key, format: 'jwk' }), signature)
  },
}

async function speak(symbolId: number, units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(symbolId, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(symbolId)?.time).toBe(time), POLL)
}

/** Lets time pass. Another symbol gets a price every second, so the tick log grows by one batch per second. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await speak(ETH, 300_000 + second)
    app.ctx.clock.advance(SECOND_MS - 100)
  }
}

let orders = 0
async function place(symbol: string, direction: Direction): Promise<string> {
  orders += 1
  const placed = await app.engine.place({
    userId: alice.id,
    clientOrderId: `order-${orders}`,
    direction,
    tradeSettingId: 1,
    stake: money(1_000n),
    symbol,
    marketType: null,
    slippageGuard: null,
  })
  assert(placed.ok, 'placed')
  return placed.value.trx
}

async function settle(): Promise<void> {
  await app.engine.settleDue()
  await app.receipts.idle()
}

async function bundleOf(trx: string) {
  const { accepted, result } = (await app.call(calls.proofReceipt, { params: { trx } })).body.data
  const { status, body } = await app.call(calls.proofEvidence, { params: { trx } })
  expect([trx, status]).toEqual([trx, 200])
  const { entry_log: entryLog, exit_log: exitLog, terms, sources } = body.data
  const { keys } = (await app.call(calls.proofKeys)).body.data
  return { accepted: readReceipt(accepted), result: readReceipt(result), entryLog, exitLog, terms, sources, keys }
}

async function packAndDropAll(): Promise<number> {
  let count: number | null = -1
  while (count !== 0) count = await packTicks(database.db, EVER, 30)
  let dropped = 0
  for (count = 0; count !== null; count = await dropTicks(database.db, EVER)) dropped += count
  return dropped
}

/** Decides from the facts of a receipt alone whether retention must leave a batch of the tick log. */
function isNeeded(batch: BatchRow, next: BatchRow | undefined, facts: ResultFacts): boolean {
  const { entry, head, exit, decided_head: end, expires_ms: expiry, max_tick_age_ms: age } = facts
  if (batch.lastSeq >= entry.q && batch.firstSeq <= head.q) return true
  if (Math.abs(batch.firstTime - expiry) <= 10_000 || Math.abs(batch.lastTime - expiry) <= 10_000) return true
  if (facts.next !== null && batch.firstSeq <= facts.next.q && batch.lastSeq >= facts.next.q) return true
  if (batch.firstSeq > end.q) return false
  // Without an exit price, the evidence starts at the last batch that was written before any price could count.
  return exit === null ? (next?.writtenAt ?? 0) >= expiry - age - 5_000 : batch.lastSeq >= exit.q
}

it('retention leaves exactly the ticks that receipts need, for every way in which an order can end', async () => {
  await pass(90)
  await speak(BTC, 9_400_000)
  const plain = [await place('BTC', BUY), await place('BTC', SELL)]
  await pass(58)
  await speak(BTC, 9_400_050)
  await pass(2)
  await speak(BTC, 9_400_051)
  await settle()

  await pass(20)
  await speak(BTC, 9_400_060)
  const drawn = await place('BTC', BUY)
  await pass(59)
  await speak(BTC, 9_400_060)
  await pass(1)
  await speak(BTC, 9_400_070)
  await settle()

  // A stock with rare prices: the entry price is 9 s old when the order is accepted, and only a heartbeat moves the
  // watermark beyond the expiry.
  await pass(20)
  await speak(AAPL, 23_200)
  await pass(9)
  const slow = await place('AAPL', BUY)
  await pass(48)
  await speak(AAPL, 23_210)
  await pass(12)
  app.feed.heartbeat(AAPL, app.ctx.now())
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.watermark(AAPL)).toBe(app.ctx.now() - 100), POLL)
  await settle()

  // A stock that has no further price until the waiting time after the expiry is over, so the order is void.
  await pass(20)
  await speak(AAPL, 23_200)
  const late = await place('AAPL', BUY)
  await pass(122)
  await settle()
  await speak(AAPL, 23_300)

  // A stock whose last price before the expiry is too old, so the order is void.
  await pass(20)
  await speak(AAPL, 23_200)
  const old = await place('AAPL', SELL)
  await pass(61)
  await speak(AAPL, 23_300)
  await settle()
  await pass(90)

  const all = [...plain, drawn, slow, late, old]
  const results: ResultFacts[] = []
  const check = async (trx: string) => {
    const { faults, facts, recomputed } = checkBundle(TOOLS, await bundleOf(trx))
    assert(facts?.kind === 'result', 'it ended')
    expect([trx, faults, recomputed]).toEqual([trx, [], facts.result])
    return facts
  }
  for (const trx of all) results.push(await check(trx))
  expect(results.map(({ result, void: reason, next }) => [result, reason, next !== null])).toEqual([
    ['win', null, true],
    ['lose', null, true],
    ['draw', null, true],
    ['win', null, false],
    ['draw', 'no_price_after_expiry', false],
    ['draw', 'no_tick_before_expiry', true],
  ])

  app.ctx.clock.jump(4 * DAY_MS)
  await speak(ETH, 1)
  const before = await batchesAfter(database.db, 0, 10_000)
  const dropped = await packAndDropAll()
  for (const trx of all) await check(trx)

  const after = await batchesAfter(database.db, 0, 10_000)
  expect(after.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash))
  const places = (isStored: (batch: BatchRow, at: number) => boolean) =>
    after.filter(isStored).map(({ firstSeq }) => firstSeq)
  const needed = places((batch, at) => results.some((facts) => isNeeded(batch, after[at + 1], facts)))
  const newest = after.at(-1)?.firstSeq
  expect(places(({ payload }) => payload !== null)).toEqual([...new Set([...needed, newest])])
  expect(dropped).toBe(after.length - needed.length - 1)
  expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, dropped })
  expect(before.flatMap(({ payload }) => textToTicks(payload ?? '')).length).toBeGreaterThan(400)
})

it('the check of the tick log reports that a tick is missing to which an order refers', async () => {
  const { rows } = await database.asOwner(async (db) => ({
    rows: await db.selectFrom('order_history').select(['entry_seq']).orderBy('entry_seq').limit(1).execute(),
  }))
  const entry = Number(rows[0]?.entry_seq)
  await database.asOwner(async (db) => {
    await db
      .updateTable('order_history')
      .set({ entry_seq: entry - 40 })
      .where('entry_seq', '=', BigInt(entry))
      .execute()
    return undefined
  })
  const report = await verifyTickChain(database.db)
  expect(report).toMatchObject({ ok: false, why: 'a tick is gone that an order refers to' })
})
