import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { STAFF_SOCKET_PATH } from '#contract/live/staff-socket.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert } from '#core/result.ts'
import { type AttackBench, openAttackBench, type RawClient } from '#test/security/attack-harness.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { emailOf, TEST_PASSWORD, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const SITE = 'https://trade.example.com'

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let owner: StaffSession
beforeAll(async () => {
  bench = await openAttackBench(database, { environment: { PUBLIC_URL: SITE } })
  owner = await bench.app.staff('owner')
})
afterAll(async () => {
  await bench.close()
})

/** The clock stands still, so the socket must close without the periodic check. */
const closed = (client: RawClient) => vi.waitFor(() => expect(client.closed).toBe(1008))
const stays = async (client: RawClient) => {
  const before = client.answers('pong').length
  client.send({ action: 'ping' })
  await bench.until(() => client.answers('pong').length > before)
}

describe('AT23: an ended session opens nothing, and its sockets close with 1008', () => {
  let here: TestUser
  let there: TestUser
  let sockets: { here: RawClient; there: RawClient }
  beforeEach(async () => {
    const { app } = bench
    here = await app.verifiedUser()
    there = await app.signIn(here.username, here.password)
    sockets = { here: await listening(here.token), there: await listening(there.token) }
  })

  async function listening(token: string): Promise<RawClient> {
    const client = await bench.connect()
    // The first pong shows that the server knows the session. Without this wait, the session could end before the
    // subscription reads it.
    client.send({ action: 'ping', token })
    await bench.until(() => client.answers('pong').length === 1)
    client.send({ action: 'subscribe', token })
    client.send({ action: 'ping', token })
    await bench.until(() => client.answers('pong').length === 2)
    return client
  }

  /** The ways to end the other session, from this session or by staff, and whether this session stays open. */
  const WAYS: Readonly<Record<string, { end: () => Promise<{ status: number }>; hereGoesOn: boolean }>> = {
    'signing out': { end: () => bench.app.call(calls.logout, { token: there.token }), hereGoesOn: true },
    'ending it elsewhere': {
      async end() {
        const { sessions } = (await bench.app.call(calls.security, { token: here.token })).body.data
        const other = sessions.find(({ is_this: isThis }) => !isThis)
        assert(other, 'the other session is listed')
        return bench.app.call(calls.endSession, { token: here.token, params: { id: other.id } })
      },
      hereGoesOn: true,
    },
    'ending all others': {
      end: () => bench.app.call(calls.endOtherSessions, { token: here.token }),
      hereGoesOn: true,
    },
    'another password': {
      end: () =>
        bench.app.call(calls.changePassword, {
          token: here.token,
          body: { current_password: TEST_PASSWORD, password: 'violet-17', password_confirmation: 'violet-17' },
        }),
      hereGoesOn: true,
    },
    'a password that was forgotten': {
      async end() {
        const email = emailOf(here.username)
        const { app } = bench
        await app.call(calls.forgetPassword, { body: { value: email } })
        const newest = async () => (await app.call(calls.outbox, { query: { to: email } })).body.data.messages[0]
        await expect.poll(async () => (await newest())?.kind).toBe('reset_password')
        const token = (await newest())?.code ?? ''
        const body = { email, token, password: 'violet-17', password_confirmation: 'violet-17' }
        return app.call(calls.resetPassword, { body })
      },
      hereGoesOn: false,
    },
    'a block': {
      end: () =>
        owner.call(staffCalls.staffSetLogInAllowed, {
          params: { id: here.id },
          body: { version: 1, allowed: false, reason: 'stolen' },
        }),
      hereGoesOn: false,
    },
    'a verification that is taken back': {
      end: () =>
        owner.call(staffCalls.staffSetVerified, {
          params: { id: here.id },
          body: { version: 1, verified: false, reason: 'forged papers' },
        }),
      hereGoesOn: false,
    },
    'staff who end all': {
      end: () => owner.call(staffCalls.staffEndUserSessions, { params: { id: here.id } }),
      hereGoesOn: false,
    },
  }
  it.each(Object.keys(WAYS))('by %s', async (name) => {
    const way = WAYS[name]
    assert(way, 'it is listed')
    expect((await way.end()).status).toBe(200)
    await closed(sockets.there)
    expect((await bench.app.call(calls.profile, { token: there.token })).status).toBe(401)
    if (way.hereGoesOn) await stays(sockets.here)
    else await closed(sockets.here)
    expect((await bench.app.call(calls.profile, { token: here.token })).status).toBe(way.hereGoesOn ? 200 : 401)
    // The token of the ended session is also refused on a new socket.
    const again = await bench.connect()
    again.send({ action: 'subscribe', token: there.token })
    const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC' }
    again.send({ action: 'newTrade', token: there.token, data })
    await bench.until(() => again.said.filter(({ code }) => code === 'not_signed_in').length === 2)
  })

  it('a socket that is being opened while its session ends is refused or closes', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const late = await bench.app.signIn(here.username, here.password)
      const client = await bench.connect()
      client.send({ action: 'subscribe', token: late.token })
      await bench.app.call(calls.endOtherSessions, { token: here.token })
      await bench.until(() => client.closed !== null || client.said.some(({ code }) => code === 'not_signed_in'))
      expect([null, 1008]).toContain(client.closed)
    }
  })
})

