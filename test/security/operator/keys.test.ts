import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { MESSAGE_KEYS } from '#contract/live/app-socket.ts'
import { formatApiKey, MAX_FOREIGN_USES } from '#core/accounts/api-keys.ts'
import { money } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { listActions } from '#server/audit/audit.queries.ts'
import { createKeyOrders } from '#server/users/keys/key-orders.ts'
import { hashKeySecret } from '#server/users/keys/authenticate-key.ts'
import { type AttackBench, openAttackBench, type RawClient } from '#test/security/attack-harness.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { makeTestKey, type WantedKey } from '#test/support/test-keys.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let alice: TestUser
const held = new Map<KeyKind, string>()
const KINDS = ['unknown', 'read', 'trade', 'ended', 'expired', 'elsewhere'] as const
type KeyKind = (typeof KINDS)[number]

beforeAll(async () => {
  bench = await openAttackBench(database)
  await bench.priced(9_400_000)
  alice = await bench.funded(1_000, 'alice')
  const past = bench.app.ctx.now() - 8 * DAY_MS
  const expired = { id: 'e'.repeat(16), secret: 'E'.repeat(43) }
  await database.db
    .insertInto('api_key')
    .values({
      user_id: alice.id,
      id: expired.id,
      secret_hash: hashKeySecret(expired.secret),
      name: 'old',
      scope: 'trade',
      addresses: [],
      created_ms: past,
      expires_ms: past + 7 * DAY_MS,
    })
    .execute()
  const over = await make({})
  await bench.app.call(calls.endKey, { token: alice.token, params: { id: over.id } })
  held.set('unknown', `fwk_${'0'.repeat(16)}_${'A'.repeat(43)}`)
  held.set('read', (await make({})).secret)
  held.set('trade', (await make({ scope: 'trade', anywhere: true })).secret)
  held.set('ended', over.secret)
  held.set('expired', formatApiKey(expired))
  // This key allows another address only, because the test calls from 127.0.0.1.
  held.set('elsewhere', (await make({ scope: 'trade', addresses: ['198.51.100.7'] })).secret)
})
afterAll(async () => {
  await bench.close()
})

const make = (wanted: WantedKey) => makeTestKey(bench.app, alice, wanted)

const addressOf = (path: string) => `/api${path.replace(/:\w+/g, '0')}`
const bearer = (kind: KeyKind) => ({ authorization: `Bearer ${held.get(kind)}` })

