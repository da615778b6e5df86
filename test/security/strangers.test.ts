import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { createOutboxMessenger } from '#server/platform/messenger/messenger.ts'
import { createStrangerGate } from '#server/platform/http/stranger-gate.ts'
import { limitMessages } from '#server/users/accounts/limit-messages.ts'
import { createIsOwnDevice } from '#server/app/own-device.ts'
import { sendDueNotices } from '#test/support/send-notices.ts'
import { spendTries } from '#test/support/spend-tries.ts'
import { createTestApp, emailOf, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  app.ctx.clock.advance(MINUTE_MS)
})
afterEach(() => app.stop())

const EMAIL = emailOf('alice')
const OWNER = '198.51.100.20'
const NEW_PASSWORD = 'violet-1799'

/** The fields of all replies to anonymous calls in one type. Each test reads the ones it expects. */
interface Answer {
  readonly status: number
  readonly body: {
    readonly code?: string
    readonly data: {
      readonly device: string
      readonly request: string
      readonly accounts: readonly string[]
      readonly second_step: { readonly ticket: string }
    }
  }
}

/** Makes an anonymous call from an address. */
function from(remoteAddress: string, call: { readonly path: string }, payload: object): Promise<Answer> {
  return app.inject({ method: 'POST', url: `/api${call.path}`, remoteAddress, payload }) as Promise<Answer>
}
const logIn = (address: string, password: string, more: object = {}) =>
  from(address, calls.login, { username: 'alice', password, ...more })
const forget = (address: string, value: string, more: object = {}) =>
  from(address, calls.forgetPassword, { value, ...more })
const tryCode = (address: string, email: string, code: string, more: object = {}) =>
  from(address, calls.checkResetCode, { email, code, ...more })
const setPassword = (address: string, token: string, more: object = {}) =>
  from(address, calls.resetPassword, {
    email: EMAIL,
    token,
    password: NEW_PASSWORD,
    password_confirmation: NEW_PASSWORD,
    ...more,
  })
const messages = async (to: string, kind = 'reset_password') =>
  (await app.ctx.db.selectFrom('outbox_message').selectAll().where('sent_to', '=', to).execute()).filter(
    (sent) => sent.kind === kind,
  )
/** Waits for a message, because it is sent after the reply. */
async function newestCode(to: string, count = 1): Promise<string> {
  await expect.poll(async () => (await messages(to)).length).toBe(count)
  return (await messages(to)).at(-1)?.code ?? ''
}
const otherThan = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')
const rows = async () => {
  const { db } = app.ctx
  const attempts = await db.selectFrom('attempt').select('key').execute()
  const lines = await db.selectFrom('sign_in').select('id').execute()
  const requests = await db.selectFrom('password_reset').select('id').execute()
  return attempts.length + lines.length + requests.length
}
async function signUp(username: string, change: object) {
  const form = { username, mobile: '5550001111', password: TEST_PASSWORD, password_confirmation: TEST_PASSWORD }
  const { body } = await app.call(calls.register, { body: { ...form, agree: true, ...change } })
  assert(body.data, `signed up: ${body.message ?? ''}`)
  return body.data
}
const verify = (token: string, code: string) => app.call(calls.verifyCode, { token, body: { code } })

