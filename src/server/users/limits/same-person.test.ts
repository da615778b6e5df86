import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffExclude } from '#contract/back-office/user-limits.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { watchPeoplePeriodically } from '#server/users/limits/watch-people.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { createTestApp, emailOf, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 101
const TRC20 = 102
const DETAILS = { 'Wallet address (TRC-20)': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  // The test clock is set to the real time, because the database uses its own clock for breaks.
  app.ctx.clock.jump(Date.now() - app.ctx.now())
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const exclude = async ({ token }: TestUser, months = 6) => {
  await app.confirm(token)
  return (await app.call(calls.takeExclusion, { token, body: { months, understood: true } })).body.data.break
}
const breakOf = async ({ token }: { token: string }) => (await app.call(calls.limits, { token })).body.data.break
const register = (username: string, email: string, mobile = '5550000001') =>
  app.call(calls.register, {
    body: { username, email, mobile, password: TEST_PASSWORD, password_confirmation: TEST_PASSWORD, agree: true },
  })
/** Creates an account with this address, and verifies it. */
const verified = async (username: string, email: string): Promise<TestUser> => {
  const { token } = (await register(username, email)).body.data
  const code = await app.sentCode(email)
  expect((await app.call(calls.verifyCode, { token, body: { code } })).status).toBe(200)
  return app.signIn(username, TEST_PASSWORD)
}
const proveMobile = async ({ token }: TestUser) => {
  app.ctx.clock.advance(MINUTE_MS)
  await app.call(calls.resendCode, { token })
  expect((await app.call(calls.verifyCode, { token, body: { code: await app.sentCode('5551234567') } })).status).toBe(
    200,
  )
}
const saveDetails = async ({ token }: TestUser, method = TRC20, details: Record<string, string> = DETAILS) => {
  await app.confirm(token)
  const body = { withdraw_method_id: method, withdrawal_information: details }
  expect((await app.call(calls.saveWithdrawMethod, { token, body })).status).toBe(200)
}

describe('US1.6: another account of an excluded person', () => {
  it('with the same mail address, in any letter case, is closed until the same time', async () => {
    const own = await exclude(alice)
    const second = await verified('bob', emailOf('alice').toUpperCase())
    expect(await breakOf(second)).toMatchObject({ kind: 'exclusion', state: 'on', until: own?.until })
    expect(await breakOf(await verified('carol', 'carol@elsewhere.example'))).toBeNull()
  })

  it('with the same phone number is closed when the number is verified', async () => {
    await proveMobile(alice)
    const own = await exclude(alice)
    const second = await app.verifiedUser('bob')
    expect(await breakOf(second)).toBeNull()
    await proveMobile(second)
    expect((await breakOf(second))?.until).toBe(own?.until)
  })

  it('with the same payment details is closed, and its withdrawals stay possible', async () => {
    await saveDetails(alice)
    const own = await exclude(alice)
    app.ctx.clock.advance(MINUTE_MS)
    const second = await app.verifiedUser('bob')
    await saveDetails(second)
    expect((await breakOf(second))?.until).toBe(own?.until)
    expect((await app.call(calls.withdrawMethods, { token: second.token })).status).toBe(200)
  })

  it('with another spelling of the same bank account is closed, and an account with another bank account is not', async () => {
    const account = (number: string, holder: string, bank: string) => ({
      'Account holder': holder,
      Bank: bank,
      'Account number or IBAN': number,
    })
    await saveDetails(alice, BANK, account('DE89370400440532013000', 'Alice Example', 'First Bank'))
    await saveDetails(alice)
    const own = await exclude(alice)
    app.ctx.clock.advance(MINUTE_MS)
    const second = await app.verifiedUser('bob')
    await saveDetails(second, BANK, account('DE91100000000123456789', 'Alice Example', 'First Bank'))
    expect(await breakOf(second)).toBeNull()
    await saveDetails(second, BANK, account('de89 3704-0044 0532 0130 00', 'A. Example', 'Second Bank'))
    expect((await breakOf(second))?.until).toBe(own?.until)
    const third = await app.verifiedUser('carol')
    await saveDetails(third, TRC20, { ...DETAILS, Memo: 'rent' })
    expect((await breakOf(third))?.until).toBe(own?.until)
  })

  it('with the same mailbox, but a tag in the mail address, is closed', async () => {
    const first = await verified('bob', 'bob.jones@gmail.com')
    const own = await exclude(first)
    expect((await breakOf(await verified('carol', 'bobjones+1@googlemail.com')))?.until).toBe(own?.until)
    expect(await breakOf(await verified('dave', 'bobjones@elsewhere.example'))).toBeNull()
  })

  it('an exclusion closes the accounts that already share a verified phone number or mailbox with the user', async () => {
    await proveMobile(alice)
    const mobile = await app.verifiedUser('carol')
    await proveMobile(mobile)
    const mail = await verified('dave', emailOf('alice').replace('@', '+2@'))
    const other = await app.verifiedUser('erin')
    const own = await exclude(alice)
    for (const same of [mobile, mail]) {
      expect(await breakOf(same)).toMatchObject({ kind: 'exclusion', state: 'on', until: own?.until })
    }
    expect(await breakOf(other)).toBeNull()
  })

  it('attack: saving the payment details of another user closes no account that is older than the exclusion', async () => {
    const victim = await app.verifiedUser('bob')
    await saveDetails(victim)
    await saveDetails(alice)
    await exclude(alice, 60)
    expect(await breakOf(victim)).toBeNull()
    await saveDetails(victim, BANK, {
      'Account holder': 'B',
      Bank: 'C',
      'Account number or IBAN': 'DE89370400440532013000',
    })
    await saveDetails(victim)
    expect(await breakOf(victim)).toBeNull()
  })

  it('an exclusion that staff enter also closes the other accounts of the person', async () => {
    const second = await verified('bob', emailOf('alice').replace('@', '+2@'))
    const support = await app.staff('support')
    const body = { months: 6, words: 'Asked for by phone.' }
    expect((await support.call(staffExclude, { params: { id: alice.id }, body })).status).toBe(200)
    expect((await breakOf(second))?.kind).toBe('exclusion')
  })

  it('an account of another user is not closed because of payment details that its user has replaced', async () => {
    const second = await app.verifiedUser('bob')
    await saveDetails(second)
    await saveDetails(second, TRC20, { 'Wallet address (TRC-20)': 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' })
    await saveDetails(alice)
    await exclude(alice)
    expect(await breakOf(second)).toBeNull()
  })

  it('without stored hashes gets them from the periodic job, which then closes it', async () => {
    const second = await verified('bob', emailOf('alice').replace('@', '+2@'))
    await database.db.deleteFrom('user_trait').execute()
    const own = await exclude(alice)
    expect(await breakOf(second)).toBeNull()
    const stop = watchPeoplePeriodically(app.ctx)
    app.ctx.clock.advance(SECOND_MS)
    await expect.poll(async () => (await breakOf(second))?.until).toBe(own?.until)
    await stop()
  })

  it('gets the same sign-up reply as any account, and is not closed, until its contact is verified', async () => {
    await exclude(alice)
    const [known, unknown] = [await register('bob', emailOf('alice')), await register('dave', 'dave@elsewhere.example')]
    const shape = ({ status, body }: typeof known) => [status, Object.keys(body.data), body.data.user.break]
    expect(shape(known)).toEqual(shape(unknown))
    const closed = await database.db.selectFrom('self_break').select('user_id').execute()
    expect(closed).toEqual([{ user_id: alice.id }])
  })

  it('keeps its own longer break, and is no longer closed when the exclusion is over', async () => {
    const second = await app.verifiedUser('bob')
    const longer = await exclude(second, 12)
    await saveDetails(alice)
    await exclude(alice)
    await saveDetails(second)
    expect(await breakOf(second)).toEqual(longer)
    await passLimitTime(database, 190 * DAY_MS)
    const third = await app.verifiedUser('carol')
    await saveDetails(third)
    expect((await breakOf(third))?.state).toBe('on')
    await passLimitTime(database, 190 * DAY_MS)
    const fourth = await app.verifiedUser('erin')
    await saveDetails(fourth)
    expect(await breakOf(fourth)).toBeNull()
  })

  it('an excluded person is recognised by keyed hashes: no contact and no payment details are stored with the exclusion', async () => {
    await saveDetails(alice)
    await exclude(alice)
    const rows = await database.db.selectFrom('excluded_person').select(['kind', 'hash']).orderBy('kind').execute()
    expect(new Set(rows.map(({ kind, hash }) => `${kind} ${hash.length}`))).toEqual(new Set(['details 32', 'email 32']))
  })
})
