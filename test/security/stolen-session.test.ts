import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { CONFIRMED_FOR_MS } from '#server/users/security/confirm-identity.ts'
import { sendDueNotices } from '#test/support/send-notices.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice Ames', Bank: 'First', 'Account number or IBAN': 'DE89 3704 0044 0532' }
const OLD_NUMBER = '+491701112222'
const PROFILE = { username: 'dora', country_code: 'DE', mobile: '1701112222', mobile_code: '+49' }

const database = useTestDatabase()
let app: TestApp
/** The token of the owner's session, the only thing that the thief has. */
let token: string
beforeEach(async () => {
  app = await createTestApp(database)
  const form = { ...PROFILE, password: TEST_PASSWORD, password_confirmation: TEST_PASSWORD, agree: true }
  const opened = await app.call(calls.register, { body: form })
  const code = { code: await app.sentCode(OLD_NUMBER) }
  await app.call(calls.verifyCode, { token: opened.body.data.token, body: code })
  ;({ token } = await app.signIn('dora', TEST_PASSWORD))
  app.ctx.clock.advance(MINUTE_MS)
})
afterEach(() => app.stop())

const profile = (change: object) => app.call(calls.saveProfile, { token, body: { ...PROFILE, ...change } })
const setPin = (next: string, current?: string) =>
  app.call(calls.saveWithdrawalPin, {
    token,
    body: { withdrawal_code: next, withdrawal_code_confirmation: next, current_withdrawal_code: current ?? null },
  })
const payTo = (iban: string) =>
  app.call(calls.saveWithdrawMethod, {
    token,
    body: { withdraw_method_id: BANK, withdrawal_information: { ...DETAILS, 'Account number or IBAN': iban } },
  })
const changePassword = () =>
  app.call(calls.changePassword, {
    token,
    body: { current_password: TEST_PASSWORD, password: 'violet-1799', password_confirmation: 'violet-1799' },
  })
const waitsUntil = async () => (await app.call(calls.security, { token })).body.data.withdrawals_from
const notices = async (to: string) => {
  await sendDueNotices(app)
  const sent = await app.ctx.db.selectFrom('outbox_message').selectAll().where('sent_to', '=', to).execute()
  return sent.flatMap(({ kind, text }) => (kind === 'security' ? [text] : []))
}

/** Each change that a thief would make, with the text of the notice to the user. */
const CHANGES: Readonly<Record<string, readonly [() => Promise<{ status: number; body: { code?: string } }>, string]>> =
  {
    'the phone number': [() => profile({ mobile: '1609998888' }), 'The phone number was changed'],
    'the dialling code': [() => profile({ mobile_code: '+43' }), 'The phone number was changed'],
    'the username': [() => profile({ username: 'dora2' }), 'The username was changed'],
    'the first PIN': [() => setPin(PIN), 'A withdrawal PIN was set'],
    'the first payment details': [() => payTo('DE1'), 'Payment details were added'],
  }

describe('A4: a stolen session', () => {
  it.each(Object.keys(CHANGES))('A4: changes %s only with the password, which pauses withdrawals', async (name) => {
    const [change, words] = CHANGES[name]!
    const refused = await change()
    expect([refused.status, refused.body.code]).toEqual([422, 'confirmation_needed'])
    expect([await waitsUntil(), await notices(OLD_NUMBER)]).toEqual([null, []])
    await app.confirm(token)
    expect((await change()).status).toBe(200)
    expect(await waitsUntil()).toBe(new Date(app.ctx.now() + 24 * HOUR_MS).toISOString())
    expect(await notices(OLD_NUMBER)).toEqual([expect.stringContaining(words)])
  })

  it('A4: changes the PIN and later payment details only with the password', async () => {
    await app.setPin(token, PIN)
    await payTo('DE1')
    app.ctx.clock.advance(CONFIRMED_FOR_MS)
    await app.endPauses()
    expect((await setPin('111222', PIN)).body.code).toBe('confirmation_needed')
    expect((await payTo('DE2')).body.code).toBe('confirmation_needed')
    await app.confirm(token)
    expect([(await setPin('111222', PIN)).status, (await payTo('DE2')).status]).toEqual([200, 200])
    expect(await waitsUntil()).not.toBeNull()
  })

  it('A4: pauses withdrawals and notifies the user when it changes the password', async () => {
    expect((await changePassword()).status).toBe(200)
    expect(await waitsUntil()).not.toBeNull()
    expect(await notices(OLD_NUMBER)).toEqual([expect.stringContaining('The password was changed')])
  })

  it('A4: notifies the old and the new number after a change, and the new number resets no password', async () => {
    await app.confirm(token)
    await profile({ mobile: '1609998888' })
    for (const number of [OLD_NUMBER, '+491609998888']) {
      expect(await notices(number)).toEqual([expect.stringContaining('The phone number was changed')])
    }
    const { body } = await app.call(calls.forgetPassword, { body: { value: '+491609998888' } })
    expect(body.data.request).toHaveLength(43)
    await app.signUp('later')
    await app.call(calls.forgetPassword, { body: { value: 'nobody@example.com' } })
    const sent = await app.ctx.db.selectFrom('outbox_message').select('kind').execute()
    expect(sent.map(({ kind }) => kind)).not.toContain('reset_password')
  })

  it('A4: causes no confirmation, pause or notice by sending unchanged data', async () => {
    await app.confirm(token)
    await payTo('DE1')
    await app.endPauses()
    expect([(await profile({ city: 'Ulm' })).status, (await payTo('DE1')).status]).toEqual([200, 200])
    expect(await waitsUntil()).toBeNull()
  })

  it('A4: has five attempts to confirm by guessing', async () => {
    const guess = async (password: string) =>
      (await app.call(calls.securityConfirm, { token, body: { password } })).body.code
    for (let turn = 0; turn < 5; turn += 1) expect(await guess(`wrong-${turn}`)).toBe('confirmation_wrong')
    expect(await guess(TEST_PASSWORD)).toBe('too_many_attempts')
  })
})
