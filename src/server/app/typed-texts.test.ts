import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { PASSWORD_FIELDS } from '#contract/wire.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { createTestApp, type TestApp, TEST_PASSWORD } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

const arabic = (digits: string) => digits.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
const MINUTE_MS = 60_000

describe('F5: a name at the log-in', () => {
  it.each([' alice', 'alice ', 'alice\u00A0', '\u200Balice\u200B', '\talice\r\n'])(
    'F5: %j matches the name alice',
    async (username) => {
      await app.signUp('alice')
      const { status } = await app.call(calls.login, { body: { username, password: TEST_PASSWORD } })
      expect(status).toBe(200)
    },
  )

  it('F5: keeps a password exactly as typed', async () => {
    await app.signUp('alice')
    const { body } = await app.call(calls.login, { body: { username: 'alice', password: `${TEST_PASSWORD} ` } })
    expect(body.code).toBe('credentials_wrong')
  })

  it('F5: every password field keeps its text exactly as typed', () => {
    const bodies = [...Object.values(calls), ...Object.values(staffCalls)].flatMap((call) => {
      const schema: unknown = 'body' in call ? call.body : undefined
      const shape: unknown = typeof schema === 'object' && schema !== null && 'shape' in schema ? schema.shape : {}
      return Object.keys(shape as object)
    })
    const passwords = new Set(bodies.filter((name) => name.includes('password')))
    expect([...passwords].toSorted()).toEqual([...PASSWORD_FIELDS].toSorted())
  })
})

describe('F4: codes in digits of another script', () => {
  it('F4: verify an account, also with spaces between them', async () => {
    const { token } = await app.signUp('alice')
    const code = arabic(await app.sentCode('alice@example.com'))
    const { status } = await app.call(calls.verifyCode, {
      token,
      body: { code: `${code.slice(0, 3)} ${code.slice(3)}` },
    })
    expect(status).toBe(200)
  })

  it('F4: match the same PIN in Latin digits', async () => {
    const { token } = await app.verifiedUser('alice')
    await app.confirm(token)
    const pin = { withdrawal_code: arabic('123456'), withdrawal_code_confirmation: '１２３４５６' }
    expect((await app.call(calls.saveWithdrawalPin, { token, body: pin })).status).toBe(200)
    const fields = { 'Wallet address (TRC-20)': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }
    const saved = { withdraw_method_id: 102, withdrawal_information: fields }
    expect((await app.call(calls.saveWithdrawMethod, { token, body: saved })).status).toBe(200)
    await app.endPauses()
    const body = { method_id: 102, amount: arabic('100'), withdrawal_code: '123456', fields }
    expect((await app.call(calls.saveWithdrawal, { token, body })).body.code).toBe('insufficient_balance')
  })
})

describe('F7: staff texts', () => {
  it('F7: the server removes invisible characters from them and refuses a text of which nothing remains', async () => {
    const alice = await app.verifiedUser('alice')
    const owner = await app.staff('owner')
    const note = (text: string) => owner.call(staffCalls.staffAddUserNote, { params: { id: alice.id }, body: { text } })
    expect((await note('Called\u200B back\u202E e\u0301 ')).status).toBe(200)
    const rows = await app.ctx.db.selectFrom('user_note').select('text').execute()
    expect(rows).toEqual([{ text: 'Called back \u00E9' }])
    expect((await note('\u3164\u2800\u200B')).status).toBe(422)
  })

  it('F7: are cleaned by the operator CLI too', async () => {
    const run = (...args: string[]) => runCommand({ ...app, dataDir: '/nowhere' }, args, 'operator')
    expect((await run('settings', 'set', 'site_name', '"Fair\\u200Bwick\u202E Ltd "')).exitCode).toBe(0)
    expect(app.settings.current.siteName).toBe('Fairwick Ltd')
    expect((await run('withdrawals', 'reject', 'FW-1', '--words', '\u3164')).exitCode).toBe(2)
  })
})

describe('F9: amounts by their currency', () => {
  it.each([
    ['JPY', '1000.5', 'amount_decimals'],
    ['JPY', '1000', undefined],
    ['BTC', '0.015', 'amount_invalid'],
    ['EUR', '1000.5', undefined],
  ])('F9: a deposit of %s %s: %s', async (currency, amount, code) => {
    const { token } = await app.verifiedUser('alice')
    const terms = { min_amount: 1n, max_amount: 1_000_000n, fixed_charge: 0n, percent_charge_basis_points: 0 }
    const gateway = {
      ...terms,
      id: 90,
      kind: 'deposit',
      name: 'By hand',
      currency,
      rate_millionths: 2_000_000n,
      sort: 90,
    }
    await app.ctx.db.insertInto('gateway').values(gateway).execute()
    const { body } = await app.call(calls.saveDeposit, { token, body: { amount, method_id: 90 } })
    expect(body.code).toBe(code)
  })
})

describe('F2: a forgotten password', () => {
  it.each(['07911 123456', '7911123456', '+44 (0)7911 123456', '0044 7911-123456', '٠٧٩١١١٢٣٤٥٦'])(
    'F2: finds the account by the phone number %s',
    async (value) => {
      const form = { username: 'dora', mobile: '07911 123456', mobile_code: '+44', password: TEST_PASSWORD }
      const body = { ...form, password_confirmation: TEST_PASSWORD, agree: true }
      const { token } = (await app.call(calls.register, { body })).body.data
      const code = await app.sentCode('+447911123456')
      expect((await app.call(calls.verifyCode, { token, body: { code } })).status).toBe(200)
      app.ctx.clock.advance(2 * MINUTE_MS)
      await app.call(calls.forgetPassword, { body: { value } })
      await expect
        .poll(() => app.ctx.db.selectFrom('password_reset').select('address').execute())
        .toEqual([{ address: '+447911123456' }])
    },
  )
})

it('F6: the message about a forgotten password names every account of the mailbox', async () => {
  const email = 'alice@example.com'
  await app.verifiedUser('alice')
  const form = { username: 'alice2', email, mobile: '5551234567', password: TEST_PASSWORD, agree: true }
  const { token } = (await app.call(calls.register, { body: { ...form, password_confirmation: TEST_PASSWORD } })).body
    .data
  await app.call(calls.verifyCode, { token, body: { code: await app.sentCode(email) } })
  app.ctx.clock.advance(2 * MINUTE_MS)
  await app.call(calls.forgetPassword, { body: { value: email } })
  const newest = () =>
    app.ctx.db
      .selectFrom('outbox_message')
      .select(['kind', 'text'])
      .where('sent_to', '=', email)
      .orderBy('sent_ms', 'desc')
      .executeTakeFirst()
  await expect.poll(async () => (await newest())?.kind).toBe('reset_password')
  expect((await newest())?.text).toContain('for alice2, alice is ')
})
