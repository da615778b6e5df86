import { beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { deviceName } from '#core/accounts/device-name.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { CONFIRMED_FOR_MS } from '#server/users/security/confirm-identity.ts'
import { deleteExpired } from '#server/app/jobs/delete-expired.ts'
import { spendTries } from '#test/support/spend-tries.ts'
import { createSoftPasskey, PASSKEY_SITE } from '#test/support/soft-passkey.ts'
import { sendDueNotices } from '#test/support/send-notices.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'
import { saveSecret, takeStep } from '#server/users/security/factors.queries.ts'

const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice Ames', Bank: 'First', 'Account number or IBAN': 'DE89 3704 0044 0532' }

let app: TestApp
let user: TestUser
const { share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    user = await app.verifiedUser('alice')
  },
  end: () => app.stop(),
})

const page = { origin: PASSKEY_SITE, host: 'localhost:3000' }
const login = (more: object = {}) =>
  app.call(calls.login, { body: { username: 'alice', password: TEST_PASSWORD, ...more }, headers: page })
const overview = async (token = user.token) => (await app.call(calls.security, { token })).body.data
const confirm = (body: { password?: string; code?: string }, token = user.token) =>
  app.call(calls.securityConfirm, { token, body })
const mails = async (kind: string) => {
  await sendDueNotices(app)
  const sent = await app.ctx.db.selectFrom('outbox_message').selectAll().where('kind', '=', kind).execute()
  return sent.map(({ text }) => text)
}

/** Advances the clock past the last code's time step, because each code works only once. */
function nextCode(secret: string): string {
  app.ctx.clock.advance(MINUTE_MS)
  return codeAt(secret, app.ctx.now())
}

async function withAuthenticator(): Promise<{ secret: string; recovery: string[] }> {
  await confirm({ password: TEST_PASSWORD })
  const { token } = user
  const { secret } = (await app.call(calls.beginAuthenticator, { token })).body.data
  const { body } = await app.call(calls.turnOnAuthenticator, { token, body: { code: nextCode(secret) } })
  return { secret, recovery: body.data.recovery_codes }
}

async function firstStep(more: object = {}) {
  const { body } = await login(more)
  assert('second_step' in body.data, 'a second step is asked for')
  return body.data.second_step
}
const secondStep = (ticket: string, code: string, more: object = {}) =>
  app.call(calls.secondStep, { body: { ticket, code, ...more } })

async function withPasskey(key = createSoftPasskey()) {
  await confirm({ password: TEST_PASSWORD })
  const { token } = user
  const task = (await app.call(calls.securityPasskeyTask, { token, body: { use: 'add' }, headers: page })).body.data
  const body = { ticket: task.ticket, response: key.make(task.options), name: 'My phone' }
  return { key, added: await app.call(calls.addPasskey, { token, headers: page, body }), body }
}

