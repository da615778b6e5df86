import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { uidOf } from '#core/accounts/uid.ts'
import { money } from '#core/money/money.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, emailOf, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let support: StaffSession
let finance: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  support = await app.staff('support')
  finance = await app.staff('finance')
})
afterEach(() => app.stop())

const params = () => ({ id: alice.id })
const look = async () => (await support.call(staffCalls.staffUser, { params: params() })).body.data
const find = async (query: Record<string, string | number>) =>
  (await support.call(staffCalls.staffUsers, { query })).body.data.rows.map(({ username }) => username)
const setTrading = async (body: { version: number; on: boolean; reason: string }, who = support) =>
  (await who.call(staffCalls.staffSetTradingAllowed, { params: params(), body })).body
const block = async (allowed: boolean, reason = 'chargebacks') => {
  const { version } = await look()
  return support.call(staffCalls.staffSetLogInAllowed, { params: params(), body: { version, allowed, reason } })
}
const signIn = async (password = TEST_PASSWORD) =>
  app.call(calls.login, { body: { username: 'alice', password }, headers: { 'user-agent': 'test' } })
const announced = (kind: string) => app.ctx.announced.filter((one) => one.kind === kind)

describe('the list of users', () => {
  it('returns users newest first, in pages', async () => {
    for (const name of ['bob', 'carol']) {
      app.ctx.clock.advance(1_000)
      await app.signUp(name)
    }
    const first = await support.call(staffCalls.staffUsers, { query: { limit: 2, kind: 'people' } })
    expect(first.body.data.rows.map(({ username }) => username)).toEqual(['carol', 'bob'])
    const after = first.body.data.next ?? ''
    expect(await find({ limit: 2, kind: 'people', after })).toEqual(['alice', 'demo'])
  })

  it.each([
    ['ALI', ['alice']],
    ['alice@exam', ['alice']],
    ['%', []],
    ['_lice', []],
    ["x' or 1=1 --", []],
  ])('finds %s', async (search, found) => {
    expect(await find({ search })).toEqual(found)
  })

  it('finds a user by phone number in any spelling, and by id', async () => {
    await app.ctx.db.updateTable('app_user').set({ mobile_code: '+49' }).where('id', '=', alice.id).execute()
    for (const search of ['5551234567', '555-123', '+49 555 1234567', '0049 5551', alice.id]) {
      expect(await find({ search }), search).toEqual(['alice'])
    }
    expect(await find({ search: '+48 555 1234567' })).toEqual([])
    await app.ctx.db.updateTable('app_user').set({ mobile_code: '+36', mobile: '201234567' }).execute()
    for (const search of ['06 20 123 4567', '06 20 123', '0036 20 123', '234-56'])
      expect(await find({ search, kind: 'people' }), search).toContain('alice')
  })

  it('F65: finds a user by UID, and by the start of the reference of an order or a payment', async () => {
    await app.signUp('bob')
    const { trx } = (await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } }))
      .body.data.deposit
    for (const search of [
      uidOf(alice.id),
      uidOf(alice.id).toLowerCase(),
      trx,
      trx.toLowerCase(),
      trx.replaceAll('-', ''),
      trx.slice(0, -3),
    ])
      expect(await find({ search }), search).toEqual(['alice'])
    for (const search of ['ZZZZZZZZZZ', 'FW-', `${trx}0`]) expect(await find({ search }), search).toEqual([])
  })

  it('filters users by permissions', async () => {
    await app.signUp('bob')
    expect(await find({ verified: 'no', kind: 'people' })).toEqual(['bob'])
    await setTrading({ version: 1, on: false, reason: 'papers' })
    expect(await find({ trading: 'off' })).toEqual(['alice'])
    await block(false)
    expect(await find({ sign_in: 'blocked' })).toEqual(['alice'])
    expect(await find({ sign_in: 'blocked', verified: 'no' })).toEqual([])
  })

  it('returns nothing after a forged cursor', async () => {
    const after = Buffer.from('["x","y"]').toString('base64url')
    expect(await find({ after })).toEqual([])
  })
})

