import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { AppClient } from '#test/support/app-client.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const FORM = {
  username: 'Alice.Doe',
  firstname: ' Alice ',
  lastname: 'Doe',
  mobile: '62-812 3456 789',
  country_code: 'id',
  mobile_code: '62',
  address: '12  Long Street',
  city: 'Jakarta',
  zip: '10110',
  state: 'DKI',
}

describe('saving the profile', () => {
  beforeEach(() => app.confirm(alice.token))
  const save = (body: Record<string, unknown>, token = alice.token) =>
    app.inject({
      method: 'POST',
      url: '/api/user/profile',
      headers: { authorization: `Bearer ${token}` },
      payload: body,
    })

  it('CA18: stores every field and returns the account', async () => {
    const { status, body } = await app.call(calls.saveProfile, { token: alice.token, body: FORM })
    expect(status).toBe(200)
    expect(body.message).toBe('Updated Successfully')
    expect(body.data.user).toMatchObject({
      id: alice.id,
      username: 'Alice.Doe',
      firstname: 'Alice',
      lastname: 'Doe',
      mobile: '8123456789',
      mobile_code: '+62',
      country_code: 'ID',
      address: { address: '12 Long Street', city: 'Jakarta', zip: '10110', state: 'DKI', country: 'Indonesia' },
      profile_complete: true,
      balance: 0,
    })
    const profile = await app.call(calls.profile, { token: alice.token })
    expect(profile.body.data.user).toEqual(body.data.user)
    expect(profile.body.data.user.uid).toMatch(/^[0-9A-Z]{10}$/)
  })

  it('accepts log-ins with the new name and releases the old one', async () => {
    await save(FORM)
    expect((await app.signIn('ALICE.DOE', TEST_PASSWORD)).id).toBe(alice.id)
    expect((await app.signUp('alice')).id).not.toBe(alice.id)
  })

  it("changes the case of the user's own name", async () => {
    expect((await save({ ...FORM, username: 'ALICE' })).status).toBe(200)
  })

  it('keeps omitted fields, clears empty ones, and uses the dialling code of the country', async () => {
    await save(FORM)
    const { body } = await app.call(calls.saveProfile, {
      token: alice.token,
      body: { username: 'alice', mobile: '15112345678', country_code: 'DE', city: '' },
    })
    expect(body.data.user).toMatchObject({ firstname: 'Alice', mobile_code: '+49' })
    expect(body.data.user.address).toMatchObject({ address: '12 Long Street', city: '', country: 'Germany' })
  })

  it('ignores fields that are not part of the profile', async () => {
    const extra = { balance: 999, points: 999, ev: false, trade_status: 0, verified: false, user_id: 'x', id: 'x' }
    expect((await save({ ...FORM, ...extra })).status).toBe(200)
    const { body } = await app.call(calls.profile, { token: alice.token })
    expect(body.data.user).toMatchObject({ id: alice.id, balance: 0, points: 0, ev: true, trade_status: 1 })
  })

  it.each([
    [{ username: '' }, 'bad_request', 'username', 'Username is Required'],
    [{ mobile: '' }, 'bad_request', 'mobile', 'Phone number is Required'],
    [{ country_code: undefined }, 'bad_request', 'country_code', 'Country is Required'],
    [{ username: 'a b' }, 'username_invalid', 'username', ''],
    [{ username: 'DEMO' }, 'username_taken', 'username', 'This username is taken'],
    [{ mobile: '12' }, 'mobile_invalid', 'mobile', ''],
    [{ mobile: '62-' }, 'mobile_invalid', 'mobile', ''],
    [{ mobile_code: 'abc' }, 'mobile_invalid', 'mobile', ''],
    [{ mobile_code: '999' }, 'mobile_invalid', 'mobile', ''],
    [{ country_code: 'ZZ' }, 'country_unknown', 'country_code', ''],
    [{ firstname: 'x'.repeat(61) }, 'text_too_long', 'firstname', 'First name may have 60 characters at most'],
    [{ zip: 5 }, 'bad_request', 'zip', ''],
  ])('VA11: refuses %j with %s and changes nothing', async (wrong, code, field, text) => {
    const before = await app.call(calls.profile, { token: alice.token })
    const { status, body } = await save({ ...FORM, ...wrong })
    expect(status).toBe(422)
    expect(body.code).toBe(code)
    expect(body.errors?.[field]?.[0]).toContain(text)
    const after = await app.call(calls.profile, { token: alice.token })
    expect(after.body).toEqual(before.body)
  })

  it.each([
    ['\u200B', ''],
    ['\u3164', ''],
    ['\u2800', ''],
    ['\u202EAda\u200B', 'Ada'],
    ['Ren\u0065\u0301e ', 'Ren\u00E9e'],
    [' Jean \n Paul ', 'Jean Paul'],
  ])('F7: keeps the name %j as %j', async (firstname, storedName) => {
    const { body } = await save({ ...FORM, firstname, lastname: 'L' })
    expect(body).toMatchObject({ data: { user: { firstname: storedName, profile_complete: storedName !== '' } } })
  })

  it.each([
    ['415-555-2671', 'US', { mobile: '4155552671', mobile_code: '+1' }],
    ['(415) 555-2671', 'US', { mobile: '4155552671', mobile_code: '+1' }],
    ['+14155552671', 'US', { mobile: '4155552671', mobile_code: '+1' }],
    ['(11) 91234-5678', 'BR', { mobile: '11912345678', mobile_code: '+55' }],
    ['62-81234567', 'ID', { mobile: '81234567', mobile_code: '+62' }],
    ['07911 123456', 'GB', { mobile: '7911123456', mobile_code: '+44' }],
    ['06 1234 5678', 'IT', { mobile: '0612345678', mobile_code: '+39' }],
    ['٠٧٧٠ ١٢٣ ٤٥٦٧', 'IQ', { mobile: '7701234567', mobile_code: '+964' }],
  ])('F1: keeps the phone number %s of %s by its plan', async (mobile, country, storedPhone) => {
    const { body } = await save({ ...FORM, mobile, country_code: country, mobile_code: '' })
    expect(body).toMatchObject({ data: { user: storedPhone } })
  })

  it('F2: treats a stored number with a trunk zero as unchanged when it is sent back', async () => {
    const before = { mobile: '07911123456', mobile_code: '+44', proven_mobile: '+4407911123456' }
    await app.ctx.db.updateTable('app_user').set(before).where('id', '=', alice.id).execute()
    const { body } = await save({ ...FORM, mobile: '07911123456', country_code: 'GB', mobile_code: '+44' })
    expect(body).toMatchObject({ data: { user: { mobile: '07911123456', mobile_code: '+44', mobile_proven: true } } })
  })

  it('gives a name to one of two concurrent requests', async () => {
    const bob = await app.verifiedUser('bob')
    await app.confirm(bob.token)
    const form = { ...FORM, username: 'wanted' }
    const answers = await Promise.all([save(form), save({ ...form, username: 'WANTED' }, bob.token)])
    expect(answers.map(({ body }) => body.code ?? 'ok').toSorted()).toEqual(['ok', 'username_taken'])
  })

  it('F6: saves that end with an error do not use up the changes of the phone number', async () => {
    const form = { ...FORM, username: alice.username }
    const run = (statement: string) =>
      database.asOwner((db) => sql.raw(`alter table app_user ${statement}`).execute(db))
    await run(`add constraint broken check (mobile <> '8123456789')`)
    try {
      for (let at = 0; at < 10; at += 1) expect((await save(form)).status).toBe(500)
    } finally {
      await run('drop constraint broken')
    }
    expect((await save(form)).status).toBe(200)
  })

  it('refuses more than ten new names in a row, so that nobody can search for taken names', async () => {
    const codes: (string | undefined)[] = []
    for (let at = 0; at < 11; at += 1) codes.push((await save({ ...FORM, username: 'demo' })).body.code)
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('username_taken'))
    expect(codes.at(-1)).toBe('too_many_attempts')
    expect((await save({ ...FORM, username: 'alice' })).status).toBe(200)
  })

  it('requires a verified account', async () => {
    const newcomer = await app.signUp('newcomer')
    expect((await save(FORM, newcomer.token)).body.code).toBe('not_verified')
    expect((await save(FORM, 'nobody')).status).toBe(401)
  })
})

