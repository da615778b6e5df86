import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { LanguageCode } from '#messages/languages.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { resetPassword } from '#server/users/password-reset/reset-password.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { createTestApp, emailOf, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const EMAIL = emailOf('alice')
const forget = (value: string, headers = {}) => app.call(calls.forgetPassword, { body: { value }, headers })
const check = (code: string, email = EMAIL) => app.call(calls.checkResetCode, { body: { email, code } })
const reset = (token: string, password = 'a-new-one', email = EMAIL) =>
  app.call(calls.resetPassword, { body: { email, token, password, password_confirmation: password } })
const signIn = async (password: string) =>
  (await app.call(calls.login, { body: { username: 'alice', password } })).status
/** Waits for the code, because it is sent after the reply. */
async function code(to = EMAIL): Promise<string> {
  await expect.poll(async () => (await newest(to))?.kind).toBe('reset_password')
  return (await newest(to))?.code ?? ''
}
/** Verifies Alice's phone number with a second code. */
async function proveMobile(): Promise<void> {
  await app.call(calls.resendCode, { token: user.token })
  const { token } = user
  const body = { code: await app.sentCode('5551234567') }
  expect((await app.call(calls.verifyCode, { token, body })).status).toBe(200)
  app.ctx.clock.advance(MINUTE_MS)
}
const newest = async (to = EMAIL) => (await app.call(calls.outbox, { query: { to } })).body.data.messages[0]
const otherThan = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

async function requestCode(): Promise<string> {
  expect((await forget(EMAIL)).status).toBe(200)
  return code()
}

it('CA6, AC10, AT20: sets a new password with the code, once, and ends every session', async () => {
  const second = await app.signIn('alice', user.password)
  const right = await requestCode()
  expect((await check(right)).status).toBe(200)
  expect((await check(right)).status).toBe(200)
  const done = await reset(right)
  expect([done.status, done.body.message]).toEqual([200, 'Updated Successfully'])
  for (const { token } of [user, second]) expect((await app.call(calls.profile, { token })).status).toBe(401)
  expect(await signIn(user.password)).toBe(422)
  expect(await signIn('a-new-one')).toBe(200)
  expect((await reset(right, 'another-one')).body).toMatchObject({
    code: 'code_wrong',
    errors: { token: [expect.any(String)] },
  })
  expect(await signIn('a-new-one')).toBe(200)
})

it('AT18: lets a user log in after a reset, even when wrong passwords had locked the name', async () => {
  await app.call(calls.logout, { token: user.token })
  for (let turn = 0; turn < 10; turn += 1) await signIn('guess')
  expect(await signIn(user.password)).toBe(429)
  await reset(await requestCode())
  expect(await signIn('a-new-one')).toBe(200)
})

it('works for a user whom staff have blocked, who can then log in only to leave', async () => {
  const params = { id: user.id }
  const owner = await app.staff('owner')
  const { version } = (await owner.call(staffCalls.staffUser, { params })).body.data
  const body = { version, allowed: false, reason: 'Several accounts of one person.' }
  expect((await owner.call(staffCalls.staffSetLogInAllowed, { params, body })).status).toBe(200)
  expect((await reset(await requestCode())).status).toBe(200)
  const { token } = await app.signIn('alice', 'a-new-one')
  expect((await app.call(calls.leave, { token })).status).toBe(200)
  expect((await app.call(calls.limits, { token })).body.code).toBe('leave_only')
})

describe('requesting a code', () => {
  it('CA4, AT19: gives the same reply for an unknown account, and sends nothing', async () => {
    const known = await forget(EMAIL)
    const unknown = await forget('nobody@example.com')
    const nonsense = await forget('???')
    for (const { status, body } of [known, unknown, nonsense]) {
      const data = { request: expect.stringMatching(/^[\w-]{43}$/) }
      expect([status, body]).toEqual([200, { data, message: 'Code Sent Successfully' }])
    }
    await code()
    expect(await newest('nobody@example.com')).toBeUndefined()
  })

  it.each(['ALICE@example.com', ' alice@example.com ', '5551234567', '555 123-4567'])(
    'finds the account by %j',
    async (value) => {
      await proveMobile()
      expect((await forget(value)).status).toBe(200)
      const right = await code(value.includes('@') ? EMAIL : '5551234567')
      expect((await check(right, value)).body.data.accounts).toEqual(['alice'])
      expect((await reset(right, 'a-new-one', value)).status).toBe(200)
    },
  )

  it.each([
    ['+49 170 1112222', '+49', '1701112222'],
    ['06 20 123 4567', '+36', '201234567'],
    ['8 916 123-45-67', '+7', '9161234567'],
  ])('sends the code to %j when the account has no email address', async (typed, mobile_code, mobile) => {
    const form = { username: 'dora', mobile, mobile_code, password: 'violet-17' }
    const stored = mobile_code + mobile
    const { body } = await app.call(calls.register, {
      body: { ...form, password_confirmation: 'violet-17', agree: true },
    })
    const sent = { code: await app.sentCode(stored) }
    expect((await app.call(calls.verifyCode, { token: body.data.token, body: sent })).status).toBe(200)
    app.ctx.clock.advance(MINUTE_MS)
    await forget(typed)
    await expect.poll(async () => (await newest(stored))?.kind).toBe('reset_password')
  })

  it('offers no account that has not verified the address', async () => {
    const body = { username: 'mallory', mobile: '99999999', email: EMAIL, password: 'violet-17' }
    await app.call(calls.register, { body: { ...body, password_confirmation: 'violet-17', agree: true } })
    app.ctx.clock.advance(MINUTE_MS)
    const right = await requestCode()
    expect((await check(right)).body.data.accounts).toEqual(['alice'])
    await reset(right)
    expect(await signIn('a-new-one')).toBe(200)
  })

  it('allows one code a minute and five an hour per address, known or unknown', async () => {
    for (const value of [EMAIL, 'nobody@example.com']) {
      await forget(value)
      const again = await forget(value.toUpperCase())
      expect([again.status, again.body.code, again.headers['retry-after']]).toEqual([429, 'too_many_attempts', '60'])
      for (let turn = 2; turn <= 5; turn += 1) {
        app.ctx.clock.advance(MINUTE_MS)
        expect((await forget(value)).status).toBe(200)
      }
      app.ctx.clock.advance(MINUTE_MS)
      expect((await forget(value)).status).toBe(429)
    }
  })

  it('uses the language in which the user last used the app, whatever the language of the request', async () => {
    const body = { username: 'luigi', email: 'luigi@example.com', mobile: '99999999', password: 'violet-17' }
    const form = { ...body, password_confirmation: 'violet-17', agree: true }
    const { token } = (await app.call(calls.register, { body: form, headers: { locale: 'it' } })).body.data
    await app.call(calls.verifyCode, { token, body: { code: await app.sentCode('luigi@example.com') } })
    const log = { body: { username: 'luigi', password: 'violet-17' }, headers: { locale: 'fr' } }
    const session = await app.signIn('luigi', 'violet-17')
    const uses: [LanguageCode, () => Promise<unknown>][] = [
      ['fr', () => app.call(calls.login, log)],
      ['ar', () => app.call(calls.profile, { token: session.token, headers: { locale: 'ar' } })],
    ]
    for (const [language, use] of uses) {
      app.ctx.clock.advance(MINUTE_MS)
      await use()
      const before = (await newest('luigi@example.com'))?.code
      await forget('luigi@example.com', { locale: 'de' })
      await expect.poll(async () => (await newest('luigi@example.com'))?.code).not.toBe(before)
      const sent = await newest('luigi@example.com')
      const params = { code: sent?.code ?? '', site: 'Fairwick', name: 'luigi' }
      expect(sent?.text).toBe(message('mail.reset_text', language, params))
    }
  })
})