describe('trading permission', () => {
  it('a trading permission that staff remove is off in the profile of the user, with the reason, until staff give it back', async () => {
    await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } })
    expect(await setTrading({ version: 1, on: false, reason: 'Send your papers.' })).toMatchObject({
      data: { version: 2 },
    })
    const { user } = (await app.call(calls.profile, { token: alice.token })).body.data
    expect(user).toMatchObject({ trade_status: 0, trade_reason: 'Send your papers.' })
    expect(announced('trade-status-changed')).toHaveLength(1)
    await setTrading({ version: 2, on: true, reason: 'They came.' })
    expect(await look()).toMatchObject({ trading: true, trading_reason: '', version: 3 })
  })

  it('needs a reason for removing it and for giving it back', async () => {
    expect((await setTrading({ version: 1, on: false, reason: ' ' })).code).toBe('words_needed')
    expect((await setTrading({ version: 1, on: true, reason: '' })).code).toBe('reason_needed')
    expect((await look()).version).toBe(1)
  })

  it('refuses an outdated edit and names its earlier editor', async () => {
    await setTrading({ version: 1, on: false, reason: 'first' })
    const owner = await app.staff('owner')
    const stale = await setTrading({ version: 1, on: true, reason: 'second' }, owner)
    expect(stale).toMatchObject({ code: 'changed_meanwhile' })
    expect(stale.message).toMatch(/^support changed this .*\(Trading, Reason for switching trading off\)/)
    expect(await look()).toMatchObject({ trading: false, trading_reason: 'first' })
  })

  it('accepts one of two concurrent changes', async () => {
    const outcomes = await Promise.all(
      [true, false, true, false].map((on) => setTrading({ version: 1, on, reason: 'race' })),
    )
    expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(({ code }) => code === 'changed_meanwhile')).toHaveLength(3)
  })

  it('refuses an unknown user', async () => {
    const id = '0195a000-0000-7000-8000-ffffffffffff'
    const body = { version: 1, on: false, reason: 'papers' }
    expect((await support.call(staffCalls.staffSetTradingAllowed, { params: { id }, body })).body.code).toBe(
      'not_found',
    )
  })
})

describe('a log-in block', () => {
  it('ends every session immediately, and in a new session the user can only withdraw money', async () => {
    const second = await app.signIn('alice', TEST_PASSWORD)
    expect((await app.call(calls.profile, { token: second.token })).status).toBe(200)
    expect((await block(false)).status).toBe(200)
    for (const { token } of [alice, second]) expect((await app.call(calls.profile, { token })).status).toBe(401)
    expect(announced('session-ended').at(-1)).toMatchObject({ userId: alice.id, tokenHash: null })
    const { token } = await app.signIn('alice', TEST_PASSWORD)
    expect((await app.call(calls.profile, { token })).body.data.user.leaving).toMatchObject({ reason: 'chargebacks' })
    expect((await app.call(calls.saveDeposit, { token, body: { amount: 100, method_id: 1 } })).body.code).toBe(
      'leave_only',
    )
  })

  it('also applies to sessions that open at the same time: they end, or allow only withdrawing money', async () => {
    const [, ...opened] = await Promise.all([block(false), signIn(), signIn(), signIn()])
    for (const { body } of opened) {
      const token = body.data && 'token' in body.data ? body.data.token : null
      if (!token) continue
      const deposit = { token, body: { amount: 100, method_id: 1 } }
      expect(['not_signed_in', 'leave_only']).toContain((await app.call(calls.saveDeposit, deposit)).body.code)
    }
  })

  it('cannot be bypassed by a password reset', async () => {
    await app.call(calls.forgetPassword, { body: { value: emailOf('alice') } })
    const outbox = async () => (await app.call(calls.outbox, { query: { to: emailOf('alice') } })).body.data.messages
    await expect.poll(async () => (await outbox())[0]?.kind).toBe('reset_password')
    const token = (await outbox())[0]?.code ?? ''
    await block(false)
    const body = { email: emailOf('alice'), token, password: 'a-new-one', password_confirmation: 'a-new-one' }
    expect((await app.call(calls.resetPassword, { body })).status).toBe(200)
    const { token: session } = await app.signIn('alice', 'a-new-one')
    expect((await app.call(calls.limits, { token: session })).body.code).toBe('leave_only')
    await block(true, 'cleared up')
    expect((await signIn('a-new-one')).status).toBe(200)
  })

  it('needs a reason, which the page of the user shows', async () => {
    expect((await block(false, '')).body.code).toBe('words_needed')
    await block(false, 'chargebacks')
    expect(await look()).toMatchObject({ may_sign_in: false, sign_in_reason: 'chargebacks' })
  })
})

describe('the verified flag', () => {
  it('when staff remove the verified flag, the sessions of the user end, and the next session cannot withdraw', async () => {
    const body = { version: 1, verified: false, reason: 'forged papers' }
    await support.call(staffCalls.staffSetVerified, { params: params(), body })
    expect((await app.call(calls.profile, { token: alice.token })).status).toBe(401)
    const again = await app.signIn('alice', TEST_PASSWORD)
    expect((await app.call(calls.withdrawMethods, { token: again.token })).body.code).toBe('not_verified')
    const stale = await support.call(staffCalls.staffSetVerified, { params: params(), body })
    expect(stale.body.code).toBe('changed_meanwhile')
  })
})