describe('a second step', () => {
  it('AC1: is turned on only with the password and a first code, and each log-in then needs it', async () => {
    expect((await app.call(calls.beginAuthenticator, { token: user.token })).body.code).toBe('confirmation_needed')
    expect((await confirm({ password: 'not-this-one' })).body.code).toBe('confirmation_wrong')
    const { secret, recovery } = await withAuthenticator()
    expect(recovery).toHaveLength(10)
    expect(new Set(recovery).size).toBe(10)
    expect(await overview()).toMatchObject({ authenticator: true, recovery_codes_left: 10 })

    const { ticket, ways } = await firstStep()
    expect(ways).toEqual(['code', 'recovery'])
    expect((await app.call(calls.profile, { token: ticket })).status).toBe(401)
    expect((await secondStep(ticket, '000000')).body.code).toBe('second_code_wrong')
    const { status, body } = await secondStep(ticket, nextCode(secret))
    expect([status, body.data.user.username]).toEqual([200, 'alice'])
    expect((await app.call(calls.profile, { token: body.data.token })).status).toBe(200)
  })

  it('AC1, AT21: accepts each code once, and each ticket once and only for five minutes', async () => {
    const { secret } = await withAuthenticator()
    const code = nextCode(secret)
    const { ticket } = await firstStep()
    const { ticket: other } = await firstStep()
    const replies = await Promise.all([secondStep(ticket, code), secondStep(other, code), secondStep(ticket, code)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await secondStep(ticket, nextCode(secret))).body.code).toBe('ticket_over')
    const { ticket: late } = await firstStep()
    app.ctx.clock.advance(5 * MINUTE_MS)
    expect((await secondStep(late, nextCode(secret))).body.code).toBe('ticket_over')
  })

  it('AC2, AT21: locks after five wrong codes, even concurrent ones, but does not lock known devices', async () => {
    const { secret, recovery } = await withAuthenticator()
    const first = await secondStep((await firstStep()).ticket, nextCode(secret))
    const { device } = first.body.data
    const { ticket } = await firstStep()
    const tries = await Promise.all(Array.from({ length: 12 }, () => secondStep(ticket, '123456')))
    expect(tries.filter(({ body }) => body.code === 'second_code_wrong')).toHaveLength(5)
    expect(tries.filter(({ body }) => body.code === 'too_many_attempts')).toHaveLength(7)
    expect((await secondStep(ticket, nextCode(secret))).body.code).toBe('too_many_attempts')
    expect((await secondStep(ticket, recovery[0]!)).body.code).toBe('too_many_attempts')
    const known = await secondStep((await firstStep({ device })).ticket, nextCode(secret), { device })
    expect(known.status).toBe(200)
  })

  it('AC1: accepts each recovery code once, in any spelling, and stores only hashes', async () => {
    const { recovery } = await withAuthenticator()
    const [code = ''] = recovery
    const rows = await app.ctx.db.selectFrom('user_recovery_code').selectAll().execute()
    const storedHashes = rows.map((row) => Buffer.from(row.code_hash).toString('hex')).join()
    expect(storedHashes).not.toContain(Buffer.from(code).toString('hex'))
    const { ticket } = await firstStep()
    expect((await secondStep(ticket, ` ${code.toLowerCase().replaceAll('-', ' ')}`)).status).toBe(200)
    const { ticket: again } = await firstStep()
    expect((await secondStep(again, code)).body.code).toBe('second_code_wrong')
    expect((await overview()).recovery_codes_left).toBe(9)
    expect(await mails('security')).toContainEqual(expect.stringContaining('A recovery code was used'))
  })

  it('concurrent log-ins, each with a different recovery code, either succeed or are refused, and none fails with an error', async () => {
    const { recovery } = await withAuthenticator()
    for (let round = 0; round < 2; round += 1) {
      const tickets = await Promise.all(Array.from({ length: 5 }, async () => (await firstStep()).ticket))
      const codes = recovery.slice(round * 5)
      const replies = await Promise.all(tickets.map((ticket, at) => secondStep(ticket, codes[at] ?? '')))
      const outcomes = replies.map(({ status, body }) => (status === 200 ? 'in' : body.code))
      expect(outcomes).toContain('in')
      expect(outcomes.filter((outcome) => !['in', 'ticket_over', 'too_many_attempts'].includes(outcome ?? ''))).toEqual(
        [],
      )
      app.ctx.clock.advance(HOUR_MS)
    }
  })

  it('AC5: loses its recovery codes when it is removed, and the removal pauses withdrawals', async () => {
    await withAuthenticator()
    const { token } = user
    app.ctx.clock.advance(11 * MINUTE_MS)
    expect((await app.call(calls.turnOffAuthenticator, { token })).body.code).toBe('confirmation_needed')
    expect((await confirm({ password: TEST_PASSWORD })).body.code, 'the password is not enough').toBe(
      'second_code_wrong',
    )
    const { secret } = await app.ctx.db.selectFrom('user_authenticator').select('secret').executeTakeFirstOrThrow()
    const plain = app.ctx.vault.decrypt(secret, `authenticator ${user.id}`)
    expect((await confirm({ code: nextCode(plain) })).status).toBe(200)
    expect((await overview()).withdrawals_from, 'turning it on makes nothing wait').toBeNull()
    expect((await app.call(calls.turnOffAuthenticator, { token })).status).toBe(200)
    expect(await overview()).toMatchObject({ authenticator: false, recovery_codes_left: 0 })
    expect((await overview()).withdrawals_from).not.toBeNull()
    expect('token' in (await login()).body.data).toBe(true)
  })
})

