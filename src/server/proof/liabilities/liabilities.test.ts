import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { totalLiability } from '#core/proof/liability.ts'
import { findFaults, owedIn, type OwnProof } from '#core/proof/own-proof.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { DAY_MS, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { findOwnProof } from '#server/proof/liabilities/own-proof.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { PROOF_RETENTION_DAYS, takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { createFundedUser, insertDeposit } from '#test/support/market-fixtures.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1000, method_id: 1 } })
})
afterEach(() => app.stop())

const published = async () => (await app.call(calls.liabilities)).body.data
const ownProof = async (token = alice.token) => (await app.call(calls.ownLiability, { token })).body.data.proof
const userIds = async () =>
  (await app.ctx.db.selectFrom('app_user').select('id').execute()).map(({ id }) => id).toSorted()

/** Returns the proofs of all users, after checking each proof as its user would check it. */
async function allProofs(): Promise<OwnProof[]> {
  const { days } = await published()
  const proofs: OwnProof[] = []
  for (const userId of await userIds()) {
    const proof = await findOwnProof(app.ctx.db, userId)
    if (proof === null) continue
    expect(findFaults(sha256, proof, { accountId: userId, published: days })).toEqual([])
    proofs.push(proof)
  }
  // No two proofs share a leaf, so that no amount counts twice.
  const leaves = proofs.flatMap(({ parts }) => parts.map(({ index }) => index))
  expect(new Set(leaves).size).toBe(4 * proofs.length)
  return proofs
}
const sumOf = (proofs: readonly OwnProof[]) => proofs.reduce((sum, proof) => sum + totalLiability(owedIn(proof)), 0n)

/** Returns the sum of the liabilities to all users, computed from the transfers. */
async function inLedger(): Promise<bigint> {
  const { accounts } = await checkLedger(app.ctx.db)
  return ['cash', 'staked', 'withdrawing'].reduce((sum, name) => sum + (accounts.get(name) ?? 0n), 0n)
}

describe('the proof of a day', () => {
  it('LI1: all user proofs sum to the total of the ledger, including open orders and pending withdrawals', async () => {
    await app.startMarkets()
    await speak()
    await placeOrder()
    await app.setPin(alice.token, '123456')
    const details = { 'Account holder': 'Ada', Bank: 'First', 'Account number or IBAN': 'DE89370400440532013000' }
    const method = { withdraw_method_id: 101, withdrawal_information: details }
    await app.call(calls.saveWithdrawMethod, { token: alice.token, body: method })
    await app.endPauses()
    const request = { method_id: 101, amount: 250, fields: {}, withdrawal_code: '123456' }
    expect((await app.call(calls.saveWithdrawal, { token: alice.token, body: request })).status).toBe(200)
    await createFundedUser(app.ctx, money(0n))
    await createFundedUser(app.ctx, money(7n))

    expect(await takeSnapshot(app.ctx)).toMatchObject({ kind: 'taken' })
    const proofs = await allProofs()
    expect(proofs).toHaveLength((await userIds()).length)
    const { days } = await published()
    expect(String(sumOf(proofs))).toBe(days[0]?.total)
    expect(sumOf(proofs)).toBe(await inLedger())
    const proof = await ownProof()
    expect(proof?.account).toMatchObject({ id: alice.id, cash: '73000', staked: '2000', withdrawing: '25000' })
  })

  it('LI1: shows all balances at one instant, even while deposits arrive', async () => {
    const others = await Promise.all(Array.from({ length: 20 }, () => createFundedUser(app.ctx, money(10_000n))))
    const before = await inLedger()
    const payIn = (userId: string) => {
      const deposit = { userId, id: app.ctx.newId(), amount: money(1n), at: app.ctx.now() }
      return app.ctx.db.transaction().execute((tx) => insertDeposit(tx, deposit))
    }
    const paying = others.map(async (userId) => {
      for (let step = 0; step < 5; step++) await payIn(userId)
    })
    const [snapshot] = await Promise.all([takeSnapshot(app.ctx), ...paying])
    if (snapshot.kind !== 'taken') throw new Error(snapshot.kind)
    const total = BigInt(snapshot.record.total)
    expect(total >= before && total <= before + 100n).toBe(true)
    expect(sumOf(await allProofs())).toBe(total)
  })

  it('LI1: counts the money of an order placed during the snapshot once, either as stake or as cash', async () => {
    await app.startMarkets()
    await speak()
    const total = await inLedger()
    const [snapshot] = await Promise.all([takeSnapshot(app.ctx), ...Array.from({ length: 10 }, () => placeOrder())])
    expect(snapshot).toMatchObject({ kind: 'taken', record: { total: String(total) } })
    expect(sumOf(await allProofs())).toBe(total)
  })

  it('LI4: exists once per day and includes the hash of the day before', async () => {
    const first = await takeSnapshot(app.ctx)
    expect(await takeSnapshot(app.ctx)).toEqual({ ...first, kind: 'there' })
    app.ctx.clock.jump(DAY_MS)
    const second = await takeSnapshot(app.ctx)
    if (first.kind === 'ledger-unsound' || second.kind === 'ledger-unsound') throw new Error('it is sound')
    expect(second.record).toMatchObject({ number: 2, previous: first.record.head, day: '2026-03-19' })
    expect((await published()).days).toEqual([second.record, first.record])
    expect((await app.call(calls.liabilities, { query: { page: 2, per_page: 1 } })).body).toMatchObject({
      data: { days: [first.record] },
      meta: { page: 2, total: 2, pages: 2 },
    })
  })

  it('LI1: stays unpublished when the ledger does not reconcile', async () => {
    await database.asOwner((db) =>
      db.updateTable('balance').set({ cash: 1n }).where('user_id', '=', alice.id).execute(),
    )
    expect(await takeSnapshot(app.ctx)).toEqual({ kind: 'ledger-unsound' })
    expect((await published()).days).toEqual([])
  })

  it('ignores rows that an interrupted attempt left, and replaces them at the next attempt', async () => {
    const stray = { day: Math.floor(app.ctx.now() / DAY_MS), user_id: alice.id, cash: 1, staked: 0, withdrawing: 0 }
    const bytes = Buffer.alloc(32)
    await app.ctx.db
      .insertInto('liability_account')
      .values({ ...stray, salt: bytes, parts: bytes })
      .execute()
    await app.ctx.db
      .insertInto('liability_node')
      .values({ day: stray.day, level: 0, chunk: 0, places: bytes })
      .execute()
    expect(await ownProof()).toBeNull()
    await takeSnapshot(app.ctx)
    await allProofs()
  })

  it('produces the same user proofs when many accounts are stored in pieces', async () => {
    const anyCash = fc.oneof(fc.constantFrom(0n, 1n, 2n), fc.bigInt({ min: 0n, max: 10n ** 12n }))
    for (const cash of fc.sample(anyCash, 70)) await createFundedUser(app.ctx, money(cash))
    await takeSnapshot(app.ctx)
    const { days } = await published()
    expect(days[0]?.leaves).toBe(512)
    expect(sumOf(await allProofs())).toBe(await inLedger())
  })
})