describe('AT20: a reset code', () => {
  it('allows five attempts, even when twenty are concurrent, and then refuses the right code', async () => {
    const right = await requestCode()
    const replies = await Promise.all(Array.from({ length: 20 }, () => check(otherThan(right))))
    expect(replies.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(5)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15)
    const locked = await reset(right)
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900'])
    app.ctx.clock.advance(15 * MINUTE_MS)
    expect((await check(right)).body.code).toBe('code_wrong')
  })

  it('for an unknown address gets the same refusal', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => check('123456', 'nobody@example.com')))
    expect(replies.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(5)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(3)
  })

  it('sets a password once, even in two concurrent requests', async () => {
    const right = await requestCode()
    const replies = await Promise.all(['first-one', 'second-one', 'third-one'].map((next) => reset(right, next)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('expires after ten minutes, or when a newer code is sent', async () => {
    const first = await requestCode()
    app.ctx.clock.advance(MINUTE_MS)
    await forget(EMAIL)
    await expect.poll(async () => (await newest())?.code).not.toBe(first)
    expect((await reset(first)).body.code).toBe('code_wrong')
    const second = await code()
    app.ctx.clock.advance(10 * MINUTE_MS)
    expect((await reset(second)).body.code).toBe('code_wrong')
    expect(await signIn(user.password)).toBe(200)
  })

  it('a reset code is refused when it is a sign-up code or a code of another address', async () => {
    await app.signUp('bob')
    expect((await reset(await app.sentCode(emailOf('bob')), 'a-new-one', emailOf('bob'))).body.code).toBe('code_wrong')
    const right = await requestCode()
    expect((await reset(right, 'a-new-one', emailOf('bob'))).body.code).toBe('code_wrong')
  })

  it('a reset code is not checked, and uses up no attempt, when the new password is invalid', async () => {
    const right = await requestCode()
    for (let turn = 0; turn < 6; turn += 1) expect((await reset(right, 'short')).body.code).toBe('password_length')
    const body = { email: EMAIL, token: right, password: 'a-new-one', password_confirmation: 'another' }
    expect((await app.call(calls.resetPassword, { body })).body.code).toBe('password_mismatch')
    expect((await reset(right)).status).toBe(200)
  })

  it('exists only as a hash in the database', async () => {
    await requestCode()
    const rows = await app.ctx.db.selectFrom('password_reset').select('code_hash').execute()
    expect(rows.map(({ code_hash }) => code_hash.slice(0, 10))).toEqual(['$argon2id$'])
  })

  it('F7: sets no password when the account gave up the address while the new password was hashed', async () => {
    await proveMobile()
    await forget('5551234567')
    const right = await code('5551234567')
    const { token } = user
    const passwords: Passwords = {
      async hash() {
        await app.confirm(token)
        const body = { username: 'alice', country_code: 'DE', mobile: '1709998888', mobile_code: '+49' }
        expect((await app.call(calls.saveProfile, { token, body })).status).toBe(200)
        return 'hash'
      },
      verify: (stored) => Promise.resolve(stored !== null),
    }
    const form = { email: '5551234567', token: right, password: 'a-new-one', password_confirmation: 'a-new-one' }
    const parts = { ctx: app.ctx, passwords, signIns: createLogInRecorder(app.ctx) }
    const done = await resetPassword(parts, calls.resetPassword.body.parse(form), { address: '203.0.113.5' })
    expect(done).toMatchObject({ ok: false, refusal: 'code_wrong' })
    expect(await signIn(user.password)).toBe(200)
    expect((await app.call(calls.profile, { token })).status).toBe(200)
  })
})
