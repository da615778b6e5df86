import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { KEY_LIMITS, MAX_KEYS } from '#core/accounts/api-keys.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import { turnOffAuthenticator } from '#server/users/security/manage-factors.ts'
import { tellReviews } from '#server/users/notices/notices.queries.ts'
import { createKeyAuthentication } from '#server/users/keys/authenticate-key.ts'
import { makeKey } from '#server/users/keys/make-key.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { meanwhile } from '#test/support/meanwhile.ts'
import { makeTestKey, type WantedKey } from '#test/support/test-keys.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const make = (wanted: WantedKey = {}) => makeTestKey(app, alice, wanted)
const itself = (token: string, headers: Record<string, string> = {}) => app.call(calls.keyItself, { token, headers })

async function endOf(id: string): Promise<string | null> {
  const { db } = app.ctx
  const row = await db.selectFrom('api_key').select('end_reason').where('id', '=', id).executeTakeFirstOrThrow()
  return row.end_reason
}

async function noticesOf(user: TestUser) {
  const { notices } = (await app.call(calls.notices, { token: user.token })).body.data
  return notices.filter(({ kind }) => kind.startsWith('key_')).map(({ kind, text }) => ({ kind, text }))
}

describe('creating a key', () => {
  it('needs a confirmation of the session, and sends the user a notice', async () => {
    const body = { name: 'bot', scope: 'read' as const }
    const refused = await app.call(calls.makeKey, { token: alice.token, body })
    expect([refused.status, refused.body.code]).toEqual([422, 'confirmation_needed'])
    const { id, secret } = await make({ name: 'my bot', scope: 'trade', anywhere: true, max_stake: 5.5 })
    expect(secret).toMatch(/^fwk_[0-9a-f]{16}_[\w-]{43}$/)
    const { keys, account } = (await app.call(calls.keys, { token: alice.token })).body.data
    expect(account).toBe('demo')
    expect(keys).toEqual([
      expect.objectContaining({ id, name: 'my bot', scope: 'trade', max_stake: 5.5, used_at: null, orders_today: 0 }),
    ])
    const [newest] = await noticesOf(alice)
    expect(newest).toMatchObject({ kind: 'key_made', text: expect.stringContaining('my bot') })
  })

  it.each([
    ['a range that is too wide', { addresses: ['10.0.0.0/7'] }, 'key_addresses_invalid'],
    [
      'eleven addresses',
      { addresses: Array.from({ length: 11 }, (_, at) => `192.0.2.${at}`) },
      'key_addresses_invalid',
    ],
    ['a host name', { addresses: ['example.org'] }, 'key_addresses_invalid'],
    ['trading from anywhere without the tick', { scope: 'trade' }, 'key_anywhere_unconfirmed'],
    ['a stake of zero', { max_stake: 0 }, 'amount_not_positive', 'Enter an amount above zero'],
    ['a negative stake', { max_stake: -5 }, 'amount_not_positive', 'Enter an amount above zero'],
    ['a stake of a day of zero', { max_stake_day: '0.00' }, 'amount_not_positive', 'Enter an amount above zero'],
    ['a negative stake of a day', { max_stake_day: '-5' }, 'amount_not_positive', 'Enter an amount above zero'],
    ['a stake that is no amount', { max_stake: '1e3' }, 'amount_invalid', /2 decimals/],
    ['no open orders', { max_open_orders: 0 }, 'key_open_orders_invalid', /whole number from 1 to 1,000,000/],
    ['negative open orders', { max_open_orders: -5 }, 'key_open_orders_invalid', /whole number from 1/],
    ['half an open order', { max_open_orders: 0.5 }, 'key_open_orders_invalid', /whole number from 1/],
    ['a name of 41 characters', { name: 'x'.repeat(41) }, 'bad_request'],
    ['an empty name', { name: ' ' }, 'bad_request'],
    ['another time', { days: 1_000 }, 'bad_request'],
    ['another scope', { scope: 'withdraw' }, 'bad_request'],
  ] as const)('refuses %s, and makes none', async (_, wanted, code, text: string | RegExp = '') => {
    await app.confirm(alice.token)
    const reply = await app.inject({
      method: 'POST',
      url: '/api/user/keys',
      headers: { authorization: `Bearer ${alice.token}` },
      payload: { name: 'bot', scope: 'read', ...wanted },
    })
    expect([reply.status, reply.body.code]).toEqual([422, code])
    const [field] = Object.keys(wanted).filter((name) => name.startsWith('max_'))
    if (field !== undefined) expect(reply.body.errors).toEqual({ [field]: [expect.stringMatching(text)] })
    expect((await app.call(calls.keys, { token: alice.token })).body.data.keys).toEqual([])
  })

  it('removes characters that change the direction of text from the name of the key', async () => {
    await make({ name: '\u202Etxt.\u2066exe\u2069\u200F bot\u061C' })
    const { keys } = (await app.call(calls.keys, { token: alice.token })).body.data
    expect(keys.map(({ name }) => name)).toEqual(['txt.exe bot'])
    const body = { name: '\u202E\u2067\u200B', scope: 'read' as const }
    const refused = await app.call(calls.makeKey, { token: alice.token, body })
    expect([refused.status, refused.body.errors]).toEqual([422, { name: [expect.any(String)] }])
  })

  // The embedded database has one session, so no statement can wait for another one.
  it.runIf(process.env['TEST_DATABASE_URL']).each(['a new password', 'a block'])(
    'is refused when %s ended the session in the meantime',
    async (change) => {
      await app.confirm(alice.token)
      const set = change === 'a block' ? sql`sign_in_blocked = true` : sql`password_hash = 'another'`
      const { status, body } = await database.asOwner(
        async (owner) =>
          await meanwhile(
            owner,
            async (tx) => {
              await sql`update app_user set ${set} where id = ${alice.id}`.execute(tx)
              if (change === 'a new password') await tx.deleteFrom('session').where('user_id', '=', alice.id).execute()
            },
            () => app.call(calls.makeKey, { token: alice.token, body: { name: 'bot', scope: 'read' } }),
          ),
      )
      expect([status, body.code]).toEqual([422, 'confirmation_needed'])
      expect(await app.ctx.db.selectFrom('api_key').select('id').execute()).toEqual([])
    },
  )

  it('the eleventh key is refused, even when keys are created concurrently', async () => {
    await app.confirm(alice.token)
    const body = { name: 'bot', scope: 'read' as const }
    const replies = await Promise.all(
      Array.from({ length: MAX_KEYS + 3 }, () => app.call(calls.makeKey, { token: alice.token, body })),
    )
    expect(replies.filter(({ status }) => status === 200).length).toBe(MAX_KEYS)
    expect(replies.filter((reply) => reply.body.code === 'too_many_keys').length).toBe(3)
  })
})