describe('a passkey', () => {
  it('AC3: logs a user in without a password, and counts as both steps', async () => {
    const { key, added } = await withPasskey()
    expect([added.status, added.body.data.recovery_codes.length]).toEqual([200, 10])
    const task = (await app.call(calls.passkeyTask, { body: {}, headers: page })).body.data
    const response = key.use(task.options)
    const { status, body } = await app.call(calls.passkeySignIn, {
      headers: page,
      body: { ticket: task.ticket, response },
    })
    expect([status, body.data.user.username]).toEqual([200, 'alice'])
    const again = await app.call(calls.passkeySignIn, { headers: page, body: { ticket: task.ticket, response } })
    expect(again.body.code).toBe('ticket_over')
    expect((await overview(body.data.token)).passkeys).toMatchObject([
      { name: 'My phone', used_at: expect.any(String) },
    ])
    // The passkey counts as a fresh confirmation, so the account can be changed.
    expect((await app.call(calls.renewRecoveryCodes, { token: body.data.token })).status).toBe(200)
  })

  it('works only for its own user', async () => {
    const { key } = await withPasskey()
    const bob = await app.verifiedUser('bob')
    const use = async (userHandle: string) => {
      const task = (await app.call(calls.passkeyTask, { body: {}, headers: page })).body.data
      const { response, ...rest } = key.use(task.options)
      const body = { ticket: task.ticket, response: { ...rest, response: { ...response, userHandle } } }
      return (await app.call(calls.passkeySignIn, { headers: page, body })).status
    }
    const handleOf = (id: string) => Buffer.from(id).toString('base64url')
    expect([await use(handleOf(bob.id)), await use(handleOf(user.id))]).toEqual([422, 200])
  })

  it('AC3: completes the second step of its own account, but not of another account', async () => {
    const { key } = await withPasskey()
    const bob = await app.verifiedUser('bob')
    const { ticket, ways } = await firstStep()
    expect(ways).toEqual(['passkey', 'recovery'])
    const task = (await app.call(calls.passkeyTask, { body: { ticket }, headers: page })).body.data
    const stranger = createSoftPasskey()
    await app.call(calls.securityConfirm, { token: bob.token, body: { password: TEST_PASSWORD } })
    const added = (await app.call(calls.securityPasskeyTask, { token: bob.token, body: { use: 'add' }, headers: page }))
      .body.data
    await app.call(calls.addPasskey, {
      token: bob.token,
      headers: page,
      body: { ticket: added.ticket, response: stranger.make(added.options), name: 'x' },
    })
    const send = (ticketOf: { ticket: string; options: { challenge: string } }, by: typeof key) =>
      app.call(calls.passkeySignIn, {
        headers: page,
        body: { ticket: ticketOf.ticket, response: by.use(ticketOf.options) },
      })
    expect((await send(task, stranger)).body.code).toBe('passkey_wrong')
    const second = (await app.call(calls.passkeyTask, { body: { ticket }, headers: page })).body.data
    expect((await send(second, key)).body.data.user.username).toBe('alice')
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['without user verification', { verifies: false }],
  ])('AC3: refuses one %s', async (_, options) => {
    expect((await withPasskey(createSoftPasskey(options))).added.body.code).toBe('passkey_wrong')
  })

  it('AC3: is refused with another challenge, and cannot be renamed or removed by another user', async () => {
    const { key, body: sent } = await withPasskey()
    const task = (await app.call(calls.passkeyTask, { body: {}, headers: page })).body.data
    const response = key.use({ challenge: Buffer.from('another one').toString('base64url') })
    const wrong = await app.call(calls.passkeySignIn, { headers: page, body: { ticket: task.ticket, response } })
    expect(wrong.body.code).toBe('passkey_wrong')
    expect((await app.call(calls.addPasskey, { token: user.token, headers: page, body: sent })).body.code).toBe(
      'ticket_over',
    )
    const [{ id } = { id: '' }] = (await overview()).passkeys
    const bob = await app.verifiedUser('bob')
    await app.call(calls.securityConfirm, { token: bob.token, body: { password: TEST_PASSWORD } })
    const other = { token: bob.token, params: { id } }
    expect((await app.call(calls.removePasskey, other)).status).toBe(404)
    expect((await app.call(calls.renamePasskey, { ...other, body: { name: 'mine' } })).status).toBe(404)
    expect((await app.call(calls.removePasskey, { token: user.token, params: { id } })).status).toBe(200)
  })
})

