import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { isPracticeId, PRACTICE_START } from '#core/accounts/practice.ts'
import { checkReceipt } from '#core/proof/check-receipt.ts'
import { checkSignature } from '#core/proof/check-signature.ts'
import { readReceipt } from '#core/proof/receipt.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { openPractice, resetPractice } from '#server/users/practice/change-practice.ts'
import { findPractice } from '#server/users/practice/practice.queries.ts'
import { expireAt, placeFor, practiceOf } from '#test/support/practice.ts'
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

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

const cashOf = async (userId: string) =>
  (await app.ctx.db.selectFrom('balance').select('cash').where('user_id', '=', userId).executeTakeFirstOrThrow()).cash

describe('the practice account', () => {
  it('refuses its calls in a demo', async () => {
    const { token } = alice
    expect((await app.call(calls.practice, { token })).body.code).toBe('practice_none')
    expect((await app.call(calls.openPractice, { token })).body.code).toBe('practice_none')
    expect((await app.call(calls.resetPractice, { token, body: {} })).body.code).toBe('practice_none')
    expect((await app.call(calls.recentTrades, { token, query: { account: 'practice' } })).body.code).toBe(
      'practice_none',
    )
  })

  it('opens once with 10,000.00 of its own currency, and the books balance for each currency', async () => {
    const before = await checkLedger(app.ctx.db)
    const id = await practiceOf(app, alice)
    await openPractice(app.ctx, alice.id)
    expect(isPracticeId(id)).toBe(true)
    expect(await findPractice(app.ctx.db, alice.id)).toEqual({
      id,
      balance: PRACTICE_START,
      openOrders: 0,
      granted: PRACTICE_START,
      resetAt: null,
    })
    const report = await checkLedger(app.ctx.db)
    expect(report).toMatchObject({ clean: true, sumOfAll: 0n, unknownAccounts: [] })
    expect([report.accounts, report.users]).toEqual([before.accounts, before.users])
    // The check finds practice money without a grant.
    await database.asOwner((owner) => sql`update balance set cash = cash + 1 where user_id = ${id}`.execute(owner))
    expect(await checkLedger(app.ctx.db)).toMatchObject({ clean: false, sumOfAll: 1n })
  })

  it('trades in the same engine with its own balance, orders, lists and kinds of receipts', async () => {
    const id = await practiceOf(app, alice)
    await speak(9_400_000)
    const placed = await placeFor(app, id, 500_000n)
    const live = await placeFor(app, alice.id)
    assert(placed.ok && live.ok, 'both orders are accepted')
    expect([await cashOf(id), await cashOf(alice.id)]).toEqual([500_000n, 99_000n])
    await expireAt(app, 9_500_000, speak)
    const { rows } = await sql<{ currency: string; kind: string; amount: bigint }>`
      select currency, kind, amount from transfer where user_id = ${id} and ref = ${placed.value.orderId} order by step`.execute(
      app.ctx.db,
    )
    expect(new Set(rows.map(({ currency }) => currency))).toEqual(new Set(['PRACTICE']))
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['order_profit', 'order_stake', 'order_win'])
    expect(await checkLedger(app.ctx.db)).toMatchObject({ clean: true, sumOfAll: 0n })

    const list = async (account?: 'live' | 'practice') =>
      (
        await app.call(calls.closedTransactions, {
          token: alice.token,
          query: account === undefined ? {} : { account },
        })
      ).body.data.transactions
    expect((await list()).map(({ trx }) => trx)).toEqual([live.value.trx])
    expect((await list('live')).map(({ trx }) => trx)).toEqual([live.value.trx])
    expect((await list('practice')).map(({ trx }) => trx)).toEqual([placed.value.trx])
    const latest = await app.call(calls.latestTrades, { body: { currency: 'BTC' } })
    expect(JSON.stringify(latest.body.data)).not.toContain(placed.value.orderId)
  })

  it('a practice receipt says so in its facts and its signature, and passes the check as nothing else', async () => {
    const id = await practiceOf(app, alice)
    await speak(9_400_000)
    const placed = await placeFor(app, id)
    assert(placed.ok, 'accepted')
    await expireAt(app, 9_500_000, speak)
    const { trx } = placed.value
    const { data } = (await app.call(calls.proofReceipt, { params: { trx }, token: alice.token })).body
    const { keys } = (await app.call(calls.proofKeys)).body.data
    const evidence = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
    const check = (given: unknown) => {
      const receipt = readReceipt(given)
      assert(receipt, 'a receipt')
      const verifyWith = (x: Uint8Array, signature: Uint8Array, message: Uint8Array) => {
        const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(x).toString('base64url') }
        return verify(null, message, createPublicKey({ key, format: 'jwk' }), signature)
      }
      const signed = checkSignature({ sha256, verify: verifyWith }, receipt.signature, keys)
      assert(typeof signed !== 'string', 'signed')
      const log = { entryLog: evidence.entry_log, exitLog: evidence.exit_log }
      return { signed: signed.root.kind, ...checkReceipt(sha256, receipt, { signed: signed.root, ...log }) }
    }
    expect(check(data.accepted)).toMatchObject({ signed: 'practice_accepted', faults: [] })
    expect(check(data.result)).toMatchObject({
      signed: 'practice_result',
      faults: [],
      recomputed: 'win',
      facts: { kind: 'practice_result' },
    })
    expect(data.accepted.owner).toContain('"currency":"PRACTICE"')
    // The kind cannot be changed: the root no longer covers the facts.
    for (const [from, to] of [
      ['practice_accepted', 'accepted'],
      ['practice_accepted', 'practice_result'],
    ] as const) {
      const forged = { ...data.accepted, facts: data.accepted.facts.replace(from, to) }
      expect(check(forged).faults.length).toBeGreaterThan(0)
    }
  })

  it('resets to 10,000.00 by one transfer, never with open orders, once an hour', async () => {
    const id = await practiceOf(app, alice)
    await speak(9_400_000)
    assert((await placeFor(app, id, 500_000n)).ok, 'accepted')
    expect(await resetPractice(app.ctx, alice.id, null)).toMatchObject({ refusal: 'practice_orders_open' })
    await expireAt(app, 9_300_000, speak)
    expect(await cashOf(id)).toBe(500_000n)
    expect(await resetPractice(app.ctx, alice.id, 'first')).toMatchObject({ ok: true })
    expect(await resetPractice(app.ctx, alice.id, 'first')).toMatchObject({ ok: true })
    expect(await cashOf(id)).toBe(PRACTICE_START)
    expect(await resetPractice(app.ctx, alice.id, 'second')).toMatchObject({ refusal: 'practice_too_soon' })
    await speak(9_400_000)
    assert((await placeFor(app, id, 500_000n)).ok, 'accepted')
    await expireAt(app, 9_500_000, speak)
    app.ctx.clock.advance(HOUR_MS)
    expect(await resetPractice(app.ctx, alice.id, 'third')).toMatchObject({ ok: true })
    expect(await cashOf(id)).toBe(PRACTICE_START)
    const kinds = await app.ctx.db
      .selectFrom('transfer')
      .select('kind')
      .where('user_id', '=', id)
      .where('kind', 'like', 'practice%')
      .orderBy('created_ms')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['practice_grant', 'practice_grant', 'practice_return'])
    expect(await checkLedger(app.ctx.db)).toMatchObject({ clean: true })
  })

  it('follows the rights and the breaks of its owner', async () => {
    const id = await practiceOf(app, alice)
    await speak(9_400_000)
    await app.call(calls.takeTimeOut, { token: alice.token, body: { days: 1 } })
    expect(await placeFor(app, id)).toMatchObject({ refusal: 'on_break' })
    const bob = await app.verifiedUser('bob')
    const practice = await practiceOf(app, bob)
    assert((await placeFor(app, practice)).ok, 'accepted')
    await database.asOwner((owner) =>
      sql`update app_user set trade_allowed = false, trade_reason = 'Checking' where id = ${bob.id}`.execute(owner),
    )
    expect(await placeFor(app, practice)).toMatchObject({ refusal: 'trade_off', params: { reason: 'Checking' } })
  })
})