describe('the facts of a key', () => {
  it('include its scope, its expiry, its limits and the balance of the user', async () => {
    const { id, secret } = await make({ name: 'bot', days: 30, scope: 'trade', anywhere: true, max_open_orders: 3 })
    const { body } = await itself(secret)
    expect(body.data).toEqual({
      id,
      name: 'bot',
      scope: 'trade',
      account: 'demo',
      expires_at: new Date(app.ctx.now() + 30 * DAY_MS).toISOString(),
      balance: 0,
      limits: {
        read: { per_second: 20, burst: 60 },
        trade: { per_second: 5, burst: 10 },
        max_stake: null,
        stake_day: { value: null, used: 0 },
        open_orders: { value: 3, used: 0 },
      },
    })
  })

  it('the facts of a key are not found when the caller uses a session instead of a key', async () => {
    expect((await itself(alice.token)).body.code).toBe('not_found')
  })

  it('include the last use to the minute, never before the creation; a notice reports each new address once', async () => {
    app.ctx.clock.jump(90_500 - (app.ctx.now() % 60_000))
    const { secret } = await make()
    await itself(secret, { 'user-agent': 'my-bot/1.0' })
    await itself(secret, { 'user-agent': 'my-bot/1.0' })
    const { keys } = (await app.call(calls.keys, { token: alice.token })).body.data
    expect(keys[0]).toMatchObject({
      used_at: keys[0]?.created_at,
      used_address: '127.0.0.1',
      used_client: 'my-bot/1.0',
    })
    expect((await noticesOf(alice)).map(({ kind }) => kind)).toEqual(['key_used', 'key_made'])
  })
})

