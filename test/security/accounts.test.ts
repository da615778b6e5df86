import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { isCommonPassword } from '#server/platform/credentials/common-password.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, emailOf, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const SITE = 'https://trade.example.com'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database, { environment: { PUBLIC_URL: SITE, TRUSTED_PROXIES: '10.9.9.9' } })
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

/**
 * Makes this many log-ins, ten at a time. Returns how many passwords were checked. The other log-ins were refused by a
 * limit.
 */
async function tried(
  times: number,
  sent: (turn: number) => { remoteAddress: string; headers?: object; payload: object },
): Promise<number> {
  let lookedAt = 0
  for (let turn = 0; turn < times; turn += 10) {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, place) => {
        const { headers = {}, ...rest } = sent(turn + place)
        return app.inject({ method: 'POST', url: '/api/user/auth/login', headers: { ...headers }, ...rest })
      }),
    )
    for (const { status, body } of replies) {
      expect([422, 429]).toContain(status)
      if (body.code === 'credentials_wrong') lookedAt += 1
    }
  }
  return lookedAt
}

describe('AT17: many guesses', () => {
  it('for one account, from one address with forged headers: the server checks ten of a thousand passwords', async () => {
    const guesses = await tried(1_000, (turn) => ({
      remoteAddress: '198.51.100.7',
      headers: { 'x-forwarded-for': `203.0.${turn % 250}.${turn % 199}`, forwarded: `for=203.0.113.${turn % 250}` },
      payload: { username: 'alice', password: `guess-${turn}` },
    }))
    expect(guesses).toBe(10)
    expect((await app.call(calls.profile, { token: alice.token })).status, 'the owner is not disturbed').toBe(200)
  })

  it('for one account, each from another address behind a trusted proxy: the server checks ten passwords', async () => {
    const guesses = await tried(200, (turn) => ({
      remoteAddress: '10.9.9.9',
      headers: { 'x-forwarded-for': `203.0.113.${turn}` },
      payload: { username: 'ALICE', password: `guess-${turn}` },
    }))
    expect(guesses).toBe(10)
  })

  it('with one password for many accounts: the server checks it for a hundred accounts', async () => {
    const guesses = await tried(300, (turn) => ({
      remoteAddress: '198.51.100.7',
      payload: { username: turn === 299 ? 'alice' : `somebody${turn}`, password: TEST_PASSWORD },
    }))
    expect(guesses).toBe(100)
  })
})