describe('A3: a flood from one network', () => {
  beforeEach(async () => {
    await app.stop()
    await database.truncateAll()
    app = await createTestApp(database, {
      takeStrangerCall: createStrangerGate(createIsOwnDevice(database.db)),
    })
    alice = await app.verifiedUser('alice')
  })

  it('A3: does not keep fifteen other networks from logging in', async () => {
    const flood = Array.from({ length: 240 }, (_, nth) =>
      nth % 3 === 0
        ? from('203.0.113.5', staffCalls.staffJoin, {
            token: 'A'.repeat(43),
            password: 'a few plain words',
            code: '123456',
          })
        : nth % 3 === 1
          ? tryCode('203.0.113.5', `nobody${nth}@example.com`, '123456')
          : from('203.0.113.5', calls.login, { username: `nobody${nth}`, password: 'wrong-one' }),
    )
    for (let nth = 0; nth < 15; nth += 1) expect((await logIn(`198.51.100.${nth}`, TEST_PASSWORD)).status).toBe(200)
    expect((await Promise.all(flood)).map(({ body }) => body.code)).toContain('rate_limited')
  })

  it('A3: stores no rows once its share is used up', async () => {
    const flood = (times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, nth) => tryCode('203.0.113.5', `nobody${nth}@example.com`, '123456')),
      )
    await flood(60)
    const before = await rows()
    const refused = await flood(60)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['rate_limited']))
    expect(await rows()).toBe(before)
  })

  it('A3: keeps a separate share for a known device behind the same address', async () => {
    const { device } = (await logIn(OWNER, TEST_PASSWORD)).body.data
    for (let turn = 0; turn < 130; turn += 1) await from(OWNER, calls.login, { username: '', password: '' })
    await Promise.all(
      Array.from({ length: 130 }, () => from(OWNER, calls.secondStep, { ticket: 'A'.repeat(43), code: '123456' })),
    )
    expect((await logIn(OWNER, TEST_PASSWORD)).body.code).toBe('rate_limited')
    expect((await logIn(OWNER, TEST_PASSWORD, { device })).status).toBe(200)
    expect((await logIn('198.51.100.21', TEST_PASSWORD)).status).toBe(200)
  })

  it('A3: checks an invitation before hashing a password', async () => {
    const wrong = { token: 'A'.repeat(43), password: 'a few plain words', code: '123456' }
    expect((await from('203.0.113.5', staffCalls.staffJoin, wrong)).body.code).toBe('staff_ticket_over')
  })
})

describe('A5: attackers who use up attempts', () => {
  it('A5: do not affect the attempts of the browser that requested the code', async () => {
    const reply = await forget(OWNER, EMAIL)
    const { request } = reply.body.data
    const code = await newestCode(EMAIL)
    for (let turn = 0; turn < 12; turn += 1) await tryCode(`203.0.113.${turn}`, EMAIL, otherThan(code))
    for (let turn = 0; turn < 10; turn += 1) await logIn('203.0.113.99', `wrong-${turn}`)
    expect((await logIn(OWNER, TEST_PASSWORD)).status, 'the name is locked on a new device').toBe(429)
    const done = await setPassword(OWNER, code, { request })
    expect(done.status).toBe(200)
    const { device } = done.body.data
    for (let turn = 0; turn < 10; turn += 1) await logIn('203.0.113.99', `wrong-${turn}`)
    expect((await logIn(OWNER, NEW_PASSWORD, { device })).status, 'this browser is known now').toBe(200)
  })

  it('A5: share five attempts per address without a request secret, from any network', async () => {
    await forget(OWNER, EMAIL)
    const code = await newestCode(EMAIL)
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => tryCode(`203.0.113.${nth}`, EMAIL, otherThan(code))),
    )
    expect(tries.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(5)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(15)
    expect((await tryCode('203.0.113.77', EMAIL, code)).status).toBe(429)
  })

  it('A5: gain at most thirty attempts per address and hour by requesting many codes', async () => {
    for (let asker = 0; asker < 8; asker += 1) {
      const address = `203.0.113.${asker}`
      const { request } = (await forget(address, EMAIL)).body.data
      const tried: (string | undefined)[] = []
      for (let turn = 0; turn < 6; turn += 1)
        tried.push((await tryCode(address, EMAIL, '000000', { request })).body.code)
      expect(tried).toEqual([...Array.from({ length: 5 }, () => 'code_wrong'), 'too_many_attempts'])
      app.ctx.clock.advance(2 * MINUTE_MS)
    }
    // Only six of the eight requests got a code, so the attempts of the others could not be right.
    await expect.poll(async () => (await messages(EMAIL)).length).toBe(6)
  })

  it('A5: gain at most thirty attempts per address from one network, whatever secrets they send', async () => {
    const tries = await Promise.all(
      Array.from({ length: 40 }, (_, nth) =>
        tryCode('203.0.113.5', EMAIL, '000000', { request: `${nth}`.padStart(43, 'A') }),
      ),
    )
    expect(tries.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(30)
  })

  it("A5: cannot try one browser's code with the secret of another request", async () => {
    await forget(OWNER, EMAIL)
    const code = await newestCode(EMAIL)
    app.ctx.clock.advance(MINUTE_MS)
    const { request } = (await forget('203.0.113.1', EMAIL)).body.data
    await newestCode(EMAIL, 2)
    expect((await tryCode('203.0.113.1', EMAIL, code, { request })).body.code).toBe('code_wrong')
  })

  it('A5: do not use up the codes that the owner may request on a known device', async () => {
    const { device } = (await logIn(OWNER, TEST_PASSWORD)).body.data
    for (let turn = 0; turn < 8; turn += 1) await forget(`203.0.113.${turn}`, EMAIL)
    const before = (await messages(EMAIL)).length
    await forget(OWNER, EMAIL, { device })
    expect(await newestCode(EMAIL, before + 1)).toMatch(/^\d{6}$/)
  })

  it('A5: only cause a link to be sent that lets the owner log in', async () => {
    await app.stop()
    await database.truncateAll()
    app = await createTestApp(database, { environment: { PUBLIC_URL: 'https://trade.example.com' } })
    alice = await app.verifiedUser('alice')
    app.ctx.clock.advance(MINUTE_MS)
    await forget('203.0.113.1', EMAIL)
    await newestCode(EMAIL)
    const link = /reset-password\?code=([\w-]{43})/.exec((await messages(EMAIL)).at(-1)?.text ?? '')?.[1] ?? ''
    for (let turn = 0; turn < 12; turn += 1) await tryCode(`203.0.113.${turn}`, EMAIL, '000000')
    app.ctx.clock.advance(HOUR_MS - MINUTE_MS)
    expect((await tryCode(OWNER, '', link)).body.data.accounts).toEqual(['alice'])
    expect((await setPassword(OWNER, link)).status).toBe(200)
    expect((await setPassword(OWNER, link)).body.code, 'once').toBe('code_wrong')
  })
})