describe('a key is revoked', () => {
  it('by its user, immediately', async () => {
    const [one, two] = [await make(), await make()]
    expect((await itself(one.secret)).status).toBe(200)
    await app.call(calls.endKey, { token: alice.token, params: { id: one.id } })
    expect((await itself(one.secret)).status).toBe(401)
    expect((await itself(two.secret)).status).toBe(200)
    const reply = await app.call(calls.endKeys, { token: alice.token })
    expect(reply.body.data).toEqual({ ended: 1 })
    expect((await itself(two.secret)).status).toBe(401)
    const again = await app.call(calls.endKey, { token: alice.token, params: { id: one.id } })
    expect(again.body.code).toBe('not_found')
  })

  it('but not by another user', async () => {
    const { id, secret } = await make()
    const mallory = await app.verifiedUser('mallory')
    const reply = await app.call(calls.endKey, { token: mallory.token, params: { id } })
    expect(reply.body.code).toBe('not_found')
    await app.call(calls.endKeys, { token: mallory.token })
    expect((await itself(secret)).status).toBe(200)
  })

  it('at its expiry, which a notice announces a week before', async () => {
    const { secret } = await make({ days: 30 })
    await tellReviews(app.ctx.db, app.ctx.now())
    app.ctx.clock.jump(23 * DAY_MS)
    await tellReviews(app.ctx.db, app.ctx.now())
    await tellReviews(app.ctx.db, app.ctx.now())
    const notices = await app.ctx.db.selectFrom('notice').select('kind').where('kind', '=', 'key_ends').execute()
    expect(notices.length).toBe(1)
    app.ctx.clock.jump(7 * DAY_MS - 1)
    expect((await itself(secret)).status).toBe(200)
    app.ctx.clock.jump(1)
    expect((await itself(secret)).status).toBe(401)
  })

  const EVENTS: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    [
      'a new password',
      'password',
      () =>
        app.call(calls.changePassword, {
          token: alice.token,
          body: { current_password: TEST_PASSWORD, password: 'violet-1799', password_confirmation: 'violet-1799' },
        }),
    ],
    [
      'a block',
      'blocked',
      async () => {
        const owner = await app.staff('owner')
        const params = { id: alice.id }
        const { version } = (await owner.call(staffCalls.staffUser, { params })).body.data
        const body = { version, allowed: false, reason: 'Please call us.' }
        return owner.call(staffCalls.staffSetLogInAllowed, { params, body })
      },
    ],
    [
      'an exclusion',
      'excluded',
      () => app.call(calls.takeExclusion, { token: alice.token, body: { months: 6, understood: true } }),
    ],
    [
      'a removed second step',
      'second_step',
      async () => {
        const { db } = app.ctx
        await db
          .insertInto('user_authenticator')
          .values({ user_id: alice.id, secret: 'x', is_on: true, created_ms: app.ctx.now() })
          .execute()
        return turnOffAuthenticator(app.ctx, alice.id)
      },
    ],
  ]
  it.each(EVENTS)('by %s immediately, with a notice to its user', async (_, reason, act) => {
    const { id, secret } = await make({ name: 'my bot' })
    expect((await itself(secret)).status).toBe(200)
    await act()
    expect(await endOf(id)).toBe(reason)
    expect((await itself(secret)).body.code).toBe('not_signed_in')
    const rows = await app.ctx.db.selectFrom('notice').select(['kind', 'data']).where('subject', '=', id).execute()
    expect(rows).toContainEqual({ kind: 'key_ended', data: { name: 'my bot', key_end: reason } })
  })

  it('for good: the database role of the server cannot undo the revocation or change the key', async () => {
    const { id } = await make()
    await app.call(calls.endKey, { token: alice.token, params: { id } })
    const { db } = app.ctx
    const change = (values: object) => db.updateTable('api_key').set(values).where('id', '=', id).execute()
    await expect(change({ end_reason: null })).rejects.toThrow(/it has ended/)
    await expect(change({ ended_ms: null })).rejects.toThrow(/permission denied/)
    await expect(change({ scope: 'trade' })).rejects.toThrow(/permission denied/)
    await expect(change({ expires_ms: 1 })).rejects.toThrow(/permission denied/)
    await expect(change({ addresses: [] })).rejects.toThrow(/permission denied/)
    await expect(db.deleteFrom('api_key').execute()).rejects.toThrow(/permission denied/)
  })
})