describe('AT20: a password reset code', () => {
  const forget = (headers = {}) => app.call(calls.forgetPassword, { body: { value: emailOf('alice') }, headers })
  const reset = (token: string) =>
    app.call(calls.resetPassword, {
      body: { email: emailOf('alice'), token, password: 'violet-17', password_confirmation: 'violet-17' },
    })
  const newest = async () =>
    (await app.call(calls.outbox, { query: { to: emailOf('alice') }, headers: { host: 'localhost' } })).body.data
      .messages[0]
  async function requestReset(headers = {}) {
    await forget(headers)
    await expect.poll(async () => (await newest())?.kind).toBe('reset_password')
    return { code: (await newest())?.code ?? '', text: (await newest())?.text ?? '' }
  }

  it("a reset code arrives with a link to the site's public address, whatever headers the requester sent", async () => {
    const { code, text } = await requestReset({ host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    expect(text).toContain(code)
    expect(text).not.toMatch(/evil|www\./)
    expect(text.match(/https?:\/\/\S+/g)).toEqual([expect.stringMatching(`^${SITE}/reset-password\\?code=[\\w-]{43}$`)])
  })

  it('a reset code fails when it is truncated, extended or in a list', async () => {
    const { code } = await requestReset()
    for (const other of [code.slice(0, 5), code.slice(1), `${code}0`, `0${code}`, `${code},${code}`])
      expect((await reset(other)).status, other).toBe(422)
    const listed = await app.inject({
      method: 'POST',
      url: '/api/user/auth/resetPassword',
      payload: {
        email: emailOf('alice'),
        token: [code],
        password: 'violet-17',
        password_confirmation: 'violet-17',
      },
    })
    expect([404, 422]).toContain(listed.status)
    expect((await app.call(calls.login, { body: { username: 'alice', password: TEST_PASSWORD } })).status).toBe(200)
  })

  it('a reset code cannot replace the second step, and leaves the second step unchanged', async () => {
    const { token } = alice
    await app.call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
    const { secret } = (await app.call(calls.beginAuthenticator, { token })).body.data
    const first = codeAt(secret, app.ctx.now())
    expect((await app.call(calls.turnOnAuthenticator, { token, body: { code: first } })).status).toBe(200)
    expect((await reset((await requestReset()).code)).status).toBe(200)
    const { body } = await app.call(calls.login, { body: { username: 'alice', password: 'violet-17' } })
    expect(body.data).toMatchObject({ second_step: { ways: ['code', 'recovery'] } })
  })
})

describe('AT21: codes', () => {
  it('a code works only for its purpose: sign-up, password reset, PIN or second step', async () => {
    const { token } = alice
    await app.call(calls.resendCode, { token })
    await app.call(calls.forgetPassword, { body: { value: emailOf('alice') } })
    const sent = async () => (await app.call(calls.outbox, { query: { to: emailOf('alice') } })).body.data.messages
    await expect.poll(async () => (await sent()).map(({ kind }) => kind)).toContain('reset_password')
    const code = (await sent()).find(({ kind }) => kind === 'reset_password')?.code ?? ''
    expect((await app.call(calls.verifyCode, { token, body: { code } })).body.code).toBe('code_wrong')
    expect((await app.call(calls.securityConfirm, { token, body: { code } })).status).toBe(422)
  })

  it('a code of the second step works only for the log-in of its user', async () => {
    const secrets = new Map<string, string>()
    for (const user of [alice, await app.verifiedUser('bob')]) {
      const { token, username } = user
      await app.call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
      const { secret } = (await app.call(calls.beginAuthenticator, { token })).body.data
      await app.call(calls.turnOnAuthenticator, { token, body: { code: codeAt(secret, app.ctx.now()) } })
      secrets.set(username, secret)
    }
    app.ctx.clock.advance(MINUTE_MS)
    const { body } = await app.call(calls.login, { body: { username: 'alice', password: TEST_PASSWORD } })
    const ticket = 'second_step' in body.data ? body.data.second_step.ticket : ''
    const codeOf = (name: string) => codeAt(secrets.get(name) ?? '', app.ctx.now())
    const step = (code: string) => app.call(calls.secondStep, { body: { ticket, code } })
    expect((await step(codeOf('bob'))).body.code).toBe('second_code_wrong')
    expect((await step(codeOf('alice'))).status).toBe(200)
  })
})

describe('AT22: a password', () => {
  let users = 0
  async function chosen(password: string) {
    users += 1
    const username = `chooser${users}`
    const { status, body } = await app.call(calls.register, {
      body: { username, mobile: '5551234567', password, password_confirmation: password, agree: true },
    })
    return { username, status, code: body.code }
  }
  const opens = async (username: string, password: string) =>
    (await app.call(calls.login, { body: { username, password } })).status === 200

  it('a password must have 6 to 20 characters, including emoji: 5, 21, 64 and 128 fail', async () => {
    for (const length of [5, 21, 64, 128])
      expect(await chosen('q7'.repeat(64).slice(0, length)), String(length)).toMatchObject({ code: 'password_length' })
    for (const password of ['q7q7x!', 'q7'.repeat(10), '🦊'.repeat(6), '🦊'.repeat(20), 'pässwört ñ'])
      expect(await chosen(password), password).toMatchObject({ status: 200 })
  })

  it('every character of a password counts, without truncation, trimming or case folding', async () => {
    const cases: [string, readonly string[]][] = [
      ['q7'.repeat(10), ['q7'.repeat(9), `${'q7'.repeat(9)}q8`, 'Q7'.repeat(10)]],
      ['🦊'.repeat(20), ['🦊'.repeat(19), `${'🦊'.repeat(19)}🐺`]],
      ['violet-17 ', ['violet-17', ' violet-17', 'violet-17  ']],
      ['violet\u0000-17', ['violet', 'violet-17']],
    ]
    for (const [password, others] of cases) {
      const { username, status } = await chosen(password)
      if (status !== 200) continue
      for (const other of others) expect(await opens(username, other), JSON.stringify(other)).toBe(false)
      expect(await opens(username, password)).toBe(true)
    }
  })

  it('a password must not be one of the three thousand most common ones, in upper or lower case', async () => {
    const listed = readFileSync('data/common-passwords.txt', 'utf8').split('\n').slice(0, 3_000)
    expect(listed.filter((password) => !isCommonPassword(password.toUpperCase()))).toEqual([])
    for (const password of [listed[0]!, listed[2_999]!.toUpperCase()])
      expect(await chosen(password)).toMatchObject({ code: 'password_common' })
  })

  it('the server refuses a password of a megabyte before hashing it', async () => {
    const password = 'x'.repeat(1_048_576)
    const attempts = () => app.ctx.db.selectFrom('attempt').selectAll().orderBy('key').execute()
    const before = await attempts()
    for (const { path } of [calls.login, calls.register, calls.resetPassword, calls.changePassword]) {
      const { status } = await app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { authorization: `Bearer ${alice.token}` },
        payload: { username: 'alice', password, password_confirmation: password, current_password: password },
      })
      expect(status, path).toBe(413)
    }
    // No attempt was counted, so no password was checked.
    expect(await attempts()).toEqual(before)
  })
})