it('A115: attack: the session of a blocked user on a socket', async () => {
  const { app } = bench
  const { id, username } = await app.verifiedUser()
  const body = { version: 1, allowed: false, reason: 'stolen' }
  await owner.call(staffCalls.staffSetLogInAllowed, { params: { id }, body })
  const { token } = await app.signIn(username, TEST_PASSWORD)
  const client = await bench.connect()
  client.send({ action: 'subscribe', token })
  client.send({ action: 'newTrade', token, data: { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC' } })
  await bench.until(() => client.said.filter(({ code }) => code === 'not_signed_in').length === 2)
  expect(await app.ctx.db.selectFrom('open_order').select('id').where('user_id', '=', id).execute()).toEqual([])
})

it('AT23: no client can choose the token of its session', async () => {
  const { app } = bench
  const { username } = await app.verifiedUser()
  const mallory = await app.signUp()
  const fixed = 'A'.repeat(43)
  for (const token of [fixed, mallory.token]) {
    const { body } = await app.inject({
      method: 'POST',
      url: '/api/user/auth/login',
      headers: { authorization: `Bearer ${token}`, cookie: `token=${token}; fairwick_staff=${token}` },
      payload: { username, password: TEST_PASSWORD, token, session: token },
    })
    expect(body.data).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(body.data).not.toMatchObject({ token })
  }
  expect((await app.call(calls.profile, { token: fixed })).status).toBe(401)
  expect((await app.call(calls.profile, { token: mallory.token })).body.data.user.username).toBe(mallory.username)
})

describe('AT23: an ended session of the back office', () => {
  async function atWork(name: string): Promise<{ session: StaffSession; socket: RawClient }> {
    const session = await bench.app.staff(name)
    const socket = await bench.connect(STAFF_SOCKET_PATH, { headers: { cookie: session.cookie } })
    await vi.waitFor(() => expect(socket.answers('alive')).toHaveLength(1))
    return { session, socket }
  }
  const person = async (name: string) => {
    const { rows } = (await owner.call(staffCalls.staffMembers)).body.data
    const found = rows.find((row) => row.name === name)
    assert(found, `${name} is listed`)
    return found
  }
  const change = async (name: string, what: { role?: 'content'; is_blocked?: boolean }) => {
    const { id, version, role } = await person(name)
    const body = { version, role, is_blocked: false, reason: 'left', ...what }
    return owner.call(staffCalls.staffChangeMember, { params: { id }, body })
  }

  /**
   * Agrees to a new invitation and waits until almost a minute later, when it is about to take effect. After a whole
   * minute a silent socket would be closed for another reason.
   */
  const agreeOnInvitation = async () => {
    const { id, version } = await person('markets')
    const body = { version, reason: 'phone lost', mail: '' }
    await owner.call(staffCalls.staffReinviteMember, { params: { id }, body })
    const second = await bench.app.staff('finance2')
    const [wanted] = (await second.call(staffCalls.staffChanges, { query: { state: 'open' } })).body.data.rows
    const agreed = { params: { id: wanted?.id ?? '' }, body: { content_hash: wanted?.content_hash ?? '' } }
    const reply = await second.call(staffCalls.staffSecondChange, agreed)
    bench.app.ctx.clock.jump(59_000)
    return reply
  }

  it.each<[string, string, (session: StaffSession) => Promise<{ status: number }>, number, (() => Promise<unknown>)?]>([
    ['signing out', 'finance', (session) => session.call(staffCalls.staffSignOut), 401],
    [
      'an owner who ends it',
      'finance2',
      async () => {
        const { sessions: rows } = (await owner.call(staffCalls.staffSessions)).body.data
        const found = rows.find(({ name }) => name === 'finance2')
        return owner.call(staffCalls.staffEndSession, { params: { id: found?.id ?? '' } })
      },
      401,
    ],
    ['a block', 'support', () => change('support', { is_blocked: true }), 401],
    [
      'a lost phone or password',
      'markets',
      async () => {
        bench.app.ctx.clock.advance(1_000)
        await bench.app.applyChanges()
        return { status: 200 }
      },
      401,
      agreeOnInvitation,
    ],
    // The session stays open with exactly the rights of the new role.
    ['another role', 'finance', () => change('finance', { role: 'content' }), 403],
  ])('by %s: its socket closes with 1008, and its cookie opens nothing', async (_, name, end, status, before) => {
    await before?.()
    const { session, socket } = await atWork(name)
    expect((await end(session)).status).toBe(200)
    await closed(socket)
    expect((await session.call(staffCalls.staffDeposits)).status).toBe(status)
  })

  it('a session of the back office cannot leak over http, because cookie and site require https', async () => {
    const content = await bench.app.staff('content')
    const { headers } = await content.call(staffCalls.staffSignOut)
    expect(headers['set-cookie']).toMatch(/; HttpOnly; Secure; SameSite=Strict$/)
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
  })
})