describe('confirmation before withdrawals and account changes', () => {
  const withdraw = (token: string) =>
    app.call(calls.saveWithdrawal, {
      token,
      body: { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: DETAILS },
    })
  const changes = (token: string) => [
    withdraw(token),
    app.call(calls.saveWithdrawMethod, { token, body: { withdraw_method_id: BANK, withdrawal_information: DETAILS } }),
    app.call(calls.changePassword, {
      token,
      body: { current_password: 'x', password: 'brand-new-2', password_confirmation: 'brand-new-2' },
    }),
    app.call(calls.saveProfile, { token, body: { username: 'alice', country_code: 'US', mobile: '5559876543' } }),
    app.call(calls.saveWithdrawalPin, {
      token,
      body: { current_withdrawal_code: PIN, withdrawal_code: '111222', withdrawal_code_confirmation: '111222' },
    }),
  ]
  beforeEach(async () => {
    const { token } = user
    await app.call(calls.saveDeposit, { token, body: { amount: 1_000, method_id: 1 } })
    await app.setPin(token, PIN, { 101: DETAILS })
    app.ctx.clock.advance(CONFIRMED_FOR_MS)
  })

  it('AC4, AT29: requires the second step again after ten minutes', async () => {
    const { secret } = await withAuthenticator()
    app.ctx.clock.advance(11 * MINUTE_MS)
    for (const change of changes(user.token)) expect((await change).body.code).toBe('confirmation_needed')
    const name = { username: 'alice2', country_code: 'US', mobile: '5551234567', mobile_code: '+1' }
    const stored = await app.call(calls.profile, { token: user.token })
    expect(stored.body.data.user.mobile).toBe('5551234567')
    await app.call(calls.saveProfile, { token: user.token, body: { ...name, username: 'alice' } })
    expect((await confirm({ code: nextCode(secret) })).status).toBe(200)
    expect((await withdraw(user.token)).status).toBe(200)
    app.ctx.clock.advance(11 * MINUTE_MS)
    expect((await withdraw(user.token)).body.code).toBe('confirmation_needed')
  })

  it('AC4: without a second step, a withdrawal needs the PIN, a new password the current one, and other changes a confirmation by password', async () => {
    const codes = await Promise.all(changes(user.token).map(async (change) => (await change).body.code))
    const anew = 'confirmation_needed'
    expect(codes).toEqual([undefined, anew, 'current_password_wrong', anew, anew])
    await app.confirm(user.token)
    for (const change of changes(user.token)) expect((await change).body.code).not.toBe(anew)
  })

  it('AC5: pauses withdrawals for a day after a new password, with a reason', async () => {
    await app.call(calls.changePassword, {
      token: user.token,
      body: { current_password: TEST_PASSWORD, password: 'brand-new-2', password_confirmation: 'brand-new-2' },
    })
    expect((await withdraw(user.token)).body).toMatchObject({
      code: 'withdrawals_paused',
      message: expect.stringContaining('UTC'),
    })
    const { data } = (await app.call(calls.withdrawMethods, { token: user.token })).body
    expect([data.withdraw_status, data.withdraw_reason]).toEqual([
      0,
      expect.stringContaining('withdrawals are paused until'),
    ])
    expect(await mails('security')).toContainEqual(expect.stringContaining('The password was changed'))
    app.ctx.clock.advance(24 * HOUR_MS)
    expect((await withdraw(user.token)).status).toBe(200)
  })
})

describe('session security', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
  const from = (userAgent: string, more: object = {}) =>
    app.call(calls.login, {
      body: { username: 'alice', password: TEST_PASSWORD, ...more },
      headers: { 'user-agent': userAgent },
    })

  it('AC7: lists sessions with the current session marked, and ends one session or all other sessions', async () => {
    const other = await from(chrome)
    assert('token' in other.body.data, 'signed in')
    const { sessions } = await overview()
    expect(sessions.map(({ device, is_this: isThis }) => [device, isThis])).toContainEqual(['Chrome · Windows', false])
    expect(sessions.filter(({ is_this: isThis }) => isThis)).toHaveLength(1)
    const otherSession = sessions.find(({ device }) => device !== '')!
    const bob = await app.verifiedUser('bob')
    expect((await app.call(calls.endSession, { token: bob.token, params: { id: otherSession.id } })).status).toBe(404)
    expect((await app.call(calls.endSession, { token: user.token, params: { id: otherSession.id } })).status).toBe(200)
    expect((await app.call(calls.profile, { token: other.body.data.token })).status).toBe(401)
    expect(app.ctx.announced.at(-1)).toMatchObject({
      kind: 'session-ended',
      userId: user.id,
      tokenHash: expect.anything(),
    })
    await from(chrome)
    expect((await app.call(calls.endOtherSessions, { token: user.token })).body.data.ended).toBe(1)
    expect((await overview()).sessions).toHaveLength(1)
  })

  it('AC8: reports a new device, but no known device, by email and in the app until the user confirms it', async () => {
    const first = await from(chrome)
    assert('token' in first.body.data, 'signed in')
    const { device } = first.body.data
    expect(await mails('new_device')).toEqual([expect.stringContaining('Chrome · Windows')])
    expect((await overview()).new_devices).toMatchObject([{ device: 'Chrome · Windows', is_new_device: true }])
    const notices = app.ctx.announced.filter(({ kind }) => kind === 'new-device')
    expect(notices).toEqual([{ kind: 'new-device', userId: user.id, device: 'Chrome · Windows' }])
    await app.call(calls.noticeSignIns, { token: user.token })
    expect((await overview()).new_devices).toEqual([])
    await from(`${chrome} Edg/130`, { device })
    await from(chrome)
    expect((await overview()).new_devices).toEqual([])
  })

  it('AC8: keeps log-ins and failed attempts for ninety days', async () => {
    await app.call(calls.login, { body: { username: 'alice', password: 'not-this-one' } })
    const { sign_ins: lines } = await overview()
    expect(lines[0]).toMatchObject({ went_in: false, how: 'password' })
    expect(lines.some(({ went_in: wentIn }) => wentIn)).toBe(true)
    app.ctx.clock.advance(90 * 24 * HOUR_MS)
    await deleteExpired(app.ctx)
    expect(await app.ctx.db.selectFrom('sign_in').select('id').execute()).toEqual([])
  })

  describe('by its browser', () => {
    share()

    it.each([
      ['', ''],
      ['curl/8', ''],
      [chrome, 'Chrome · Windows'],
      [`${chrome} Edg/130.0`, 'Edge · Windows'],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
        'Safari · iPhone',
      ],
      ['Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0', 'Firefox · Android'],
    ])('names the device of %j as %j', (userAgent, words) => expect(deviceName(userAgent)).toBe(words))
  })
})

