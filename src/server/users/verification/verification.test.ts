import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, emailOf, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.signUp('alice')
})
afterEach(() => app.stop())

const verify = (code: string, token = user.token) => app.call(calls.verifyCode, { token, body: { code } })
const resend = () => app.call(calls.resendCode, { token: user.token })
const rightCode = () => app.sentCode(emailOf('alice'))
/** Returns a wrong code. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

it('CA23: verifies with the code, ends every session and allows a new log-in', async () => {
  const second = await app.signIn(user.username, user.password)
  expect((await verify(await rightCode())).status).toBe(200)
  expect((await app.call(calls.profile, { token: user.token })).status).toBe(401)
  expect((await app.call(calls.profile, { token: second.token })).status).toBe(401)
  const { token } = await app.signIn(user.username, user.password)
  expect((await app.call(calls.profile, { token })).body.data.user.ev).toBe(true)
  expect((await verify('123456', token)).body.code, 'the phone number is not proved').toBe('code_wrong')
})

it('verifies the phone number of a verified account with a second code, without ending sessions', async () => {
  const { token } = await app.verifiedUser('carol')
  expect((await app.call(calls.profile, { token })).body.data.user.mobile_proven).toBe(false)
  app.ctx.clock.advance(MINUTE_MS)
  const sent = await app.call(calls.resendCode, { token })
  expect(sent.body.data.sent_to).not.toContain('@')
  expect((await verify(await app.sentCode('5551234567'), token)).status).toBe(200)
  expect((await app.call(calls.profile, { token })).body.data.user.mobile_proven).toBe(true)
  expect((await verify('123456', token)).body.code).toBe('already_verified')
  expect((await app.call(calls.resendCode, { token })).body.code).toBe('already_verified')
})

it('AT21: allows five attempts, even when twenty are concurrent', async () => {
  const code = await rightCode()
  const replies = await Promise.all(Array.from({ length: 20 }, () => verify(otherThan(code))))
  expect(replies.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(15)
  const locked = await verify(code)
  expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900'])
})

it('AT21: a newly sent code does not give the user new attempts', async () => {
  for (let turn = 0; turn < 4; turn += 1) await verify(otherThan(await rightCode()))
  await resend()
  expect((await verify(otherThan(await rightCode()))).body.code).toBe('code_wrong')
  expect((await verify(await rightCode())).status).toBe(429)
  app.ctx.clock.advance(15 * MINUTE_MS)
  await resend()
  expect((await verify(await rightCode())).status).toBe(200)
})

it('AT21: accepts a code once, even in two concurrent calls', async () => {
  const code = await rightCode()
  const replies = await Promise.all([verify(code), verify(code), verify(code)])
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('AT21: accepts only the newest code, for ten minutes', async () => {
  const first = await rightCode()
  app.ctx.clock.advance(MINUTE_MS)
  await resend()
  expect((await verify(first)).body.code).toBe('code_wrong')
  const second = await rightCode()
  app.ctx.clock.advance(10 * MINUTE_MS)
  expect((await verify(second)).body.code).toBe('code_wrong')
})

it('refuses a code that was sent to another user', async () => {
  await app.signUp('bob')
  expect((await verify(await app.sentCode(emailOf('bob')))).body.code).toBe('code_wrong')
})

it.each(['', ' ', '12345', '1234567', 'abcdef', '１２３４５６', '1e5', '0x1234'])('refuses %j', async (code) => {
  const { status, body } = await verify(code)
  expect(status).toBe(422)
  expect(body.errors?.['code']).toHaveLength(1)
})

it('CA24: sends at most one code a minute and five an hour, and returns the masked address', async () => {
  const first = await resend()
  expect(first.body).toMatchObject({
    data: { channel: 'outbox', sent_to: 'a•••@example.com' },
    message: 'Code Sent Successfully',
  })
  const tooSoon = await resend()
  expect([tooSoon.status, tooSoon.headers['retry-after']]).toEqual([429, '60'])
  for (let turn = 2; turn <= 5; turn += 1) {
    app.ctx.clock.advance(MINUTE_MS)
    expect((await resend()).status).toBe(200)
  }
  app.ctx.clock.advance(MINUTE_MS)
  expect((await resend()).status).toBe(429)
})

it('sends the code to the phone when there is no email address', async () => {
  const form = { username: 'dora', mobile: '5550001111', mobile_code: '+44', password: 'violet-17' }
  await app.call(calls.register, { body: { ...form, password_confirmation: 'violet-17', agree: true } })
  expect(await app.sentCode('+445550001111')).toMatch(/^\d{6}$/)
})

it('stores codes as hashes, separate from the outbox', async () => {
  const rows = await app.ctx.db.selectFrom('one_time_code').select('code_hash').execute()
  expect(rows.every(({ code_hash }) => code_hash.startsWith('$argon2id$v=19$'))).toBe(true)
})

it('restricts unverified accounts without ending their sessions', async () => {
  const { status, body } = await app.call(calls.recentTrades, { token: user.token })
  expect([status, body.code]).toEqual([422, 'not_verified'])
})