describe('A6: an address', () => {
  const NUMBER = { mobile: '1701112222', mobile_code: '+49' }
  const PHONE = '+491701112222'

  it('A6: counts for the account that verified it, not for an account that only claims it', async () => {
    const victim = await signUp('victim', NUMBER)
    expect((await verify(victim.token, await app.sentCode(PHONE))).status).toBe(200)
    const mallory = await signUp('mallory', { ...NUMBER, email: emailOf('mallory') })
    expect((await verify(mallory.token, await app.sentCode(emailOf('mallory')))).status).toBe(200)
    app.ctx.clock.advance(MINUTE_MS)
    const { request } = (await forget(OWNER, '+49 170 1112222')).body.data
    const code = await newestCode(PHONE)
    expect(await messages(emailOf('mallory'))).toEqual([])
    const checked = await tryCode(OWNER, PHONE, code, { request })
    expect(checked.body.data.accounts).toEqual(['victim'])
    expect((await setPassword(OWNER, code, { request, email: PHONE, username: 'mallory' })).body.code).toBe(
      'account_not_offered',
    )
    expect((await setPassword(OWNER, code, { request, email: PHONE, username: 'victim' })).status).toBe(200)
    expect((await app.signIn('victim', NEW_PASSWORD)).token).toHaveLength(43)
  })

  it('A6: that several accounts verified offers each of them by name', async () => {
    const second = await signUp('alice2', { email: EMAIL })
    expect((await verify(second.token, await app.sentCode(EMAIL))).status).toBe(200)
    app.ctx.clock.advance(MINUTE_MS)
    const { request } = (await forget(OWNER, EMAIL)).body.data
    const code = await newestCode(EMAIL)
    expect((await tryCode(OWNER, EMAIL, code, { request })).body.data.accounts).toEqual(['alice2', 'alice'])
    expect((await setPassword(OWNER, code, { request, username: 'ALICE' })).status).toBe(200)
    expect((await app.signIn('alice', NEW_PASSWORD)).id).toBe(alice.id)
    expect((await app.signIn('alice2', TEST_PASSWORD)).token).toHaveLength(43)
  })

  it('A6: with a dialling code differs from the same digits without a dialling code', async () => {
    const victim = await signUp('victim', NUMBER)
    expect((await verify(victim.token, await app.sentCode(PHONE))).status).toBe(200)
    const mallory = await signUp('mallory', { mobile: '491701112222' })
    expect((await verify(mallory.token, await app.sentCode('491701112222'))).status).toBe(200)
    app.ctx.clock.advance(MINUTE_MS)
    for (const [nth, typed] of ['491701112222', PHONE, '0049 170 1112222'].entries()) {
      const { request } = (await forget(`198.51.100.${nth}`, typed)).body.data
      const code = await newestCode(PHONE, nth + 1)
      expect((await tryCode(OWNER, typed, code, { request })).body.data.accounts).toEqual(['victim'])
      app.ctx.clock.advance(MINUTE_MS)
    }
    expect(await messages('491701112222')).toEqual([])
  })

  it('A6: has five attempts at its codes in all its spellings together', async () => {
    const victim = await signUp('victim', NUMBER)
    expect((await verify(victim.token, await app.sentCode(PHONE))).status).toBe(200)
    for (let nth = 0; nth < 5; nth += 1)
      expect((await tryCode(`203.0.113.${nth}`, '+49 170 1112222', '123456')).body.code).toBe('code_wrong')
    for (const typed of ['0170 1112222', '1701112222', '+49 0170 1112222'])
      expect((await tryCode('203.0.113.77', typed, '123456')).body.code, typed).toBe('too_many_attempts')
  })

  it('A6: is removed with its codes when the number changes', async () => {
    const { token } = alice
    await app.call(calls.resendCode, { token })
    const code = await app.sentCode('5551234567')
    await app.confirm(token)
    const body = { username: 'alice', country_code: 'DE', mobile: '1709998888', mobile_code: '+49' }
    expect((await app.call(calls.saveProfile, { token, body })).status).toBe(200)
    expect((await verify(token, code)).body.code).toBe('code_wrong')
    await forget(OWNER, '+49 170 9998888')
    await forget(OWNER, '5551234567')
    // The message to the verified email address is requested last. When it has arrived, messages to the two numbers
    // would have arrived too.
    await forget(OWNER, EMAIL)
    await newestCode(EMAIL)
    expect([...(await messages('+491709998888')), ...(await messages('5551234567'))]).toEqual([])
  })
})