describe('sessions', () => {
  const list = async () => (await support.call(staffCalls.staffUserSessions, { params: params() })).body.data.sessions

  it('can be ended one by one or all together', async () => {
    const second = await app.signIn('alice', TEST_PASSWORD)
    app.ctx.clock.advance(1_000)
    const third = await app.signIn('alice', TEST_PASSWORD)
    const [newest] = await list()
    const one = { params: { id: alice.id, session: newest?.id ?? '' } }
    expect((await support.call(staffCalls.staffEndUserSession, one)).status).toBe(200)
    expect((await app.call(calls.profile, { token: third.token })).status).toBe(401)
    expect((await app.call(calls.profile, { token: second.token })).status).toBe(200)
    expect((await support.call(staffCalls.staffEndUserSession, one)).body.code).toBe('not_found')
    await support.call(staffCalls.staffEndUserSessions, { params: params() })
    expect((await app.call(calls.profile, { token: second.token })).status).toBe(401)
    expect(await list()).toEqual([])
  })

  it("cannot be ended under another user's name", async () => {
    const bob = await app.verifiedUser('bob')
    const [his] = (await support.call(staffCalls.staffUserSessions, { params: { id: bob.id } })).body.data.sessions
    const wrong = { params: { id: alice.id, session: his?.id ?? '' } }
    expect((await support.call(staffCalls.staffEndUserSession, wrong)).body.code).toBe('not_found')
    expect((await app.call(calls.profile, { token: bob.token })).status).toBe(200)
  })

  it('appear without their tokens', async () => {
    const text = JSON.stringify(await list())
    const [row] = await app.ctx.db.selectFrom('session').select('token_hash').execute()
    expect(text).not.toContain(alice.token)
    expect(text).not.toContain(
      Buffer.from(row?.token_hash ?? [])
        .toString('hex')
        .slice(0, 16),
    )
  })
})

describe("a user's history", () => {
  it('lists sent codes without the codes themselves', async () => {
    const { body } = await support.call(staffCalls.staffUserCodes, { params: params() })
    expect(body.data.rows).toMatchObject([{ kind: 'verify_account', sent_to: 'a•••@example.com' }])
    expect(JSON.stringify(body)).not.toMatch(/\b\d{6}\b/)
  })

  it('contains the statement in pages and as CSV', async () => {
    for (const amount of [10, 20, 30]) {
      await app.call(calls.saveDeposit, { token: alice.token, body: { amount, method_id: 1 } })
    }
    const amounts: number[] = []
    let after = ''
    for (let turn = 0; turn < 10; turn += 1) {
      const query = { limit: 1, ...(after !== '' && { after }) }
      const { rows, next } = (await finance.call(staffCalls.staffUserTransfers, { params: params(), query })).body.data
      amounts.push(...rows.map(({ cash }) => cash))
      if (next === null) break
      after = next
    }
    expect(amounts.filter((cash) => cash >= 10)).toEqual([30, 20, 10])
    const { text, headers } = await finance.read(`/admin/users/${alice.id}/transfers.csv`)
    expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="users-transfers.csv"' })
    expect(text.split('\r\n')).toHaveLength(amounts.length + 2)
  })

  it('contains notes that cannot be changed', async () => {
    const write = (text: string) => finance.call(staffCalls.staffAddUserNote, { params: params(), body: { text } })
    expect((await write('  ')).body.code).toBe('note_empty')
    await write('called, will send papers')
    app.ctx.clock.advance(1_000)
    await write('papers came')
    const { rows } = (await support.call(staffCalls.staffUserNotes, { params: params() })).body.data
    expect(rows.map(({ by, text }) => [by, text])).toEqual([
      ['finance', 'papers came'],
      ['finance', 'called, will send papers'],
    ])
    const change = app.ctx.db.updateTable('user_note').set({ text: 'x' })
    await expect(change.execute()).rejects.toThrow(/permission denied/)
    await database.asOwner(async (owner) => {
      await expect(owner.executeQuery(change.compile()), 'not even as the owner').rejects.toThrow(/only ever added/)
    })
  })

  it('lists open orders separately from settled orders', async () => {
    await app.startMarkets()
    await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } })
    const time = app.ctx.now()
    app.feed.tick(1, 9_000_000, time)
    app.ctx.clock.advance(100)
    await expect.poll(() => app.ticks.latest(1)?.time).toBe(time)
    await app.engine.place({
      userId: alice.id,
      clientOrderId: 'one',
      direction: 1,
      tradeSettingId: 1,
      stake: money(2_000n),
      symbol: 'BTC',
      marketType: null,
      slippageGuard: null,
    })
    const orders = async (state: string) =>
      (await support.call(staffCalls.staffUserOrders, { params: params(), query: { state } })).body.data.rows
    expect(await orders('open')).toMatchObject([{ symbol: 'BTC', stake: 20, result: 0, settled_at: null }])
    expect(await orders('settled')).toEqual([])
    expect(await look()).toMatchObject({ open_orders: 1, staked: 20 })
  })
})
