import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { checkReceipt, type ReceiptCheck } from '#core/proof/check-receipt.ts'
import { checkSignature, type SignatureFault, type VerifyEd25519 } from '#core/proof/check-signature.ts'
import { readReceipt } from '#core/proof/receipt.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { noteDaysOnce } from '#server/proof/receipts/note-log-days.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const database = useTestDatabase()
let app: TestApp
let alice: TestUser

beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
})
afterEach(() => app.stop())

const verifyEd25519: VerifyEd25519 = (x, signature, message) => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(x).toString('base64url') }
  return verify(null, message, createPublicKey({ key, format: 'jwk' }), signature)
}

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

let orders = 0
async function place(direction: Direction) {
  orders += 1
  const placed = await app.engine.place({
    userId: alice.id,
    clientOrderId: `order-${orders}`,
    direction,
    tradeSettingId: 1,
    stake: money(1_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  assert(placed.ok, 'placed')
  return placed.value
}

async function expireAt(exit: number): Promise<void> {
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak(exit)
  app.ctx.clock.advance(2_000)
  await speak(exit + 1)
  await app.engine.settleDue()
  await app.receipts.idle()
}

async function receiptsOf(trx: string, token?: string) {
  const { body } = await app.call(calls.proofReceipt, { params: { trx }, token })
  return body.data
}

async function check(trx: string, given: unknown): Promise<ReceiptCheck | SignatureFault> {
  const { keys } = (await app.call(calls.proofKeys)).body.data
  const receipt = readReceipt(given)
  assert(receipt, 'a receipt')
  const signed = checkSignature({ sha256, verify: verifyEd25519 }, receipt.signature, keys)
  if (typeof signed === 'string') return signed
  const { body } = await app.call(calls.proofEvidence, { params: { trx } })
  const { entry_log: entryLog, exit_log: exitLog } = body.data
  return checkReceipt(sha256, receipt, { signed: signed.root, entryLog, exitLog })
}

const CLEAN = { faults: [], logFault: null }

it('makes a receipt when an order is accepted and one when the order is settled, and both pass the check', async () => {
  await speak(9_400_000)
  const [bought, sold] = await Promise.all([place(BUY), place(SELL)])
  await app.receipts.idle()
  const running = await receiptsOf(bought.trx)
  expect(running.result).toBeNull()
  expect(await check(bought.trx, running.accepted)).toMatchObject({ ...CLEAN, recomputed: null })

  await expireAt(9_400_050)
  for (const [{ trx }, result] of [
    [bought, 'win'],
    [sold, 'lose'],
  ] as const) {
    const receipts = await receiptsOf(trx)
    assert(receipts.result, 'it ended')
    expect(await check(trx, receipts.accepted)).toMatchObject(CLEAN)
    expect(await check(trx, receipts.result)).toMatchObject({ ...CLEAN, recomputed: result, facts: { trx, result } })
  }
})

it('makes a receipt immediately when its user requests it', async () => {
  await speak(9_400_000)
  const { trx } = await place(BUY)
  const { accepted } = await receiptsOf(trx)
  expect(await check(trx, accepted)).toMatchObject(CLEAN)
})

it('shows user and stake only to the user of the order', async () => {
  await speak(9_400_000)
  const { trx, orderId } = await place(BUY)
  await app.receipts.idle()
  const bob = await app.verifiedUser('bob')
  for (const token of [undefined, bob.token]) {
    const text = JSON.stringify(await receiptsOf(trx, token))
    for (const secret of [orderId, alice.id, 'alice', 'owner"', '"1000"']) {
      expect(text.replace('\\"owner\\"', '')).not.toContain(secret)
    }
  }
  const { accepted } = await receiptsOf(trx, alice.token)
  expect(JSON.parse(accepted.owner ?? '')).toEqual({ order: orderId, stake: '1000', currency: 'USDT' })
  expect(await check(trx, accepted)).toMatchObject(CLEAN)
})

it('proves a void order by the range of the tick log that has no price', async () => {
  await speak(9_400_000)
  const { trx } = await place(BUY)
  app.ctx.clock.advance(MINUTE_MS + 2_000)
  await speak(9_500_000)
  await app.engine.settleDue()
  await app.receipts.idle()
  const { result } = await receiptsOf(trx)
  assert(result, 'it ended')
  expect(await check(trx, result)).toMatchObject({
    ...CLEAN,
    recomputed: 'draw',
    facts: { void: 'no_tick_before_expiry', exit: null },
  })
})

it('fails the check after any stored value was changed', async () => {
  await speak(9_400_000)
  const { trx } = await place(BUY)
  await expireAt(9_400_050)
  const honest = await receiptsOf(trx)
  assert(honest.result, 'it ended')
  await database.asOwner(async (db) => {
    await sql`update order_history set entry_price = entry_price + 100, result = 2 where trx = ${trx}`.execute(db)
    return undefined
  })
  const changed = await receiptsOf(trx)
  assert(changed.result, 'it ended')
  expect(await check(trx, changed.result)).toMatchObject({
    faults: expect.arrayContaining(['root', 'entry']) as unknown,
  })
  // A receipt that was downloaded earlier is still valid.
  expect(await check(trx, honest.result)).toMatchObject(CLEAN)

  await database.asOwner(async (db) => {
    await sql`update tick_batch set payload = replace(payload, '9400050', '9400049')`.execute(db)
    return undefined
  })
  expect(await check(trx, honest.result)).toMatchObject({ faults: ['log'], logFault: { why: 'hash' } })
})

it('makes receipts that a crash prevented with the next periodic backfill', async () => {
  await speak(9_400_000)
  const { trx } = await place(BUY)
  await app.receipts.idle()
  await database.asOwner(async (db) => {
    await sql`delete from receipt_batch where kind = 'accepted'`.execute(db)
    return undefined
  })
  const { status, body } = await app.call(calls.proofReceipt, { params: { trx } })
  expect([status, body.code]).toEqual([422, 'receipt_not_yet'])
  app.ctx.clock.advance(MINUTE_MS)
  await vi.waitFor(async () => {
    app.ctx.clock.advance(1_000)
    const { accepted } = await receiptsOf(trx)
    expect(await check(trx, accepted)).toMatchObject(CLEAN)
  })
})

it('refuses an unknown reference, and publishes the key that signs receipts', async () => {
  const { status, body } = await app.call(calls.proofReceipt, { params: { trx: 'NOBODYS' } })
  expect([status, body.code]).toEqual([404, 'receipt_unknown'])
  const { keys } = (await app.call(calls.proofKeys)).body.data
  expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', retired_ms: null }])
})

it('IN4: records the head of each finished day of the tick log', async () => {
  await speak(9_400_000)
  const heads = async () => (await app.call(calls.proofHeads)).body.data.days
  await noteDaysOnce(app.ctx)
  expect(await heads()).toEqual([])
  app.ctx.clock.jump(DAY_MS)
  await speak(9_400_001)
  await noteDaysOnce(app.ctx)
  await noteDaysOnce(app.ctx)
  const days = await heads()
  expect(days).toHaveLength(1)
  expect(days[0]).toMatchObject({ first_seq: 1, previous_hash: '0'.repeat(64) })
})

it('P14: publishes the head of a day as soon as its file is available', async () => {
  await speak(9_400_000)
  const start = Math.floor(app.ctx.now() / DAY_MS) * DAY_MS
  const day = toIso(instant(start)).slice(0, 'yyyy-mm-dd'.length)
  const published = async () => {
    const { statusCode } = await app.http.inject({ method: 'GET', url: `/api/ticks/${day}.csv` })
    const { days } = (await app.call(calls.proofHeads)).body.data
    return [statusCode, days.map((one) => one.day)]
  }
  app.ctx.clock.jump(start + DAY_MS + MINUTE_MS - 1 - app.ctx.now())
  expect(await published()).toEqual([422, []])
  app.ctx.clock.jump(1)
  expect(await published()).toEqual([200, [day]])
})