describe('A9: an IPv6 address counts by its /64 network', () => {
  const FIRST = '2001:db8:1:2::1'
  const SECOND = '2001:db8:1:2:ffff:eeee:dddd:cccc'
  const ELSEWHERE = '2001:db8:1:3::1'
  const spend = (limit: Parameters<typeof spendTries>[1]['limit']) =>
    spendTries(app.ctx.db, { limit, key: '2001:db8:1:2::/64', left: 1, now: app.ctx.now() })

  it.each([
    ['log_in_network', calls.login, { username: 'nobody', password: 'wrong-one' }],
    ['passkey_network', calls.passkeyTask, {}],
    ['reset_request_network', calls.forgetPassword, { value: 'nobody@example.com' }],
    ['reset_code_network', calls.checkResetCode, { email: 'nobody@example.com', code: '123456' }],
    ['staff_network', staffCalls.staffSignIn, { name: 'nobody', password: 'wrong-one' }],
  ] as const)('A9: in the limit %s', async (limit, call, body) => {
    await spend(limit)
    expect((await from(FIRST, call, body)).body.code).not.toBe('too_many_attempts')
    expect((await from(SECOND, call, body)).body.code).toBe('too_many_attempts')
    expect((await from(ELSEWHERE, call, { ...body, value: 'other@example.com' })).body.code).not.toBe(
      'too_many_attempts',
    )
  })

  it('A9: in the limit of sign-ups', async () => {
    await app.stop()
    app = await createTestApp(database, { signUpsPerHour: 1 })
    const open = async (address: string, username: string) => {
      const form = { username, mobile: '5550001111', password: TEST_PASSWORD, password_confirmation: TEST_PASSWORD }
      return (await from(address, calls.register, { ...form, agree: true })).status
    }
    expect(await open(FIRST, 'first')).toBe(200)
    expect(await open(SECOND, 'second')).toBe(429)
    expect(await open(ELSEWHERE, 'third')).toBe(200)
  })

  it("A9: in the limit of calls to the app, the exchanges' API and the back office", async () => {
    await app.stop()
    app = await createTestApp(database, { perAddress: { perSecond: 0.001, burst: 2 } })
    const get = async (remoteAddress: string, url: string) => (await app.inject({ url, remoteAddress })).status
    const paths = ['/api/user/home', '/api/v3/time', '/api/admin/me']
    for (const [nth, path] of paths.entries()) {
      const net = `2001:db8:${nth + 1}:2`
      expect([await get(`${net}::1`, path), await get(`${net}::2`, path)]).toEqual([200, 200])
      expect(await get(`${net}:a:b:c:d`, path), path).toBe(429)
      expect(await get(`2001:db8:${nth + 1}:3::1`, path)).toBe(200)
    }
  })

  it('A9: when an open session of the owner is recognised', async () => {
    await logIn(FIRST, TEST_PASSWORD)
    for (let turn = 0; turn < 10; turn += 1) await logIn('203.0.113.9', `wrong-${turn}`)
    expect((await logIn(ELSEWHERE, TEST_PASSWORD)).status).toBe(429)
    expect((await logIn(SECOND, TEST_PASSWORD)).status).toBe(200)
  })
})