describe('the daily job', () => {
  it('LI7: creates the first proof soon after a start and one at each UTC midnight, and reports the first day', async () => {
    await app.startMarkets()
    expect((await published()).since).toBe('')
    app.ctx.clock.advance(1_000)
    await vi.waitFor(async () => expect((await published()).days).toHaveLength(1))
    const { next_at } = await published()
    expect(next_at).toBe('2026-03-19T00:00:00.000Z')
    await vi.waitFor(() =>
      expect(app.ctx.lines.some(({ message }) => message === 'published the liabilities')).toBe(true),
    )
    app.ctx.clock.jump(Date.parse(next_at) - app.ctx.now())
    await vi.waitFor(async () => expect((await published()).days).toHaveLength(2))
    const { days, since } = await published()
    expect(days[0]?.taken_at).toBe(next_at)
    expect(since).toBe('2026-03-18')
    const { figures, questions } = (await app.call(calls.homeContent)).body.data
    expect(figures.proofs_since).toBe('2026-03-18')
    expect(questions.find(({ key }) => key === 'funds')?.text).toContain('published since 2026-03-18')
  })

  it('logs that the ledger does not reconcile, and publishes the proof once it does', async () => {
    const { cash } = await app.ctx.db
      .selectFrom('balance')
      .select('cash')
      .where('user_id', '=', alice.id)
      .executeTakeFirstOrThrow()
    const write = (amount: bigint) =>
      database.asOwner((db) =>
        db.updateTable('balance').set({ cash: amount }).where('user_id', '=', alice.id).execute(),
      )
    await write(1n)
    await app.startMarkets()
    app.ctx.clock.advance(1_000)
    const refused = 'liabilities were not published: the ledger does not reconcile'
    await vi.waitFor(() => expect(app.ctx.lines.map(({ message }) => message)).toContain(refused))
    await write(cash)
    await vi.waitFor(async () => {
      app.ctx.clock.advance(MINUTE_MS)
      expect((await published()).days).toHaveLength(1)
    })
  })

  it('keeps the first day across a restart', async () => {
    await takeSnapshot(app.ctx)
    await app.stop()
    app = await createTestApp(database)
    expect((await published()).since).toBe('2026-03-18')
  })
})

