import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { postAnnounced } from '#server/payments/adjustments/post-announced.ts'
import { assert } from '#core/result.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let finance: StaffSession
let finance2: StaffSession
let owner: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  // A decision and its transfer must have the same time. Each reading of the clock returns a different time here, so
  // two readings would be detected.
  app.ctx.clock.perReadingMs = 1
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } })
  finance = await app.staff('finance')
  finance2 = await app.staff('finance2')
  owner = await app.staff('owner')
})
afterEach(async () => {
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger adds up')
  await app.stop()
})

interface Ask {
  user_id?: string
  kind?: 'credit' | 'deposit_reversed' | 'paid_twice'
  link?: string
  message?: string
  amount?: number
  reason?: string
}
async function ask(change: Ask = {}, who = finance) {
  const form = { user_id: alice.id, kind: 'credit' as const, amount: 25, reason: 'paid twice', message: 'Sorry.' }
  const { body } = await who.call(staffCalls.staffRequestCorrection, { body: { ...form, ...change } })
  return body.data?.id ?? `refused: ${body.code}`
}
const look = async (id: string) => (await finance.call(staffCalls.staffCorrection, { params: { id } })).body.data
async function approve(who: StaffSession, id: string, hash?: string) {
  const body = { content_hash: hash ?? (await look(id)).content_hash }
  const reply = (await who.call(staffCalls.staffApproveCorrection, { params: { id }, body })).body
  return reply.code ?? reply.data.outcome
}
async function reject(who: StaffSession, id: string, words = 'no such payment') {
  const body = { content_hash: (await look(id)).content_hash, words }
  const reply = (await who.call(staffCalls.staffRejectCorrection, { params: { id }, body })).body
  return reply.code ?? reply.data.outcome
}
const balance = async () => (await app.call(calls.profile, { token: alice.token })).body.data.user.balance
const house = async () => (await checkLedger(app.ctx.db)).house.get('house:corrections') ?? 0n

it('AT43: an adjustment is requested by one staff member and posted by another, as one transfer', async () => {
  const id = await ask()
  expect([await balance(), (await look(id)).state]).toEqual([100, 'waiting'])
  const eventCount = app.ctx.announced.length
  expect(await approve(finance2, id)).toBe('posted')
  expect([await balance(), await house()]).toEqual([125, -2_500n])
  expect(app.ctx.announced.slice(eventCount)).toContainEqual({ kind: 'balance-changed', userId: alice.id })
  expect(await look(id)).toMatchObject({ state: 'posted', asked_by: 'finance', decided_by: 'finance2' })
  const posted = await app.ctx.db.selectFrom('transfer').selectAll().where('ref', '=', id).execute()
  expect(posted).toMatchObject([
    {
      step: 'correction',
      kind: 'correction_in',
      from_account: 'house:corrections',
      to_account: 'cash',
      amount: 2_500n,
    },
  ])
})

it('an adjustment takes a deposit back only once, and only after the adjustment was announced', async () => {
  const [all, more] = [await askTakeBack(99), await askTakeBack(1)]
  expect([await approve(finance2, all), await approve(finance2, more)]).toEqual(['announced', 'announced'])
  app.ctx.clock.advance(MINUTE_MS)
  await postAnnounced(app.ctx)
  expect([await balance(), (await look(all)).state, (await look(more)).state]).toEqual([0, 'posted', 'posted'])
  expect(await askTakeBack(0.01)).toBe('refused: correction_not_allowed')
  const posted = await app.ctx.db.selectFrom('transfer').select('kind').where('ref', '=', all).execute()
  expect(posted).toEqual([{ kind: 'correction_out' }])
})

