import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { asWritten, holdsSecret } from '#test/support/secret-leaks.ts'
import { emailOf, TEST_PASSWORD } from '#test/support/test-app.ts'

const BANK = 101
const PIN = '042713'
const IBAN = 'DE89 3704 0044 0532 0130 00'
const CARD = '4111 1111 1111 1111'
const DETAILS = { 'Account holder': 'Alice Ames', Bank: CARD, 'Account number or IBAN': IBAN }

let database: TestDatabase
let bench: AttackBench
beforeAll(async () => {
  database = await openTestDatabase()
  bench = await openAttackBench(database, { environment: { LOG_LEVEL: 'debug' } })
})
afterAll(async () => {
  await bench.close()
  await database.close()
})

// In addition, every test on the whole server searches the log for its secrets: see `secret-leaks.ts`.
it('AT46: the debug log contains no password, token, code, PIN, card or bank account, even on failures', async () => {
  const { app } = bench
  const alice = await bench.funded(1_000, 'alice')
  const { token } = alice
  const secrets = new Map(Object.entries({ password: TEST_PASSWORD, wrong: 'wrong-one-5', token, PIN, IBAN, CARD }))
  const keep = (name: string, secret: string | undefined) => secrets.set(name, secret ?? `${name} is missing`)
  const withdraw = (pin: string) =>
    app.call(calls.saveWithdrawal, {
      token,
      body: { amount: 100, method_id: BANK, withdrawal_code: pin, fields: DETAILS },
    })
  const everything = async () => {
    await app.call(calls.login, { body: { username: 'alice', password: 'wrong-one-5' } })
    const signedIn = (await app.call(calls.login, { body: { username: 'alice', password: TEST_PASSWORD } })).body.data
    if (signedIn !== undefined && 'token' in signedIn) {
      keep('another token', signedIn.token)
      keep('device', signedIn.device)
    }
    await app.call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
    await app.call(calls.saveWithdrawalPin, {
      token,
      body: { withdrawal_code: PIN, withdrawal_code_confirmation: PIN },
    })
    await app.call(calls.saveWithdrawMethod, {
      token,
      body: { withdraw_method_id: BANK, withdrawal_information: DETAILS },
    })
    await app.endPauses()
    await withdraw(PIN)
    await withdraw('999999')
    await app.call(calls.forgetPassword, { body: { value: emailOf('alice') } })
    await app.call(calls.resetPassword, {
      body: { email: emailOf('alice'), token: '135790', password: 'violet-17', password_confirmation: 'violet-17' },
    })
    await app.call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
    const { data } = (await app.call(calls.beginAuthenticator, { token })).body
    await app.inject({ url: `/api/user/profile?token=${token}`, headers: { authorization: `Bearer ${token}` } })
    await app.inject({ url: `/api/nothing/${token}`, headers: { cookie: `token=${token}` } })
    const client = await bench.connect(`/ws/app?token=${token}`)
    client.send({ action: 'subscribe', token })
    client.send({ action: 'newTrade', token, data: { type: 'buy', tradeSettingId: 1, amount: 1, symbol: 'BTC' } })
    client.send({ action: 'seen', token, ids: ['x'] })
    client.send({ action: 'ping', token })
    await bench.until(() => client.said.some(({ type, code }) => type === 'pong' || code === 'server_error'))
    client.ws.terminate()
    return data
  }

  const begun = await everything()
  keep('secret of the second step', begun.secret)
  app.ctx.clock.advance(MINUTE_MS)
  const on = await app.call(calls.turnOnAuthenticator, {
    token,
    body: { code: codeAt(begun.secret, app.ctx.now()) },
  })
  for (const code of on.body.data.recovery_codes) keep(`recovery code ${code}`, code)
  const { messages } = (await app.call(calls.outbox, { query: { to: emailOf('alice') } })).body.data
  for (const { code } of messages) if (code !== '') keep(`sent code ${code}`, code)
  const finance = await app.staff('finance')
  keep('cookie of staff', finance.cookie.split('=')[1])
  await finance.call(staffCalls.staffWithdrawals)

  // Repeats the same calls while the database fails with errors that contain rows and values.
  const tables = ['attempt', 'sign_in', 'withdrawal', 'one_time_code', 'session', 'user_authenticator']
  await database.asOwner(async (db) => {
    for (const table of tables)
      await sql`alter table ${sql.table(table)} add constraint refuses_all check (false) not valid`.execute(db)
  })
  await everything().catch(() => {})
  await database.asOwner(async (db) => {
    for (const table of tables) await sql`alter table ${sql.table(table)} drop constraint refuses_all`.execute(db)
  })

  const log = asWritten(app.ctx.lines)
  expect(log.length).toBeGreaterThan(30)
  expect(log.filter((line) => line.includes('refuses_all')).length, 'it did fail').toBeGreaterThan(3)
  expect([...secrets.values()].filter((secret) => secret.endsWith('is missing'))).toEqual([])
  const text = log.join('')
  for (const [name, secret] of secrets)
    expect(
      log.filter((line) => holdsSecret(line, secret)),
      name,
    ).toEqual([])
  for (const number of [IBAN, CARD]) expect(text).not.toContain(number.replaceAll(' ', ''))
})