describe('guessing passwords', () => {
  it('AC10, AT18: locks a name without locking its known devices', async () => {
    const { body } = await login()
    assert('token' in body.data, 'signed in')
    const { device } = body.data
    await app.call(calls.endOtherSessions, { token: user.token })
    await app.call(calls.logout, { token: user.token })
    const attempt = (remoteAddress: string, password: string, known?: string) =>
      app.inject({
        method: 'POST',
        url: '/api/user/auth/login',
        remoteAddress,
        payload: { username: 'alice', password, device: known },
      })
    for (let turn = 0; turn < 10; turn += 1) await attempt('203.0.113.9', 'wrong-one')
    expect((await attempt('198.51.100.1', TEST_PASSWORD)).status).toBe(429)
    expect((await attempt('198.51.100.1', TEST_PASSWORD, 'A'.repeat(43))).status).toBe(429)
    expect((await attempt('198.51.100.1', TEST_PASSWORD, device)).status).toBe(200)
  })

  it('AC9, AT17: from many addresses limits unknown devices, but not known ones', async () => {
    await spendTries(app.ctx.db, { limit: 'log_in_total', key: 'all', left: 5, now: app.ctx.now() })
    const { body } = await login()
    assert('token' in body.data, 'signed in')
    const { device } = body.data
    await app.ctx.db.deleteFrom('session').execute()
    const attempt = (turn: number, payload: object) =>
      app.inject({ method: 'POST', url: '/api/user/auth/login', remoteAddress: `203.0.113.${turn}`, payload })
    for (let turn = 0; turn < 5; turn += 1) await attempt(turn, { username: `name${turn}`, password: 'wrong-one' })
    const right = { username: 'alice', password: TEST_PASSWORD }
    expect((await attempt(99, right)).status).toBe(429)
    expect((await attempt(99, { ...right, device })).status).toBe(200)
    app.ctx.clock.advance(MINUTE_MS)
    expect((await attempt(99, right)).status).toBe(200)
  })

  describe('from a network', () => {
    share()

    it.each([
      ['203.0.113.9', '203.0.113.9'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8::6', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
    ])('AC9, AT17: from %s counts as from %s', (address, network) => expect(subnetOf(address)).toBe(network))
  })

  describe('with a common password', () => {
    share()

    it.each(['password', 'Qwerty123', '12345678'])(
      'AC12: is made harder: the new password %s is refused as too common',
      async (password) => {
        const body = { current_password: TEST_PASSWORD, password, password_confirmation: password }
        expect((await app.call(calls.changePassword, { token: user.token, body })).body.code).toBe('password_common')
      },
    )
  })
})

it('an authenticator is not turned on with another secret than the one whose code was checked', async () => {
  const saved = { userId: user.id, at: app.ctx.now() }
  await saveSecret(app.ctx.db, { ...saved, sealed: 'proved' })
  await saveSecret(app.ctx.db, { ...saved, sealed: 'other' })
  expect(await takeStep(app.ctx.db, user.id, { sealed: 'proved', step: 1, turnOn: true })).toBe(false)
  expect(await takeStep(app.ctx.db, user.id, { sealed: 'other', step: 1, turnOn: true })).toBe(true)
})