describe('A10: wrong codes for many accounts', () => {
  it('A10: of 120 wrong codes from one network, only thirty are checked', async () => {
    const replies = await Promise.all(
      Array.from({ length: 120 }, (_, nth) => tryCode('203.0.113.5', `nobody${nth}@example.com`, '123456')),
    )
    expect(replies.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(30)
    expect(replies.filter(({ body }) => body.code === 'too_many_attempts')).toHaveLength(90)
  })

  it('A10: from many networks are limited in total, but not for the requesting browser', async () => {
    const { request } = (await forget(OWNER, EMAIL)).body.data
    const code = await newestCode(EMAIL)
    await spendTries(app.ctx.db, { limit: 'reset_code_total', key: 'all', left: 2, now: app.ctx.now() })
    const tries = await Promise.all(
      Array.from({ length: 6 }, (_, nth) => tryCode(`203.0.113.${nth}`, `nobody${nth}@example.com`, '123456')),
    )
    expect(tries.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(2)
    expect((await tryCode(OWNER, EMAIL, code, { request })).status).toBe(200)
  })
})

describe('A10: made-up request secrets', () => {
  it('A10: from one network do not lock out the browser that requested the code', async () => {
    const { request } = (await forget(OWNER, EMAIL)).body.data
    const code = await newestCode(EMAIL)
    for (let nth = 0; nth < 30; nth += 1)
      await tryCode('203.0.113.5', EMAIL, otherThan(code), { request: `${nth}`.padStart(43, 'A') })
    expect((await tryCode(OWNER, EMAIL, code, { request })).status).toBe(200)
  })
})

describe('A11: messages', () => {
  it('A11: with a code reach one mailbox at most twice a minute and six times an hour', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, nth) => forget(`203.0.113.${nth}`, EMAIL)))
    await expect.poll(async () => (await messages(EMAIL)).length).toBe(2)
    for (let minute = 0; minute < 10; minute += 1) {
      app.ctx.clock.advance(2 * MINUTE_MS)
      await forget(`198.51.100.${minute}`, EMAIL)
    }
    await expect.poll(async () => (await messages(EMAIL)).length).toBe(6)
  })

  it('A11: thirty sign-ups with one number send two messages a minute', async () => {
    for (let nth = 0; nth < 30; nth += 1) await signUp(`flood${nth}`, { mobile: '1701112222', mobile_code: '+49' })
    expect(await messages('+491701112222', 'verify_account')).toHaveLength(2)
  })

  it('A11: to numbers of one range are limited, and an error line names the range', async () => {
    await spendTries(app.ctx.db, { limit: 'sms_prefix', key: 'unproven 4917011', left: 2, now: app.ctx.now() })
    for (let nth = 0; nth < 4; nth += 1) await signUp(`range${nth}`, { mobile: `1701111${nth}00`, mobile_code: '+49' })
    const sent = await app.ctx.db.selectFrom('outbox_message').select('sent_to').execute()
    expect(sent.filter(({ sent_to: to }) => to.startsWith('+4917011'))).toHaveLength(2)
    expect(JSON.stringify(app.ctx.lines)).toContain('too many text messages')
  })

  it('A11: to unproven numbers of a range leave capacity for proven numbers, and report the wait', async () => {
    const owner = await signUp('owner', { mobile: '1701112222', mobile_code: '+49' })
    expect((await verify(owner.token, await app.sentCode('+491701112222'))).status).toBe(200)
    await spendTries(app.ctx.db, { limit: 'sms_prefix', key: 'unproven 4917011', left: 1, now: app.ctx.now() })
    await signUp('last', { mobile: '1701113333', mobile_code: '+49' })
    const { token } = await signUp('late', { mobile: '1701114444', mobile_code: '+49' })
    app.ctx.clock.advance(MINUTE_MS)
    const again = await app.call(calls.resendCode, { token })
    expect([again.status, again.body.code]).toEqual([429, 'too_many_attempts'])
    await forget(OWNER, '+491701112222')
    await newestCode('+491701112222')
  })

  it('A11: to phones have a daily limit, and email continues after the limit is reached', async () => {
    await app.stop()
    await database.truncateAll()
    app = await createTestApp(database, { environment: { FAIRWICK_SMS_PER_DAY: '2' } })
    for (let nth = 0; nth < 4; nth += 1) await signUp(`day${nth}`, { mobile: `17${nth}1112222`, mobile_code: '+49' })
    app.ctx.clock.advance(23 * HOUR_MS)
    await signUp('late', { mobile: '1791112222', mobile_code: '+49' })
    await signUp('with_mail', { email: emailOf('with_mail') })
    const sent = await app.ctx.db.selectFrom('outbox_message').select('sent_to').execute()
    expect(sent.filter(({ sent_to: to }) => to.startsWith('+'))).toHaveLength(2)
    expect(sent.map(({ sent_to: to }) => to)).toContain(emailOf('with_mail'))
    expect(JSON.stringify(app.ctx.lines)).toContain('FAIRWICK_SMS_PER_DAY')
  })
})