/** Returns all data of a user that a key must not change. */
async function accountOf({ id }: TestUser) {
  const { db } = bench.app.ctx
  const user = await db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const count = async (table: 'deposit' | 'withdrawal' | 'session' | 'api_key' | 'open_order' | 'self_limit_change') =>
    (await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length
  const balance = await db
    .selectFrom('balance')
    .select(['cash', 'staked', 'withdrawing'])
    .where('user_id', '=', id)
    .execute()
  const tables = ['deposit', 'withdrawal', 'session', 'api_key', 'open_order', 'self_limit_change'] as const
  return { user, balance, counts: await Promise.all(tables.map(count)) }
}

describe('A150: attack: keys that are used for more than their scope allows', () => {
  it.each(KINDS)('A150: attack: every call of the app made with a key that is %s', async (kind) => {
    const before = await accountOf(alice)
    for (const call of Object.values<Call>(calls)) {
      // Five uses from another address would revoke the key, so their count is reset before each call.
      if (kind === 'elsewhere')
        await bench.app.ctx.db.updateTable('api_key').set({ foreign_ms: [] }).where('user_id', '=', alice.id).execute()
      // 200 ms between two calls are slow enough for the rate limit of a key.
      bench.app.ctx.clock.advance(200)
      const { status, body } = await bench.app.inject({
        method: call.method,
        url: addressOf(call.path),
        headers: bearer(kind),
        ...(call.method === 'POST' && { payload: {} }),
      })
      const cell = `${call.method} ${call.path} (${call.key}) with ${kind}: ${status} ${body.code ?? ''}`
      if (kind !== 'read' && kind !== 'trade') expect([status, body.code], cell).toEqual([401, 'not_signed_in'])
      else if (call.key === 'never' || (call.key === 'trade' && kind === 'read'))
        expect([status, body.code], cell).toEqual([422, 'key_not_allowed'])
      else expect(['key_not_allowed', 'not_signed_in', 'not_verified', 'rate_limited'], cell).not.toContain(body.code)
      expect(status, cell).not.toBe(500)
    }
    expect(await accountOf(alice)).toEqual(before)
  })

  it.each(['unknown', 'read', 'trade', 'ended'] as const)(
    'A150: attack: every call of the back office with a key that is %s, also beside the cookie of the owner',
    async (kind) => {
      const owner = await bench.app.staff('owner')
      for (const call of Object.values<StaffCall>(staffCalls)) {
        for (const headers of [bearer(kind), { ...bearer(kind), cookie: owner.cookie }]) {
          const { status, body } = await bench.app.inject({
            method: call.method,
            url: addressOf(call.path),
            headers,
            ...(call.method === 'POST' && { payload: {} }),
          })
          expect([status, body.code], `${call.method} ${call.path}`).toEqual([422, 'key_not_allowed'])
        }
      }
    },
  )

  it.each(KINDS)('A150: attack: every message of the socket sent with a key that is %s', async (kind) => {
    const client = await bench.connect()
    const token = held.get(kind)
    bench.app.ctx.clock.advance(1_000)
    await bench.app.ctx.db.updateTable('api_key').set({ foreign_ms: [] }).where('user_id', '=', alice.id).execute()
    await bench.priced(9_400_000)
    const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC', clientOrderId: `of-${kind}` }
    const replies = {
      subscribe: 'error',
      ping: kind === 'read' || kind === 'trade' ? 'pong' : 'error',
      seen: 'error',
      newTrade: 'newTrade',
    }
    for (const [action, type] of Object.entries(replies)) {
      const before = client.answers(type).length
      client.send({ action, token, ...(action === 'newTrade' && { data }), ...(action === 'seen' && { ids: [] }) })
      const isSilent = (action === 'subscribe' || action === 'seen') && (kind === 'trade' || kind === 'read')
      if (isSilent && !(action === 'seen' && kind === 'read')) continue
      await bench.until(() => client.answers(type).length > before)
      const code = client.answers(type).at(-1)?.code
      const use = MESSAGE_KEYS[action as keyof typeof replies]
      if (kind !== 'read' && kind !== 'trade') expect([action, code]).toEqual([action, 'not_signed_in'])
      else expect([action, code]).toEqual([action, use === 'trade' && kind === 'read' ? 'key_not_allowed' : undefined])
    }
    const accepted = client.answers('newTrade').filter(({ status }) => status === 'success')
    expect(accepted.length).toBe(kind === 'trade' ? 1 : 0)
    client.ws.close()
  })

  it('A150: attack: a key used to confirm its user, and a key used to create another key', async () => {
    const body = { password: alice.password }
    const confirmed = await bench.app.call(calls.securityConfirm, { token: held.get('trade'), body })
    expect([confirmed.status, confirmed.body.code]).toEqual([422, 'key_not_allowed'])
    const another = await bench.app.call(calls.makeKey, {
      token: held.get('trade'),
      body: { name: 'x', scope: 'read' },
    })
    expect([another.status, another.body.code]).toEqual([422, 'key_not_allowed'])
  })
})

describe('A151: attack: stolen or guessed keys', () => {
  it('A151: attack: neither the database nor a reply contains a key after its creation', async () => {
    const { id, secret } = await make({})
    const row = await bench.app.ctx.db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const [, , part = ''] = /^(fwk_\w{16}_)(.+)$/.exec(secret) ?? []
    expect(Buffer.from(row.secret_hash)).toEqual(createHash('sha256').update(part).digest())
    const listed = await bench.app.call(calls.keys, { token: alice.token })
    const texts = JSON.stringify([row, listed.body], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(texts).not.toContain(part)
    expect(texts).toContain(id)
  })

  it('A151: attack: a wrong secret and an unknown id get the same reply, and revoke no key', async () => {
    const { id, secret } = await make({})
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    const replies = []
    for (const token of [wrong, held.get('unknown'), `fwk_${id}`, 'fwk_'])
      replies.push(await bench.app.call(calls.keyItself, { token }))
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect((await bench.app.call(calls.keyItself, { token: secret })).status).toBe(200)
  })

  it('A151: attack: a forged X-Forwarded-For does not bypass the address list, and five uses from unlisted addresses revoke the key', async () => {
    const { id, secret } = await make({ scope: 'trade', addresses: ['198.51.100.7'] })
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-real-ip': '198.51.100.7', forwarded: 'for=198.51.100.7' }
    for (let use = 0; use < MAX_FOREIGN_USES; use += 1) {
      const reply = await bench.app.call(calls.keyItself, { token: secret, headers })
      expect(reply.status).toBe(401)
    }
    expect(await endOf(id)).toBe('foreign')
    const { notices } = (await bench.app.call(calls.notices, { token: alice.token })).body.data
    expect(notices[0]).toMatchObject({ kind: 'key_ended' })
    expect(notices[0]?.text).toContain('five times')
  })

  it('A151: attack: four uses from unlisted addresses in an hour, and a fifth after the hour, do not revoke the key', async () => {
    const { id, secret } = await make({ addresses: ['198.51.100.0/24'] })
    for (let use = 0; use < MAX_FOREIGN_USES - 1; use += 1) await bench.app.call(calls.keyItself, { token: secret })
    bench.app.ctx.clock.jump(3_600_001)
    await bench.app.call(calls.keyItself, { token: secret })
    expect(await endOf(id)).toBeNull()
  })

  it.each([
    ['in a query', (key: string) => `/api/user/crypto-currency/list?token=${key}`],
    ['in the path of a page', (key: string) => `/trade/${key}`],
    ['escaped', (key: string) => `/api/user/key?key=${key.replaceAll('_', '%5F')}`],
  ])('A151: attack: a key %s is refused and revoked', async (_, urlOf) => {
    const { id, secret } = await make({})
    expect((await bench.app.call(calls.keyItself, { token: secret })).status).toBe(200)
    const reply = await fetch(`${bench.address}${urlOf(secret)}`)
    expect([reply.status, await reply.json()]).toMatchObject([422, { code: 'key_in_address' }])
    const next = await bench.app.call(calls.keyItself, { token: secret })
    expect([next.status, next.body.code]).toEqual([401, 'not_signed_in'])
    expect(await endOf(id)).toBe('shown')
  })

  it('A151: attack: a key in the address of a socket is refused and revoked', async () => {
    const { id, secret } = await make({})
    const reply = await bench.raw(
      `GET /ws/app?token=${secret} HTTP/1.1\r\nHost: 127.0.0.1:${bench.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
    )
    expect(reply).toContain('HTTP/1.1 422')
    await vi.waitFor(async () => expect(await endOf(id)).toBe('shown'))
  })

  it('A151: attack: an address with the right id and a wrong secret revokes no key', async () => {
    const { id, secret } = await make({})
    await fetch(`${bench.address}/trade/fwk_${id}_${'A'.repeat(43)}`)
    await fetch(`${bench.address}/trade/fwk_${id}`)
    expect((await bench.app.call(calls.keyItself, { token: secret })).status).toBe(200)
  })
})

async function endOf(id: string): Promise<string | null> {
  const row = await bench.app.ctx.db
    .selectFrom('api_key')
    .select('end_reason')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.end_reason
}

describe('A153: attack: an operator and the keys of users', () => {
  it('A153: attack: no call of staff creates a key, and none returns the secret or its hash', async () => {
    const { id, secret } = await make({})
    const named = Object.values<StaffCall>(staffCalls).filter(({ path }) => path.includes('/keys'))
    expect(named).toEqual([staffCalls.staffUserKeys, staffCalls.staffEndUserKey])
    const owner = await bench.app.staff('owner')
    const { body } = await owner.call(staffCalls.staffUserKeys, { params: { id: alice.id } })
    expect(body.data.keys.map((key) => key.id)).toContain(id)
    const hash = Buffer.from(hashKeySecret(secret.slice(-43)))
    for (const text of [secret.slice(-43), hash.toString('hex'), hash.toString('base64')])
      expect(JSON.stringify(body)).not.toContain(text)
  })

  it('A153: attack: a key revoked by staff loses its sockets immediately, and leaves a notice and an audit entry', async () => {
    const { id, secret } = await make({ scope: 'trade', anywhere: true, name: 'ended by staff' })
    const client = await bench.connect()
    client.send({ action: 'subscribe', token: secret })
    client.send({ action: 'ping', token: secret })
    await bench.until(() => client.answers('pong').length === 1)
    const owner = await bench.app.staff('owner')
    const params = { id: alice.id, key: id }
    const silent = await owner.call(staffCalls.staffEndUserKey, { params, body: { reason: '' } })
    expect([silent.body.code, await endOf(id)]).toEqual(['reason_needed', null])
    await owner.call(staffCalls.staffEndUserKey, { params, body: { reason: 'The user lost it.' } })
    await bench.until(() => client.closed === 1008)
    expect(await endOf(id)).toBe('staff')
    const { notices } = (await bench.app.call(calls.notices, { token: alice.token })).body.data
    expect(notices[0]).toMatchObject({ kind: 'key_ended' })
    const [entry] = await listActions(bench.app.ctx.db, 1)
    expect(entry).toMatchObject({ what: 'users/:id/keys/:key/end', target: alice.id, reason: 'The user lost it.' })
  })
})

describe('A152: attack: programs that place more orders than their user allows', () => {
  /** Opens a socket with an API key. Returns functions that place orders on this socket and read the replies. */
  async function trader(wanted: WantedKey) {
    const owner = await bench.funded(1_000)
    const key = await makeTestKey(bench.app, owner, { scope: 'trade', anywhere: true, ...wanted })
    const client = await bench.connect()
    client.send({ action: 'subscribe', token: key.secret })
    client.send({ action: 'ping', token: key.secret })
    await bench.until(() => client.answers('pong').length === 1)
    const order = (clientOrderId: string | undefined, amount = 10) => {
      const data = { type: 'buy', tradeSettingId: 1, amount, symbol: 'BTC', clientOrderId }
      client.send({ action: 'newTrade', token: key.secret, data })
    }
    const replies = () => client.answers('newTrade')
    const placed = () => replies().filter(({ status }) => status === 'success')
    return { owner, key, client, order, replies, placed }
  }
  /** Sends orders one after the other, slowly enough for the rate limit of the key. */
  async function placeSlowly(one: Awaited<ReturnType<typeof trader>>, ids: readonly string[], amount = 10) {
    for (const id of ids) {
      const before = one.replies().length
      bench.app.ctx.clock.advance(250)
      await bench.priced(9_400_000)
      one.order(id, amount)
      await bench.until(() => one.replies().length > before)
    }
  }

  it('A152: attack: an order without an id is refused, so that a repeat cannot place a second order', async () => {
    const one = await trader({})
    await bench.priced(9_400_000)
    one.order(undefined)
    await bench.until(() => one.replies().length === 1)
    expect(one.replies()[0]).toMatchObject({ status: 'error', code: 'field_required', field: 'clientOrderId' })
  })

  it('A152: attack: one order sent ten times concurrently is placed once, and an eleventh request is rate limited', async () => {
    const one = await trader({})
    await bench.priced(9_400_000)
    for (let turn = 0; turn < 11; turn += 1) one.order('same')
    await bench.until(() => one.replies().length === 11)
    expect(one.placed().length).toBe(10)
    expect(new Set(one.placed().map(({ data }) => JSON.stringify({ ...Object(data), user_balance: 0 }))).size).toBe(1)
    expect(one.replies().filter(({ code }) => code === 'rate_limited').length).toBe(1)
    expect((await bench.moneyOf(one.owner)).staked).toBe(10)
  })

  it.each([
    ['the largest stake', { max_stake: 20 }, 20.01, 0],
    ['the stakes of a day', { max_stake_day: 35 }, 10, 3],
    ['open orders', { max_open_orders: 2 }, 10, 2],
  ])('A152: attack: orders that exceed %s of a key are refused', async (_, wanted, amount, most) => {
    const one = await trader(wanted)
    await placeSlowly(one, ['a', 'b', 'c', 'd', 'e'], amount)
    expect(one.placed().length).toBe(most)
    const refused = one.replies().filter(({ status }) => status === 'error')
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['key_cap_reached']))
  })

  it('A152: attack: two hundred concurrent orders do not exceed the daily stake limit of a key', async () => {
    const { key, owner } = await trader({ max_stake_day: 35 })
    const orders = createKeyOrders(bench.app.ctx)
    let accepted = 0
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        orders.place(key.id, { userId: owner.id, clientOrderId: `race-${at}`, stake: money(1_000n) }, async () => {
          accepted += 1
          return ok(at)
        }),
      ),
    )
    expect(accepted).toBe(3)
    expect(results.filter((result) => !result.ok && result.refusal === 'key_cap_reached').length).toBe(197)
  })

  it('A152: attack: a refused order does not use up the daily stake limit, nor does another stake under the same id', async () => {
    const { key, owner } = await trader({ max_stake_day: 35 })
    const orders = createKeyOrders(bench.app.ctx)
    const place = (clientOrderId: string, stake: bigint, isAccepted: boolean) =>
      orders.place(key.id, { userId: owner.id, clientOrderId, stake: money(stake) }, async () =>
        isAccepted ? ok() : refuse('market_closed'),
      )
    for (let turn = 0; turn < 10; turn += 1) await place('refused', 3_000n, false)
    expect((await place('refused', 3_500n, true)).ok).toBe(true)
    expect(await place('refused', 1n, true)).toEqual({ ok: false, refusal: 'order_conflict' })
    expect(await place('more', 1n, true)).toEqual({ ok: false, refusal: 'key_cap_reached' })
  })

  it('A152: only the user of a key sees which orders the key placed', async () => {
    const one = await trader({ name: 'grid bot' })
    await placeSlowly(one, ['by-key'])
    const client = await bench.connect()
    const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC', clientOrderId: 'by-hand' }
    client.send({ action: 'newTrade', token: one.owner.token, data })
    await bench.until(() => client.answers('newTrade').length === 1)
    const own = await bench.app.call(calls.pendingTransactions, { token: one.owner.token })
    const marks = own.body.data.transactions.map(({ via, key_name: name }) => [via, name])
    expect(marks).toHaveLength(2)
    expect(marks).toEqual(
      expect.arrayContaining([
        ['key', 'grid bot'],
        [undefined, undefined],
      ]),
    )
    const { trades } = (await bench.app.call(calls.latestTrades, { body: { currency: 'BTC' } })).body.data
    expect(JSON.stringify(trades)).not.toMatch(/grid bot|"via"/)
  })

  it('A152: attack: a key can have five sockets open, and a sixth socket gets no results', async () => {
    const { key } = await trader({})
    const clients: RawClient[] = []
    for (let at = 1; at <= 5; at += 1) {
      const client = await bench.connect()
      client.send({ action: 'subscribe', token: key.secret })
      client.send({ action: 'ping', token: key.secret })
      await bench.until(() => client.answers('pong').length === 1)
      clients.push(client)
    }
    await bench.until(() => clients.at(-1)?.answers('error').length === 1)
    expect(clients.map((client) => client.answers('error')[0]?.code)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      'key_sockets',
    ])
  })

  it('A152: attack: the limit of five sockets holds for sockets that subscribe at the same time', async () => {
    const owner = await bench.funded(1_000)
    const key = await makeTestKey(bench.app, owner, { scope: 'trade', anywhere: true })
    const clients = await Promise.all(Array.from({ length: 6 }, () => bench.connect()))
    for (const client of clients) client.send({ action: 'subscribe', token: key.secret })
    await bench.until(() => clients.some((client) => client.answers('error').length > 0))
    for (const client of clients) client.send({ action: 'ping', token: key.secret })
    await bench.until(() => clients.every((client) => client.answers('pong').length === 1))
    expect(clients.flatMap((client) => client.answers('error').map(({ code }) => code))).toEqual(['key_sockets'])
  })

  it('A152: attack: the sockets of a key close when the key is revoked, even by another server', async () => {
    const [own, elsewhere] = [await trader({}), await trader({})]
    await bench.app.call(calls.endKey, { token: own.owner.token, params: { id: own.key.id } })
    await bench.until(() => own.client.closed === 1008)
    await bench.app.ctx.db
      .updateTable('api_key')
      .set({ end_reason: 'owner' })
      .where('id', '=', elsewhere.key.id)
      .execute()
    const before = bench.app.ctx.now()
    await bench.until(() => elsewhere.client.closed === 1008, 100)
    expect(bench.app.ctx.now() - before).toBeLessThanOrEqual(5_000)
  })

  it('A152: attack: a running program places no order after its user took an exclusion', async () => {
    const one = await trader({})
    await placeSlowly(one, ['before'])
    await bench.app.call(calls.takeExclusion, { token: one.owner.token, body: { months: 6, understood: true } })
    await bench.priced(9_400_000)
    one.order('after')
    await bench.until(() => one.replies().length === 2 || one.client.closed === 1008)
    expect(one.placed().length).toBe(1)
    await bench.until(() => one.client.closed === 1008, 100)
  })
})