it('AT43: a disputed adjustment counts as work of staff, and open pages of staff hear of the dispute', async () => {
  const id = await askTakeBack(10)
  expect(await approve(finance2, id)).toBe('announced')
  const waiting = async () => (await finance.call(staffCalls.staffCounts)).body.data.corrections
  expect(await waiting()).toBe(0)
  const eventCount = app.ctx.announced.length
  const { trx } = await look(id)
  const dispute = () => app.call(calls.disputeAdjustment, { token: alice.token, params: { trx } })
  expect((await dispute()).body.data.adjustment.state).toBe('disputed')
  expect(await waiting()).toBe(1)
  const published = app.ctx.announced.slice(eventCount)
  expect(published).toContainEqual({ kind: 'back-office-changed', area: 'corrections' })
  expect((await dispute()).body.code).toBe('adjustment_decided')
  expect(app.ctx.announced.slice(eventCount + published.length), 'a refused dispute').toEqual([])
})

describe('AT42, AT43: the second approver', () => {
  it('cannot be the requester, even from another session', async () => {
    const id = await ask()
    const sameAgain = await app.staff('finance')
    const outcomes = await Promise.all([finance, sameAgain, finance].map((who) => approve(who, id)))
    expect(new Set(outcomes)).toEqual(new Set(['asked_yourself']))
    expect(await reject(finance, id)).toBe('asked_yourself')
    expect(await balance()).toBe(100)
  })

  it('posts the adjustment once under concurrent approvals', async () => {
    const id = await ask()
    const { content_hash: hash } = await look(id)
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, place) => approve(place % 2 === 0 ? owner : finance2, id, hash)),
    )
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'already_decided')).toHaveLength(9)
    expect(await balance()).toBe(125)
  })

  it('and a concurrent rejection have one result: the adjustment is posted or rejected', async () => {
    const id = await ask()
    const [first, second] = await Promise.all([approve(owner, id), reject(finance2, id)])
    expect([first, second].filter((outcome) => outcome === 'already_decided')).toHaveLength(1)
    expect(await balance()).toBe(first === 'posted' ? 125 : 100)
    expect(await approve(owner, id)).toBe('already_decided')
  })

  it('cannot approve content that changed after the request, but can reject it', async () => {
    const id = await ask()
    const { content_hash: hash } = await look(id)
    await database.asOwner((db) => db.updateTable('correction').set({ amount: 99_900n }).where('id', '=', id).execute())
    expect(await approve(finance2, id, hash), 'what was looked at').toBe('content_changed')
    expect(await approve(finance2, id), 'what it is now').toBe('content_changed')
    expect(await balance()).toBe(100)
    expect(await reject(finance2, id)).toBe('rejected')
  })

  it('cannot approve an adjustment with the hash of another one, or approve an unknown adjustment', async () => {
    const [id, other] = [await ask(), await ask({ amount: 26 })]
    const { content_hash: hash } = await look(other)
    expect(await approve(finance2, id, hash)).toBe('content_changed')
    expect(await approve(finance2, app.ctx.newId(), hash)).toBe('not_found')
    expect([await balance(), (await look(id)).state]).toEqual([100, 'waiting'])
    expect(await approve(finance2, other, hash)).toBe('posted')
  })

  it('must give a reason for a rejection', async () => {
    const id = await ask()
    expect(await reject(finance2, id, ' ')).toBe('reason_needed')
    expect(await reject(finance2, id)).toBe('rejected')
    expect(await approve(owner, id)).toBe('already_decided')
    expect([await balance(), (await look(id)).words]).toEqual([100, 'no such payment'])
  })
})

async function askTakeBack(amount: number) {
  const own = app.ctx.db.selectFrom('deposit').select('trx').where('user_id', '=', alice.id)
  const { trx: link } = await own.executeTakeFirstOrThrow()
  return await ask({ kind: 'deposit_reversed', link, amount })
}

it('AT43: the requester may call off an adjustment that is announced', async () => {
  const id = await askTakeBack(99)
  expect(await approve(finance2, id)).toBe('announced')
  expect(await reject(finance, id)).toBe('rejected')
  expect(await look(id)).toMatchObject({ state: 'rejected', asked_by: 'finance', decided_by: 'finance' })
  expect(await balance()).toBe(100)
})