describe('A11: one phone-only account that changes its number again and again', () => {
  it('A11: leaves capacity for proven numbers, and is limited in changes of its number', async () => {
    await app.stop()
    await database.truncateAll()
    app = await createTestApp(database, { environment: { FAIRWICK_SMS_PER_DAY: '8' } })
    const owner = await signUp('owner', { mobile: '1701112222', mobile_code: '+49' })
    expect((await verify(owner.token, await app.sentCode('+491701112222'))).status).toBe(200)
    const mallory = await signUp('mallory', { mobile: '1601112222', mobile_code: '+49' })
    expect((await verify(mallory.token, await app.sentCode('+491601112222'))).status).toBe(200)
    const { token } = await app.signIn('mallory', TEST_PASSWORD)
    await app.confirm(token)
    const messenger = limitMessages(app.ctx, createOutboxMessenger(app.ctx), { smsPerDay: 8 })
    const change = async (mobile: string) => {
      const body = { username: 'mallory', country_code: 'DE', mobile, mobile_code: '+49' }
      const { status } = await app.call(calls.saveProfile, { token, body })
      app.ctx.clock.advance(SECOND_MS)
      await sendDueNotices(app, messenger)
      return status
    }
    for (let nth = 0; nth < 10; nth += 1) expect(await change(`151${nth}1112222`)).toBe(200)
    const sent = await app.ctx.db.selectFrom('outbox_message').select('sent_to').execute()
    // Six messages to numbers that were unproven then, and the warning to the proven number that mallory changed.
    expect(sent.filter(({ sent_to: to }) => to.startsWith('+'))).toHaveLength(7)
    expect(await change('15201112222')).toBe(429)
    app.ctx.clock.advance(MINUTE_MS)
    await forget(OWNER, '+491701112222')
    await newestCode('+491701112222')
  })
})