describe('changing the password', () => {
  const NEW = 'brand-new-77'
  const change = (body: Partial<Record<'current_password' | 'password' | 'password_confirmation', string>>) =>
    app.call(calls.changePassword, {
      token: alice.token,
      body: { current_password: TEST_PASSWORD, password: NEW, password_confirmation: NEW, ...body },
    })
  const signsIn = async (password: string) =>
    (await app.call(calls.login, { body: { username: 'alice', password } })).status === 200

  it('CA19: accepts the new password and refuses the old one', async () => {
    const { status, body } = await change({})
    expect([status, body.message]).toEqual([200, 'Updated Successfully'])
    expect(await signsIn(TEST_PASSWORD)).toBe(false)
    expect(await signsIn(NEW)).toBe(true)
  })

  it('ends all other sessions and keeps the current one', async () => {
    const other = await app.signIn('alice', TEST_PASSWORD)
    const bystander = await app.verifiedUser('bob')
    // This call puts the session into the cache.
    expect((await app.call(calls.profile, { token: other.token })).status).toBe(200)
    await change({})
    expect((await app.call(calls.profile, { token: other.token })).status).toBe(401)
    expect((await app.call(calls.profile, { token: alice.token })).status).toBe(200)
    expect((await app.call(calls.profile, { token: bystander.token })).status).toBe(200)
  })

  it('closes the sockets of the other sessions only', async () => {
    const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const other = await app.signIn('alice', TEST_PASSWORD)
    const clients = await Promise.all([alice.token, other.token].map((token) => AppClient.open(address, token)))
    const [own, others] = clients
    for (const client of clients) {
      client.say({ action: 'ping' })
      await client.hear(({ type }) => type === 'pong')
    }
    await change({})
    await others?.closed()
    own?.say({ action: 'watch', symbols: ['BTC'] })
    own?.say({ action: 'ping' })
    await expect.poll(() => own?.messages.filter(({ type }) => type === 'pong').length).toBe(2)
    own?.close()
  })

  it.each([
    [{ current_password: 'wrong-one' }, 'current_password_wrong', 'current_password'],
    [{ current_password: '' }, 'bad_request', 'current_password'],
    [{ password: '', password_confirmation: '' }, 'bad_request', 'password'],
    [{ password: '12345', password_confirmation: '12345' }, 'password_length', 'password'],
    [{ password: 'x'.repeat(21), password_confirmation: 'x'.repeat(21) }, 'password_length', 'password'],
    [{ password_confirmation: 'brand-new-78' }, 'password_mismatch', 'password_confirmation'],
  ])('VA12: refuses %j with %s and changes nothing', async (wrong, code, field) => {
    const { status, body } = await change(wrong)
    expect([status, body.code]).toEqual([422, code])
    expect(Object.keys(body.errors ?? {})).toContain(field)
    expect(await signsIn(TEST_PASSWORD)).toBe(true)
  })

  it('locks after five wrong passwords and unlocks later', async () => {
    for (let at = 0; at < 5; at += 1)
      expect((await change({ current_password: `guess-${at}` })).body.code).toBe('current_password_wrong')
    const locked = await change({})
    expect([locked.status, locked.body.code]).toEqual([429, 'too_many_attempts'])
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
    app.ctx.clock.advance(15 * MINUTE_MS + 1)
    expect((await change({})).status).toBe(200)
  })

  it('accepts one of two concurrent changes', async () => {
    const answers = await Promise.all([
      change({ password: 'first-one-1', password_confirmation: 'first-one-1' }),
      change({ password: 'second-one-2', password_confirmation: 'second-one-2' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