describe('AT43: the only approver of a site', () => {
  const onlyFinance = () =>
    database.asOwner((db) =>
      db.updateTable('staff').set({ approver_ms: null }).where('name', '<>', 'finance').execute(),
    )
  const decideAlone = (id: string) =>
    database.db
      .updateTable('correction')
      .set((row) => ({ state: 'posted', decided_by: row.ref('asked_by'), decided_ms: BigInt(app.ctx.now()) }))
      .where('id', '=', id)
      .execute()

  it('posts an own adjustment after the wait', async () => {
    await onlyFinance()
    const id = await ask()
    expect(await approve(finance, id)).toBe('change_pending')
    app.ctx.clock.advance(MINUTE_MS)
    expect(await approve(finance, id)).toBe('posted')
    expect(await look(id)).toMatchObject({ state: 'posted', asked_by: 'finance', decided_by: 'finance' })
    expect(await balance()).toBe(125)
  })

  it('announces an own negative adjustment after the wait, which is posted later', async () => {
    await onlyFinance()
    const id = await askTakeBack(99)
    app.ctx.clock.advance(MINUTE_MS)
    expect(await approve(finance, id)).toBe('announced')
    app.ctx.clock.advance(MINUTE_MS)
    await postAnnounced(app.ctx)
    expect([await balance(), (await look(id)).state]).toEqual([1, 'posted'])
  })

  it('cannot decide an own adjustment in the database without an approval after the wait', async () => {
    await onlyFinance()
    const id = await ask()
    const alone = /asked and decided by one person/
    await expect(decideAlone(id), 'no approval').rejects.toThrow(alone)
    const { content_hash, asked_by: staff_id } = await database.db
      .selectFrom('correction')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const approval = { kind: 'correction', subject: id, content_hash, step: 3, staff_id, person: staff_id }
    const values = { ...approval, id: app.ctx.newId(), at_ms: BigInt(app.ctx.now()), mark: 'one_operator' }
    await database.db
      .insertInto('approval')
      .values({ ...values, user_id: null, destination: null })
      .execute()
    await expect(decideAlone(id), 'before the wait is over').rejects.toThrow(alone)
  })

  it('cannot decide an own adjustment in the database once there is another approver', async () => {
    await onlyFinance()
    const id = await ask()
    const since = BigInt(app.ctx.now())
    await database.asOwner((db) =>
      db.updateTable('staff').set({ approver_ms: since }).where('name', '=', 'owner').execute(),
    )
    app.ctx.clock.advance(MINUTE_MS)
    expect(await approve(finance, id)).toBe('asked_yourself')
    await expect(decideAlone(id)).rejects.toThrow(/asked and decided by one person/)
  })
})

it.each<[Ask, string]>([
  [{ amount: 0 }, 'amount_not_positive'],
  [{ amount: -5 }, 'amount_not_positive'],
  [{ amount: 1.005 }, 'amount_invalid'],
  [{ reason: '  ' }, 'reason_needed'],
  [{ user_id: '0195a000-0000-7000-8000-ffffffffffff' }, 'not_found'],
])('AT43: refuses the request %j', async (change, code) => {
  expect(await ask(change)).toBe(`refused: ${code}`)
  expect(await app.ctx.db.selectFrom('correction').selectAll().execute()).toEqual([])
})

it('lists adjustments by state and user, newest first', async () => {
  const bob = await app.verifiedUser('bob')
  const first = await ask()
  app.ctx.clock.advance(1_000)
  const second = await ask({ user_id: bob.id })
  const list = async (query: Record<string, string>) =>
    (await finance.call(staffCalls.staffCorrections, { query })).body.data.rows.map(({ id }) => id)
  expect(await list({})).toEqual([second, first])
  expect(await list({ search: 'ALICE' })).toEqual([first])
  expect(await list({ user: bob.id })).toEqual([second])
  await approve(finance2, first)
  expect(await list({ state: 'waiting' })).toEqual([second])
  expect(await list({ state: 'posted' })).toEqual([first])
})

it('AT43: hides adjustments from support staff', async () => {
  const support = await app.staff('support')
  expect(await ask({}, support)).toBe('refused: not_allowed')
  const id = await ask()
  expect(await approve(support, id)).toBe('not_allowed')
})