it('a key that sends requests too fast gets a reply with its rate and the time to continue', async () => {
  const { secret } = await make()
  const replies = []
  for (let at = 0; at <= KEY_LIMITS.read.burst; at += 1) replies.push(await itself(secret))
  const last = replies.at(-1)
  expect(replies.filter(({ status }) => status === 200).length).toBe(KEY_LIMITS.read.burst)
  expect([last?.status, last?.body.code]).toEqual([429, 'rate_limited'])
  expect(last?.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-policy': '"read";q=60;w=3',
    ratelimit: '"read";r=0;t=1',
  })
  app.ctx.clock.advance(1_000)
  expect((await itself(secret)).status).toBe(200)
})

describe('a key that a thief uses', () => {
  it('cannot use up the calls that its owner needs to end the key', async () => {
    await app.stop()
    app = await createTestApp(database, { perAccount: { perSecond: 1, burst: 20 } })
    alice = await app.verifiedUser('carol')
    const { id, secret } = await make()
    for (let at = 0; at < KEY_LIMITS.read.burst; at += 1) expect((await itself(secret)).status).toBe(200)
    expect((await itself(secret)).status).toBe(429)
    for (let at = 0; at < 20; at += 1)
      expect((await app.call(calls.profile, { token: secret })).body.code).toBe('key_not_allowed')
    expect((await app.call(calls.endKey, { token: alice.token, params: { id } })).status).toBe(200)
  })

  it('cannot use up the reads of statements and figures that its owner has', async () => {
    const { secret } = await make()
    const query = { from: '2026-01-01', to: '2026-01-02', zone: 'UTC' }
    const read = async (token: string) => [
      (await app.call(calls.statement, { token, query })).status,
      (await app.call(calls.figures, { token, query })).status,
    ]
    for (let at = 0; at < 20; at += 1) expect(await read(secret)).not.toContain(429)
    expect(await read(secret)).toEqual([429, 429])
    expect(await read(alice.token)).not.toContain(429)
  })
})

it('on a live site no key can trade, not even a key that was created for trading', async () => {
  const { secret } = await make({ scope: 'trade', anywhere: true })
  const site = { ctx: app.ctx, mode: 'live' } as const
  const user = await createKeyAuthentication(site).authenticate(secret, {
    address: '127.0.0.1',
    userAgent: '',
    country: null,
  })
  expect(user?.key?.scope).toBe('read')
  const isConfirmed = async () => true
  const form = { name: 'bot', scope: 'trade', days: 7, addresses: [], anywhere: true } as const
  expect(await makeKey(site, { userId: alice.id, isConfirmed }, { ...form, addresses: [] })).toEqual({
    ok: false,
    refusal: 'key_read_only',
  })
})

it('revokes a key after five uses in an hour from addresses not on its list, not after four', async () => {
  const { id, secret } = await make({ addresses: ['198.51.100.0/24'] })
  for (let use = 0; use < 4; use += 1) expect((await itself(secret)).status).toBe(401)
  app.ctx.clock.jump(HOUR_MS + 1)
  for (let use = 0; use < 4; use += 1) await itself(secret)
  expect(await endOf(id)).toBeNull()
  await itself(secret)
  expect(await endOf(id)).toBe('foreign')
})
