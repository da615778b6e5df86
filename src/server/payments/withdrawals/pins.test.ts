import { beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

const PIN = '042713'
const WRONG = '042714'

let app: TestApp
let token: string
const { share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    ;({ token } = await app.verifiedUser('alice'))
    await app.confirm(token)
    await app.setDetails(token, { 102: WALLET })
  },
  end: () => app.stop(),
})

const set = async (next: string, rest: { current?: string; confirmation?: string } = {}) => {
  await app.confirm(token)
  const reply = await app.call(calls.saveWithdrawalPin, {
    token,
    body: {
      withdrawal_code: next,
      withdrawal_code_confirmation: rest.confirmation ?? next,
      ...(rest.current !== undefined && { current_withdrawal_code: rest.current }),
    },
  })
  await app.endPauses()
  return reply
}
const WALLET = { 'Wallet address (TRC-20)': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }
/** Tries a PIN by requesting a withdrawal. Without money the request is refused after the PIN check. */
const guess = async (pin: string) => {
  const { status, body } = await app.call(calls.saveWithdrawal, {
    token,
    body: {
      amount: 100,
      method_id: 102,
      withdrawal_code: pin,
      fields: WALLET,
    },
  })
  return status === 429 ? 'locked' : body.code === 'insufficient_balance' ? 'right' : body.code
}
const many = (count: number, pin: string) => Promise.all(Array.from({ length: count }, () => guess(pin)))

describe('setting the PIN', () => {
  it('VA13: needs no current PIN the first time, and the account then reports that a PIN is set', async () => {
    const { status, body } = await set(PIN)
    expect([status, body.data, body.message]).toEqual([200, { withdrawal_code_enabled: true }, 'Updated Successfully'])
    expect((await app.call(calls.profile, { token })).body.data.user.withdrawal_code_enabled).toBe(true)
    const row = await app.ctx.db
      .selectFrom('app_user')
      .select('pin_hash')
      .where('username', '=', 'alice')
      .executeTakeFirstOrThrow()
    expect(row.pin_hash).toMatch(/^\$argon2id\$/)
  })

  it('CA20: needs the current PIN once a PIN is set', async () => {
    await set(PIN)
    const missing = await set('111111')
    expect([missing.body.code, missing.body.errors]).toEqual([
      'field_required',
      { current_withdrawal_code: ['Current PIN is Required'] },
    ])
    const wrong = await set('111111', { current: WRONG })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'pin_wrong'])
    expect(wrong.body.errors).toHaveProperty('current_withdrawal_code')
    expect(await guess(PIN)).toBe('right')
    expect((await set('111111', { current: PIN })).status).toBe(200)
    expect(await guess(PIN)).toBe('pin_wrong')
    expect(await guess('111111')).toBe('right')
  })

  describe('with wrong input', () => {
    share()

    it.each([
      ['12345', '12345', 'pin_format', 'withdrawal_code'],
      ['1234567', '1234567', 'pin_format', 'withdrawal_code'],
      ['12345a', '12345a', 'pin_format', 'withdrawal_code'],
      ['123456', '123457', 'pin_mismatch', 'withdrawal_code_confirmation'],
      ['', '', 'bad_request', 'withdrawal_code'],
    ])('VA13: refuses %j confirmed as %j with %s', async (next, confirmation, code, field) => {
      const { status, body } = await set(next, { confirmation })
      expect([status, body.code]).toEqual([422, code])
      expect(body.errors?.[field]).toHaveLength(1)
      expect((await app.call(calls.profile, { token })).body.data.user.withdrawal_code_enabled).toBe(false)
    })
  })

  it('succeeds once when a user without a PIN sets three PINs at the same time', async () => {
    const replies = await Promise.all([set('111111'), set('222222'), set('333333')])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('AT21: five wrong PINs in a row', () => {
  beforeEach(() => set(PIN))

  it('lock the PIN for fifteen minutes, for the right PIN too', async () => {
    for (let turn = 0; turn < 5; turn += 1) expect(await guess(WRONG)).toBe('pin_wrong')
    expect(await guess(PIN)).toBe('locked')
    const reply = await set('111111', { current: PIN })
    expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([429, 'pin_locked', '900'])
    expect(reply.body.message).toBe('The PIN is locked after too many wrong attempts. Try again in 15 min')
    app.ctx.clock.advance(15 * MINUTE_MS - 1_000)
    expect(await guess(PIN)).toBe('locked')
    app.ctx.clock.advance(1_000)
    expect(await guess(PIN)).toBe('right')
  })

  it('lock the PIN also when twenty are sent at the same time: exactly five are checked', async () => {
    const answers = await many(20, WRONG)
    expect(answers.filter((answer) => answer === 'pin_wrong')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'locked')).toHaveLength(15)
    expect(await guess(PIN)).toBe('locked')
  })

  it('count across both calls that require the PIN', async () => {
    await many(3, WRONG)
    for (let turn = 0; turn < 2; turn += 1) await set('111111', { current: WRONG })
    expect(await guess(PIN)).toBe('locked')
  })

  it('count regardless of the time between them', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await guess(WRONG)
      app.ctx.clock.advance(20 * MINUTE_MS)
    }
    await guess(WRONG)
    expect(await guess(PIN)).toBe('locked')
  })

  it('count from zero after a right PIN', async () => {
    await many(4, WRONG)
    expect(await guess(PIN)).toBe('right')
    await many(4, WRONG)
    expect(await guess(PIN)).toBe('right')
  })

  it('do not lock the PINs of other users', async () => {
    await many(5, WRONG)
    ;({ token } = await app.verifiedUser('bob'))
    await set(PIN)
    await app.setDetails(token, { 102: WALLET })
    expect(await guess(PIN)).toBe('right')
  })
})

it('concurrent right PINs and malformed PINs never lock the PIN', async () => {
  await set(PIN)
  expect(new Set(await many(20, PIN))).toEqual(new Set(['right']))
  await many(10, '12345')
  expect(await guess(PIN)).toBe('right')
})
