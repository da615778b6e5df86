import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { readBundle } from '#core/proof/bundle-file.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import { entryHash } from '#core/register/entry.ts'
import { assert } from '#core/result.ts'
import { insertSourceVersion } from '#server/market-data/source-versions/source-versions.queries.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
beforeAll(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
})
afterAll(() => app.stop())

it('P14: an order on a price from before a change of the price sources passes the check', async () => {
  const alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  const time = app.ctx.now()
  app.feed.tick(BTC, 9_400_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
  const now = app.ctx.now()
  const text = JSON.stringify({ n: 99, providers: [], limits: {}, symbols: [] })
  const hash = new Uint8Array(entryHash(sha256, text))
  await insertSourceVersion(app.ctx.db, { number: 99, text, hash, seenAt: now, appliesAt: now })
  app.ctx.clock.advance(100)
  const placed = await app.engine.place(orderRequest(alice.id, 'order-1', { stake: money(1_000n) }))
  assert(placed.ok, 'placed')
  await app.receipts.idle()
  const { trx } = placed.value
  const receipts = (await app.call(calls.proofReceipt, { params: { trx }, token: alice.token })).body.data
  const evidence = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
  const { keys } = (await app.call(calls.proofKeys)).body.data
  const read = readBundle({ ...receipts, evidence, keys })
  assert(read?.evidence && read.keys, 'the receipts can be read')
  expect(checkBundle(SERVER_TOOLS, { ...read, ...read.evidence, keys: read.keys }).faults).toEqual([])
})