describe('the proof of a user', () => {
  it('LI5: exists only for users with an account on that day, and only these users can read their own', async () => {
    await takeSnapshot(app.ctx)
    const bob = await app.verifiedUser('bob')
    expect(await ownProof(bob.token)).toBeNull()
    expect((await ownProof())?.account.id).toBe(alice.id)
    expect((await app.call(calls.ownLiability)).status).toBe(401)
    const unverified = await app.signUp('carol')
    expect((await app.call(calls.ownLiability, { token: unverified.token })).body.code).toBe('not_verified')
  })

  it('LI5: can be requested for a day, and the request for a day without a proof is refused', async () => {
    await takeSnapshot(app.ctx)
    const ask = (day: string) => app.call(calls.ownLiability, { token: alice.token, query: { day } })
    expect((await ask('2026-03-18')).body.data.proof?.record.day).toBe('2026-03-18')
    const refused = await ask('2026-03-17')
    expect(refused).toMatchObject({ status: 404, body: { code: 'proof_unknown' } })
    expect(refused.body.message).toBe('There is no proof of your balance for that day.')
    for (const day of ['yesterday', '2026-02-30', '18.03.2026', '']) expect((await ask(day)).status, day).toBe(422)
  })

  it(`stays for ${PROOF_RETENTION_DAYS} days, while the record of its day stays for ever`, async () => {
    await takeSnapshot(app.ctx)
    const ask = async () => findOwnProof(app.ctx.db, alice.id, '2026-03-18')
    app.ctx.clock.jump((PROOF_RETENTION_DAYS - 1) * DAY_MS)
    await takeSnapshot(app.ctx)
    expect(await ask()).not.toBeNull()
    app.ctx.clock.jump(DAY_MS)
    await takeSnapshot(app.ctx)
    expect(await ask()).toBeNull()
    expect((await published()).days.at(-1)?.day).toBe('2026-03-18')
  })

  it.each<[string, object]>([
    ['cash', { cash: 1n }],
    ['salt', { salt: Buffer.alloc(32) }],
    ['parts', { parts: Buffer.alloc(64) }],
  ])('fails the check when its stored %s was changed', async (_, change) => {
    await takeSnapshot(app.ctx)
    await database.asOwner((db) =>
      db.updateTable('liability_account').set(change).where('user_id', '=', alice.id).execute(),
    )
    const proof = await ownProof()
    if (proof === null) throw new Error('there is one')
    const { days } = await published()
    expect(findFaults(sha256, proof, { accountId: alice.id, published: days })).not.toEqual([])
  })

  it('LI2: fails the check when the stored tree was changed', async () => {
    await takeSnapshot(app.ctx)
    await database.asOwner((db) =>
      db
        .updateTable('liability_node')
        .set({ places: Buffer.alloc(64 * 40) })
        .execute(),
    )
    const proof = await ownProof()
    if (proof === null) throw new Error('there is one')
    expect(findFaults(sha256, proof, { accountId: alice.id })).toEqual(['tree'])
  })
})

describe('the database', () => {
  it('refuses every change by the server', async () => {
    await takeSnapshot(app.ctx)
    for (const statement of [
      () => app.ctx.db.updateTable('liability_day').set({ total: 0n }).execute(),
      () => app.ctx.db.deleteFrom('liability_day').execute(),
      () => app.ctx.db.updateTable('liability_account').set({ cash: 0n }).execute(),
      () => app.ctx.db.updateTable('liability_node').set({ level: 1 }).execute(),
    ]) {
      await expect(statement()).rejects.toThrow(/permission denied/)
    }
  })

  it('refuses a change of a published day by mistake, even by the owner of the database', async () => {
    await takeSnapshot(app.ctx)
    await expect(
      database.asOwner((db) => db.updateTable('liability_day').set({ total: 0n }).execute()),
    ).rejects.toThrow(/only ever added to/)
  })

  it('refuses a second record of a day, and a second record after the same earlier one', async () => {
    await takeSnapshot(app.ctx)
    const row = await app.ctx.db.selectFrom('liability_day').selectAll().executeTakeFirstOrThrow()
    await expect(
      app.ctx.db
        .insertInto('liability_day')
        .values({ ...row, number: 2 })
        .execute(),
    ).rejects.toThrow(/unique/)
    const fork = { ...row, number: 2, day: row.day + 1, head: Buffer.alloc(32) }
    await expect(app.ctx.db.insertInto('liability_day').values(fork).execute()).rejects.toThrow(/unique/)
  })
})

it("publishes the operator's text about the funds unchanged", async () => {
  expect((await published()).statement).toBe('')
  await app.ctx.db
    .insertInto('setting')
    .values({ key: 'funds_statement', value: JSON.stringify('bc1q… at First Bank'), updated_ms: app.ctx.now() })
    .execute()
  await app.settings.reload()
  expect((await published()).statement).toBe('bc1q… at First Bank')
  expect((await published()).next_at).toBe(toIso(app.ctx.now()).replace(/18T.*/, '19T00:00:00.000Z'))
})

async function speak(): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, 9_400_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

let orders = 0
async function placeOrder(): Promise<void> {
  orders += 1
  const placed = await app.engine.place({
    userId: alice.id,
    clientOrderId: `order-${orders}`,
    direction: BUY,
    tradeSettingId: 1,
    stake: money(2_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  expect(placed.ok).toBe(true)
}
