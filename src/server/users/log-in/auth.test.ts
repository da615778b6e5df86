import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { login } from '#server/users/log-in/log-in.ts'
import { createPasswords, type Passwords } from '#server/platform/credentials/passwords.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { spendTries } from '#test/support/spend-tries.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

const FORM = {
  username: 'alice',
  mobile: '+1-555 123 4567',
  password: 'violet-17',
  password_confirmation: 'violet-17',
  agree: 1,
}

describe('AT22: register', () => {
  it('CA2: creates an unverified account with balance 0', async () => {
    const { status, body } = await app.call(calls.register, { body: { ...FORM, country_code: 'us', mobile_code: '1' } })
    expect(status).toBe(200)
    expect(body.message).toBe('Registered Successfully!')
    expect(body.data.user).toMatchObject({
      username: 'alice',
      balance: 0,
      ev: false,
      mobile: '5551234567',
      mobile_code: '+1',
      country_code: 'US',
      email: null,
    })
    const profile = await app.call(calls.profile, { token: body.data.token })
    expect(profile.body.data.user).toEqual(body.data.user)
  })

  it.each([
    [{ username: 'al' }, 'username_invalid', 'username'],
    [{ username: 'with space' }, 'username_invalid', 'username'],
    [{ username: 'x'.repeat(31) }, 'username_invalid', 'username'],
    [{ username: 'Demo' }, 'username_taken', 'username'],
    [{ mobile: '1234' }, 'mobile_invalid', 'mobile'],
    [{ mobile: 'not a number' }, 'mobile_invalid', 'mobile'],
    [{ mobile_code: 'x' }, 'mobile_invalid', 'mobile'],
    [{ mobile_code: '+999' }, 'mobile_invalid', 'mobile'],
    [{ email: 'nobody' }, 'email_invalid', 'email'],
    [{ country_code: 'XX' }, 'country_unknown', 'country_code'],
    [{ password: '12345', password_confirmation: '12345' }, 'password_length', 'password'],
    [{ password: '1'.repeat(21), password_confirmation: '1'.repeat(21) }, 'password_length', 'password'],
    [{ password_confirmation: 'violet-18' }, 'password_mismatch', 'password_confirmation'],
    [{ agree: false }, 'terms_required', 'agree'],
    [{ agree: '0' }, 'terms_required', 'agree'],
    [{ agree: null }, 'terms_required', 'agree'],
  ])('VA3, VA4, VA6: refuses %j with %s', async (change, code, field) => {
    const { status, body } = await app.call(calls.register, { body: { ...FORM, ...change } })
    expect(status).toBe(422)
    expect(body.code).toBe(code)
    expect(body.errors?.[field]).toEqual([body.message])
  })

  it('VA2: names every missing field with the texts of the specification', async () => {
    const { status, body } = await app.inject({ method: 'POST', url: '/api/user/auth/register', payload: {} })
    expect(status).toBe(422)
    expect(body.code).toBe('bad_request')
    expect(body.errors).toEqual({
      username: ['Username is Required'],
      mobile: ['Phone number is Required'],
      password: ['Password is Required'],
      password_confirmation: ['Confirm password is Required'],
    })
  })

  it('gives a name to one of three concurrent sign-ups that differ only in upper and lower case', async () => {
    const replies = await Promise.all(
      ['Bob', 'bob', 'BOB'].map((username) => app.call(calls.register, { body: { ...FORM, username } })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
  })

  it('VA5: requires an access code only while the setting is on', async () => {
    const ask = async (username: string, invitation_code?: string) =>
      (await app.call(calls.register, { body: { ...FORM, username, invitation_code } })).body.code
    expect(await ask('alice')).toBeUndefined()
    await app.ctx.db
      .insertInto('setting')
      .values({ key: 'invitation_required', value: 'true', updated_ms: 0 })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: 'true' }))
      .execute()
    await app.stop()
    app = await createTestApp(database)
    expect(await ask('bert')).toBe('invitation_required')
    expect(await ask('bert', 'guess')).toBe('invitation_wrong')
  })

  it('limits sign-ups per network', async () => {
    await app.stop()
    app = await createTestApp(database, { signUpsPerHour: 2 })
    await app.signUp()
    await app.signUp()
    const { status, headers, body } = await app.call(calls.register, { body: FORM })
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_attempts', '3600'])
  })
})