describe('A12: neighbours behind one address', () => {
  it('A12: do not lock a known device with 120 wrong passwords', async () => {
    const { device } = (await logIn(OWNER, TEST_PASSWORD)).body.data
    await app.ctx.db.deleteFrom('session').execute()
    for (let turn = 0; turn < 120; turn += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, nth) =>
          from(OWNER, calls.login, { username: `nobody${turn + nth}`, password: 'wrong-one' }),
        ),
      )
    }
    expect((await logIn(OWNER, TEST_PASSWORD)).status).toBe(429)
    expect((await logIn(OWNER, TEST_PASSWORD, { device })).status).toBe(200)
  })

  it('A12: are not limited in correct second steps', async () => {
    const { token } = alice
    await app.confirm(token)
    const { secret } = (await app.call(calls.beginAuthenticator, { token })).body.data
    const first = { code: codeAt(secret, app.ctx.now()) }
    expect((await app.call(calls.turnOnAuthenticator, { token, body: first })).status).toBe(200)
    await app.ctx.db.deleteFrom('session').execute()
    for (let turn = 0; turn < 32; turn += 1) {
      app.ctx.clock.advance(MINUTE_MS / 2)
      const { second_step: second } = (await logIn(OWNER, TEST_PASSWORD)).body.data
      const body = { ticket: second.ticket, code: codeAt(secret, app.ctx.now()) }
      const { status, body: reply } = await from(OWNER, calls.secondStep, body)
      expect([status, reply.code], `second step ${turn + 1}`).toEqual([200, undefined])
      await app.ctx.db.deleteFrom('session').execute()
    }
  })

  it('A12: do not use up the password reset codes of a known device', async () => {
    const { device } = (await logIn(OWNER, TEST_PASSWORD)).body.data
    const { request } = (await forget(OWNER, EMAIL, { device })).body.data
    const code = await newestCode(EMAIL)
    for (let turn = 0; turn < 31; turn += 1) await tryCode(OWNER, `nobody${turn}@example.com`, '123456')
    expect((await tryCode(OWNER, EMAIL, code, { request })).status).toBe(429)
    expect((await setPassword(OWNER, code, { request, device })).status).toBe(200)
  })

  it("A12: gain no attempts for an account with another user's known device", async () => {
    const mallory = await app.verifiedUser('mallory')
    const { device } = (await from(OWNER, calls.login, { username: mallory.username, password: TEST_PASSWORD })).body
      .data
    await spendTries(app.ctx.db, { limit: 'reset_code_network', key: OWNER, left: 1, now: app.ctx.now() })
    await tryCode(OWNER, EMAIL, '123456')
    expect((await tryCode(OWNER, EMAIL, '123456', { device })).status).toBe(429)
    expect((await tryCode(OWNER, emailOf('mallory'), '123456', { device })).body.code).toBe('code_wrong')
    await spendTries(app.ctx.db, { limit: 'reset_request_network', key: OWNER, left: 1, now: app.ctx.now() })
    await forget(OWNER, EMAIL)
    expect((await forget(OWNER, EMAIL, { device })).status).toBe(429)
    const isOwn = createIsOwnDevice(app.ctx.db)
    const named = ['alice', EMAIL, 'mallory', emailOf('mallory'), null]
    expect(await Promise.all(named.map((owner) => isOwn(device, owner)))).toEqual([false, false, true, true, true])
  })

  it('A12: do not use up the passkey challenges of a known device', async () => {
    const { device } = (await logIn(OWNER, TEST_PASSWORD)).body.data
    await spendTries(app.ctx.db, { limit: 'passkey_network', key: OWNER, left: 0, now: app.ctx.now() })
    const ask = async (more: object) => (await from(OWNER, calls.passkeyTask, more)).body.code
    await ask({})
    expect(await ask({})).toBe('too_many_attempts')
    expect(await ask({ device })).not.toBe('too_many_attempts')
  })
})