describe('login', () => {
  it('CA3: opens a session for a name in upper or lower case', async () => {
    await app.signUp('Carol')
    const { status, body } = await app.call(calls.login, { body: { username: 'cAROL', password: TEST_PASSWORD } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ user: { username: 'Carol' } })
  })

  it('AT19: gives the same reply to an unknown name and to a wrong password', async () => {
    await app.signUp('carol')
    const wrongName = await app.call(calls.login, { body: { username: 'nobody', password: TEST_PASSWORD } })
    const wrongPassword = await app.call(calls.login, { body: { username: 'carol', password: 'something' } })
    expect(wrongName.status).toBe(422)
    expect(wrongName.body).toEqual(wrongPassword.body)
    expect(Object.keys(wrongName.headers)).toEqual(Object.keys(wrongPassword.headers))
  })

  it.each(['carol', 'nobody'])(
    'AC9: locks the name %s after ten wrong passwords and keeps its open sessions',
    async (username) => {
      const { token } = await app.signUp('carol')
      const attempt = (password: string) => app.call(calls.login, { body: { username, password } })
      const first = await Promise.all(Array.from({ length: 20 }, () => attempt('wrong-one')))
      expect(first.filter(({ status }) => status === 422)).toHaveLength(10)
      expect(first.filter(({ status }) => status === 429)).toHaveLength(10)
      expect((await attempt(TEST_PASSWORD)).headers['retry-after']).toBe('900')
      expect((await app.call(calls.profile, { token })).status).toBe(200)
      app.ctx.clock.advance(15 * MINUTE_MS)
      expect((await attempt(TEST_PASSWORD)).status).toBe(username === 'carol' ? 200 : 422)
    },
  )

  it('AC10, AT18: lets the user log in from the network of an open session while others have locked the name', async () => {
    const { username, password } = await app.signUp('carol')
    const attempt = async (remoteAddress: string, given: string) => {
      const payload = { username, password: given }
      return (await app.inject({ method: 'POST', url: '/api/user/auth/login', remoteAddress, payload })).status
    }
    for (let turn = 0; turn < 10; turn += 1) await attempt('203.0.113.9', 'wrong-one')
    expect(await attempt('203.0.113.9', password)).toBe(429)
    expect(await attempt('203.0.113.10', password)).toBe(429)
    expect(await attempt('127.0.0.1', password)).toBe(200)
  })

  it('AC9, AT17: limits an address that tries many names, even if it sends false forwarding headers', async () => {
    await spendTries(app.ctx.db, { limit: 'log_in_network', key: '127.0.0.1', left: 3, now: app.ctx.now() })
    const attempt = (turn: number) =>
      app.call(calls.login, {
        body: { username: `user-${turn}`, password: 'password' },
        headers: { 'x-forwarded-for': `10.0.0.${turn}` },
      })
    const statuses: number[] = []
    for (let turn = 0; turn < 5; turn += 1) statuses.push((await attempt(turn)).status)
    expect(statuses).toEqual([422, 422, 422, 429, 429])
  })

  it('right passwords do not count towards the limits', async () => {
    const { username, password } = await app.signUp()
    await app.ctx.db.deleteFrom('session').execute()
    const { db } = app.ctx
    await spendTries(db, { limit: 'log_in_network', key: '198.51.100.1', left: 2, now: app.ctx.now() })
    await spendTries(db, { limit: 'log_in_name', key: username, left: 2, now: app.ctx.now() })
    for (let turn = 0; turn < 5; turn += 1) {
      const payload = { username, password }
      const remoteAddress = '198.51.100.1'
      const { status } = await app.inject({ method: 'POST', url: '/api/user/auth/login', remoteAddress, payload })
      expect(status).toBe(200)
      await db.deleteFrom('session').execute()
    }
  })
})

it('opens no session when the password changes during the log-in', async () => {
  const { id, token } = await app.verifiedUser('alice')
  const slow = createPasswords((count) => app.ctx.randomBytes(count))
  const verify: Passwords['verify'] = async (stored, secret, asker) => {
    const isRight = await slow.verify(stored, secret, asker)
    await app.call(calls.changePassword, {
      token,
      body: { current_password: TEST_PASSWORD, password: 'another-1', password_confirmation: 'another-1' },
    })
    return isRight
  }
  const signIns = createLogInRecorder(app.ctx)
  const parts = { ctx: app.ctx, passwords: { ...slow, verify }, signIns }
  const answer = await login(
    parts,
    { username: 'alice', password: TEST_PASSWORD },
    { address: '::1', userAgent: '', country: null },
  )
  expect(answer).toMatchObject({ ok: false, refusal: 'credentials_wrong' })
  const sessions = await app.ctx.db.selectFrom('session').select('token_hash').where('user_id', '=', id).execute()
  expect(sessions).toHaveLength(1)
})

describe('AT23: sessions', () => {
  it('end at once on log-out, without affecting other sessions', async () => {
    const first = await app.signUp()
    const second = await app.signIn(first.username, first.password)
    expect((await app.call(calls.logout, { token: first.token })).status).toBe(200)
    expect((await app.call(calls.profile, { token: first.token })).status).toBe(401)
    expect((await app.call(calls.profile, { token: second.token })).status).toBe(200)
    expect(app.ctx.announced.at(-1)).toMatchObject({ kind: 'session-ended', userId: first.id })
  })

  it('expire after thirty days', async () => {
    const { token } = await app.signUp()
    app.ctx.clock.advance(30 * 24 * 60 * MINUTE_MS)
    expect((await app.call(calls.profile, { token })).body.code).toBe('not_signed_in')
  })

  it('sessions are stored only with hashes of their tokens', async () => {
    const { token } = await app.signUp()
    const rows = await app.ctx.db.selectFrom('session').selectAll().execute()
    const text = rows.map((row) => Buffer.from(row.token_hash).toString('base64url')).join()
    expect(text).not.toContain(token)
    expect(text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it.each(['', 'Bearer', 'Bearer x', 'Basic abc', `Bearer ${'A'.repeat(43)}`, `Bearer ${'é'.repeat(43)}`])(
    'refuse the authorization header %j',
    async (authorization) => {
      const { status, headers, body } = await app.inject({ url: '/api/user/profile', headers: { authorization } })
      expect([status, body.code, headers['www-authenticate']]).toEqual([401, 'not_signed_in', 'Bearer'])
    },
  )
})

it('AT46: keeps secrets out of the log', async () => {
  const user = await app.verifiedUser('dora')
  const lines = JSON.stringify(app.ctx.lines)
  expect(lines).not.toContain(user.token)
  expect(lines).not.toContain(user.password)
})
