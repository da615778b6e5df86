import { Agent } from 'node:https'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { NOTICE_KINDS, type NoticeKind, PUSH_TOPICS, type PushTopic, pushTopic } from '#core/accounts/notices.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { createOutgoing, type Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { renewPushKey } from '#server/users/push/push-keys.queries.ts'
import { claimPushes } from '#server/users/push/push-deliveries.queries.ts'
import { deleteSilentDevices } from '#server/users/push/push-subscriptions.queries.ts'
import { type PushService, startPushService } from '#test/support/push/push-service.ts'
import { sendDuePushes } from '#test/support/send-pushes.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { testCertificate } from '#test/support/test-certificate.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const HOST = 'prices.example.com'
const CHROME = 'Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36'
const database = useTestDatabase()
let service: PushService
let outgoing: Outgoing
let app: TestApp
let user: TestUser
/** The IP address that the host name of the push service resolves to. */
let address: string
beforeEach(async () => {
  address = '127.0.0.1'
  service = await startPushService({ host: HOST, certificate: testCertificate })
  outgoing = createOutgoing({
    clock: { now: () => app.ctx.now(), after: (ms, run) => app.ctx.clock.after(ms, run) },
    privateAddresses: ['127.0.0.1'],
    lookUp: (host) => Promise.resolve([{ address: host === HOST ? address : '10.0.0.1', family: 4 }]),
    agent: new Agent({ ca: testCertificate.cert }),
  })
  app = await createTestApp(database, { outgoing, environment: { FAIRWICK_PUSH_HOSTS: HOST } })
  user = await app.verifiedUser('alice')
})
afterEach(async () => {
  assert(service.broken.length === 0, `the push service understands every message: ${service.broken[0] ?? ''}`)
  service.stop()
  await app.stop()
})

const send = () => sendDuePushes(app, outgoing)
const state = async ({ token } = user) => (await app.call(calls.push, { token })).body.data
const post = (body: object, token = user.token) =>
  app.call(calls.subscribePush, { token, body: { zone: 'UTC', ...body } as never })

/** Turns notices on for the device of a session, as its browser does. */
async function subscribe(token = user.token): Promise<{ id: string; endpoint: string }> {
  const browser = service.subscribe((await state({ ...user, token })).key)
  const { body } = await post(browser, token)
  const own = body.data.devices.find(({ current }) => current)
  return { id: own?.id ?? '', endpoint: browser.endpoint }
}
const choose = (topic: PushTopic, push: boolean, token = user.token) =>
  app.call(calls.choosePush, { token, body: { topic, push } })
const tryOut = (id: string, token = user.token) => app.call(calls.testPush, { token, params: { id } })
const change = (id: string, more: object) =>
  app.call(calls.changePush, {
    token: user.token,
    params: { id },
    body: { amounts: false, quiet: null, zone: 'UTC', ...more },
  })
async function login(): Promise<{ token: string }> {
  const body = { username: 'alice', password: TEST_PASSWORD }
  const { data } = (await app.call(calls.login, { body, headers: { 'user-agent': CHROME } })).body
  assert('token' in data, 'there is no second step')
  return data
}
const tell = (kind: string, { subject = 'x', facts = '{}', userId = user.id, at = app.ctx.now() } = {}) =>
  database.asOwner((owner) =>
    sql`select tell(${userId}, ${kind}, ${subject}, ${facts}::jsonb, ${at}::int8)`.execute(owner),
  )
/** Writes one notice of each kind to the user. */
const tellAll = (subject: string, facts = '{}') =>
  database.asOwner((owner) =>
    sql`select tell(${user.id}, kind, ${subject}, ${facts}::jsonb, ${app.ctx.now()}::int8)
      from unnest(${Object.keys(NOTICE_KINDS)}::text[]) as kind`.execute(owner),
  )
const waiting = async () =>
  await database.db
    .selectFrom('notice_delivery')
    .select(['tries', 'next_ms', 'is_held'])
    .where('channel', '=', 'push')
    .execute()
const devices = async () => (await state()).devices.map(({ id }) => id)
const titles = () => service.messages.map(({ notification }) => notification.body)

describe('a message to a device', () => {
  it('US3.7: is signed, encrypted for its browser, in the language of its user, and leads to the notice', async () => {
    await database.db.updateTable('app_user').set({ language: 'ar' }).where('id', '=', user.id).execute()
    const { endpoint } = await subscribe()
    await tell('security_changed', { facts: '{"what":"pin"}' })
    await send()
    const { notices, unread } = (await app.call(calls.notices, { token: user.token })).body.data
    const id = notices[0]?.id ?? ''
    expect(service.messages).toMatchObject([
      {
        endpoint,
        topic: id.replaceAll('-', ''),
        ttl: DAY_MS / SECOND_MS,
        urgency: 'high',
        notification: {
          title: 'Fairwick',
          lang: 'ar',
          dir: 'rtl',
          tag: id.replaceAll('-', ''),
          navigate: `https://example.com/n/${id}`,
          app_badge: String(unread),
        },
      },
    ])
    expect(await waiting()).toEqual([])
    expect((await state()).devices).toMatchObject([{ current: true, last_ok: new Date(app.ctx.now()).toISOString() }])
    const opened = await app.call(calls.notices, { token: user.token, query: { id } })
    expect(opened.body.data.notices).toMatchObject([{ id, link: '/account/security' }])
  })

  it('US3.7: contains no digit and no symbol, for every kind in every language, until the user wants them', async () => {
    const { id } = await subscribe()
    await change(id, {})
    for (const topic of PUSH_TOPICS) await choose(topic, true)
    const facts = '{"amount":123400,"trx":"FW-12345","symbol":"BTC","price":9400000,"level":9400000,"orders":3}'
    for (const language of LANGUAGE_CODES) {
      await database.db.updateTable('app_user').set({ language }).where('id', '=', user.id).execute()
      await tellAll(language, facts)
      await send()
    }
    expect(service.messages).toHaveLength(Object.keys(NOTICE_KINDS).length * LANGUAGE_CODES.length)
    for (const { notification } of service.messages) {
      expect(notification.title).toBe('Fairwick')
      expect(notification.body, notification.lang).toMatch(/^[^\p{Nd}$]{4,}$/u)
      expect(notification.body).not.toContain('BTC')
    }
    service.messages.length = 0
    await change(id, { amounts: true })
    await tell('deposit_credited', { subject: 'with amounts', facts })
    await send()
    expect(service.messages[0]?.notification.body).toContain('$1,234.00')
  })

  it('a message is at most 3 KB long, whatever an operator writes', async () => {
    const { id } = await subscribe()
    await change(id, { amounts: true })
    await choose('deposits', true)
    await tell('deposit_rejected', { facts: JSON.stringify({ words: '💸'.repeat(3_000) }) })
    await send()
    expect(Buffer.byteLength(service.messages[0]?.text ?? '')).toBeLessThan(3_072)
  })

  it('the database sends only topics that the user chose, and assigns each kind of notice to the same topic as the code', async () => {
    await subscribe()
    await change((await devices())[0] ?? '', {})
    const sentKinds = async (subject: string) => {
      await tellAll(subject)
      const rows = await database.db
        .selectFrom('notice_delivery as d')
        .innerJoin('notice as n', 'n.id', 'd.notice_id')
        .select('n.kind')
        .where('d.channel', '=', 'push')
        .execute()
      await database.db.deleteFrom('notice_delivery').execute()
      return rows.map(({ kind }) => kind).toSorted()
    }
    const kindsOf = (topic: PushTopic) =>
      (Object.keys(NOTICE_KINDS) as NoticeKind[]).filter((kind) => pushTopic(kind) === topic).toSorted()
    expect((await state()).topics.filter(({ push }) => push)).toEqual([{ topic: 'security', push: true }])
    expect(await sentKinds('first')).toEqual(kindsOf('security'))
    await choose('security', false)
    for (const topic of PUSH_TOPICS) {
      await choose(topic, true)
      expect(await sentKinds(topic), topic).toEqual(kindsOf(topic))
      await choose(topic, false)
    }
  })

  it('about an order is not sent during a break, and goes to no device of another user', async () => {
    const other = await app.verifiedUser('bob')
    await subscribe(other.token)
    await choose('results', true, other.token)
    await subscribe()
    await choose('results', true)
    await app.call(calls.takeTimeOut, { token: user.token, body: { days: 1 } })
    await tell('orders_ended', { facts: '{"orders":2}' })
    expect(await waiting()).toEqual([])
  })
})

describe('sending once', () => {
  it('US3.8: sends each message once when several servers send at the same time', async () => {
    await subscribe()
    for (let nth = 0; nth < 30; nth += 1) await tell('security_changed', { subject: String(nth) })
    await Promise.all([send(), send(), send()])
    const topics = service.messages.map(({ topic }) => topic)
    expect([topics.length, new Set(topics).size]).toEqual([30, 30])
  })

  it('US3.8: when a server stops after it claimed a message, another server sends the message after one minute, with the same name', async () => {
    await subscribe()
    await tell('security_changed')
    const [claimed] = await claimPushes(app.ctx.db, app.ctx.now())
    await send()
    expect(service.messages).toEqual([])
    app.ctx.clock.jump(MINUTE_MS)
    await send()
    expect(service.messages.map(({ topic }) => topic)).toEqual([claimed?.noticeId.replaceAll('-', '')])
  })

  it('US3.8: tries again with longer pauses while the service fails, then gives up, and logs no address', async () => {
    const { endpoint } = await subscribe()
    await tell('security_changed')
    const pauses = [1, 2, 10, 60, 360]
    service.answer(
      endpoint,
      [500, 503, 429, 302, 500, 500].map((status) => ({ status })),
    )
    for (const [nth, minutes] of pauses.entries()) {
      await send()
      const next = BigInt(app.ctx.now() + minutes * MINUTE_MS)
      expect(await waiting()).toEqual([{ tries: nth + 1, next_ms: next, is_held: false }])
      app.ctx.clock.jump(minutes * MINUTE_MS)
    }
    await send()
    expect(await waiting()).toEqual([{ tries: 6, next_ms: null, is_held: false }])
    expect(service.messages).toEqual([])
    const lines = JSON.stringify(app.ctx.lines)
    expect(lines).toContain('a notice to a device was given up')
    expect(lines).not.toContain(HOST)
  })

  it('tries again only after the time that the push service asks for', async () => {
    const { endpoint } = await subscribe()
    await tell('security_changed')
    service.answer(endpoint, [{ status: 429, retryAfter: '3600' }])
    await send()
    app.ctx.clock.jump(59 * MINUTE_MS)
    await send()
    expect(service.messages).toEqual([])
    app.ctx.clock.jump(MINUTE_MS)
    await send()
    expect(service.messages).toHaveLength(1)
  })

  it.each([404, 410])(
    'US3.9: removes a device when its push service answers %i, and sends to the others',
    async (status) => {
      const { endpoint } = await subscribe()
      const second = await subscribe((await login()).token)
      await send()
      service.messages.length = 0
      await tell('security_changed')
      service.answer(endpoint, [{ status }])
      await send()
      expect(await devices()).toEqual([second.id])
      expect([service.messages.length, await waiting()]).toEqual([1, []])
    },
  )

  it('US3.9: a late reply about an old address leaves the device with its new address', async () => {
    const { id } = await subscribe()
    await send()
    await tell('security_changed')
    const late = {
      send: async () => {
        await subscribe()
        return { ok: false, status: 410, failure: 'status' } as const
      },
    }
    await sendDuePushes(app, late)
    expect(await devices()).toEqual([id])
  })

  it('sends the title alone when a message is too long for a push service', async () => {
    const { endpoint } = await subscribe()
    await tell('security_changed')
    service.answer(endpoint, [{ status: 413 }])
    await send()
    expect(titles()).toEqual([undefined])
    expect(service.messages[0]?.notification.title).toBe('Fairwick')
  })

  it('keeps a device whose push service refuses our key, and reports an error', async () => {
    const { id, endpoint } = await subscribe()
    await tell('security_changed')
    service.answer(endpoint, [{ status: 403 }])
    await send()
    expect(await devices()).toEqual([id])
    expect(JSON.stringify(app.ctx.lines)).toContain('a push service refuses the messages of this site')
  })

  it('US3.7: a message by which a user tries a device is sent at once, also in the quiet hours', async () => {
    const { id, endpoint } = await subscribe()
    await change(id, { quiet: { from: 0, to: 1_439 } })
    expect((await tryOut(id)).body.data).toEqual({ taken: true })
    expect(titles()).toEqual(['Notices reach this device.'])
    expect((await state()).devices[0]?.last_ok).not.toBeNull()
    service.answer(endpoint, [{ status: 503 }])
    expect((await tryOut(id)).body.data).toEqual({ taken: false })
    expect(await devices()).toEqual([id])
    service.answer(endpoint, [{ status: 410 }])
    expect((await tryOut(id)).body.data).toEqual({ taken: false })
    expect(await devices()).toEqual([])
    expect((await tryOut(id)).status).toBe(404)
  })

  it('US3.7: tries only a device of the user, at most ten times an hour', async () => {
    const { id } = await subscribe()
    const bob = await app.verifiedUser('bob')
    expect((await tryOut(id, bob.token)).status).toBe(404)
    for (let times = 0; times < 10; times += 1) expect((await tryOut(id)).status).toBe(200)
    expect((await tryOut(id)).body.code).toBe('too_many_attempts')
    expect(service.messages).toHaveLength(10)
  })

  it('US3.7: is signed with the key of its subscription when the site has a newer key', async () => {
    const old = await subscribe()
    const { key } = await state()
    const renewed = await renewPushKey(app.ctx)
    expect((await state()).key).toBe(renewed)
    expect(renewed).not.toBe(key)
    const young = await subscribe((await login()).token)
    for (const { id } of [old, young]) expect((await tryOut(id)).body.data).toEqual({ taken: true })
  })

  it('gives up a price alert after 10 minutes, and any other message after a day', async () => {
    await subscribe()
    await change((await devices())[0] ?? '', {})
    await choose('alerts', true)
    await tell('price_alert', { at: later(app.ctx.now(), -10 * MINUTE_MS) })
    await tell('security_changed', { at: later(app.ctx.now(), -DAY_MS) })
    await send()
    expect(service.messages).toEqual([])
    expect((await waiting()).map(({ next_ms }) => next_ms)).toEqual([null, null])
    await tell('price_alert', { subject: 'new', at: later(app.ctx.now(), -9 * MINUTE_MS) })
    await send()
    expect(service.messages.map(({ ttl }) => ttl)).toEqual([60])
  })

  it('US3.8: despite failing sends and stopping servers, each event gets at least one message, and a second only after a stop', async () => {
    const { endpoint } = await subscribe()
    const EVENTS = 120
    const answers = [201, 500, 429, 201, 503].map((status) => ({ status }))
    service.answer(
      endpoint,
      Array.from({ length: EVENTS }, (_, nth) => answers[(nth * 7) % 5] ?? null).filter((one) => one?.status !== 201),
    )
    for (let nth = 0; nth < EVENTS; nth += 1) await tell('security_changed', { subject: String(nth) })
    let stops = 0
    const stopsAfterwards: Pick<Outgoing, 'send'> = {
      async send(url, sent) {
        await outgoing.send(url, sent)
        throw new Error('the server stops')
      },
    }
    for (let round = 0; round < 8; round += 1) {
      // In rounds 0, 3 and 6, a server stops between claiming and sending messages. In round 1, another server stops
      // between sending a message and storing that it was sent.
      if (round % 3 === 0 && (await claimPushes(app.ctx.db, app.ctx.now())).length > 0) stops += 1
      if (round === 1) await sendDuePushes(app, stopsAfterwards)
      await Promise.all([send(), send()])
      app.ctx.clock.jump([MINUTE_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS][round] ?? 6 * HOUR_MS)
    }
    expect(stops).toBeGreaterThan(0)
    const counts = new Map<string, number>()
    for (const { topic } of service.messages) counts.set(topic, (counts.get(topic) ?? 0) + 1)
    expect(counts.size).toBe(EVENTS)
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(2)
    expect(await waiting()).toEqual([])
  })
})

describe('quiet hours', () => {
  const NIGHT = { from: 22 * 60, to: 8 * 60 }
  /** Moves the clock to an hour of the next day. */
  const goTo = (hour: number) => {
    const day = Math.floor(app.ctx.now() / DAY_MS) + 1
    app.ctx.clock.jump(day * DAY_MS + hour * HOUR_MS - app.ctx.now())
  }

  it('hold back messages and send one message about all of them at their end, but let messages about security through', async () => {
    await subscribe()
    await choose('deposits', true)
    await choose('alerts', true)
    goTo(23)
    for (const subject of ['1', '2', '3']) await tell('deposit_credited', { subject })
    await tell('price_alert')
    await tell('security_changed')
    await send()
    expect(service.messages.map(({ urgency }) => urgency)).toEqual(['high'])
    goTo(7)
    await send()
    expect(service.messages).toHaveLength(1)
    goTo(8)
    app.ctx.clock.jump(-DAY_MS)
    await Promise.all([send(), send()])
    expect(service.messages.slice(1).map(({ notification }) => [notification.body, notification.navigate])).toEqual([
      ['Several notices wait in your inbox.', 'https://example.com/inbox'],
    ])
    expect(await waiting()).toEqual([])
  })

  it('depend on the hours and the time zone of the device, and hold back no message when they are off', async () => {
    const { id } = await subscribe()
    await choose('deposits', true)
    goTo(12)
    await change(id, { quiet: NIGHT, zone: 'Asia/Tokyo' })
    await tell('deposit_credited', { subject: '1' })
    await send()
    goTo(14)
    await change(id, { quiet: NIGHT, zone: 'Asia/Tokyo' })
    await tell('deposit_credited', { subject: '2' })
    await send()
    expect(service.messages).toHaveLength(1)
    await change(id, { quiet: null })
    await tell('deposit_credited', { subject: '3' })
    await send()
    expect(service.messages).toHaveLength(2)
  })

  it('F6: follow a device into another time zone when the app starts there', async () => {
    await subscribe()
    await choose('deposits', true)
    await post({ ...service.subscribe((await state()).key), zone: 'Asia/Tokyo' })
    goTo(14)
    await tell('deposit_credited')
    await send()
    expect(service.messages).toEqual([])
    expect(await waiting()).toMatchObject([{ is_held: true }])
  })
})

describe('the address of a device', () => {
  it('AT40: must be an https URL of a known push service that resolves to a public address', async () => {
    const browser = service.subscribe((await state()).key)
    const { pathname } = new URL(browser.endpoint)
    const refused = [
      `http://${HOST}:${service.port}${pathname}`,
      `https://127.0.0.1${pathname}`,
      `https://[::1]${pathname}`,
      `https://inside.example.com${pathname}`,
      `https://${HOST}.example.org${pathname}`,
      `https://fcm.googleapis.com.example.org/x`,
      `https://evilpush.apple.com.example.org/x`,
      `https://user:password@${HOST}:${service.port}${pathname}`,
      // These are hosts of known push services, but in this test their names resolve to a private address.
      'https://fcm.googleapis.com/fcm/send/x',
      'https://web.push.apple.com/x',
      'no address',
    ]
    for (const endpoint of refused)
      expect((await post({ ...browser, endpoint })).body.code, endpoint).toBe('push_endpoint_refused')
    const wrongKeys = [
      { p256dh: browser.keys.p256dh.slice(1), auth: browser.keys.auth },
      { p256dh: `B${'A'.repeat(86)}`, auth: browser.keys.auth },
      { p256dh: browser.keys.p256dh, auth: 'short' },
    ]
    for (const keys of wrongKeys) expect((await post({ ...browser, keys })).body.code).toBe('push_endpoint_refused')
    expect((await post({ ...browser, key: 'B'.repeat(87) })).body.code).toBe('push_endpoint_refused')
    expect((await post({ ...browser, zone: 'Mars/Base' })).status).toBe(422)
    expect(await devices()).toEqual([])
    expect((await post(browser)).status).toBe(200)
  })

  it('AT40: is checked again for each message: none goes to a private address, and no redirect is followed', async () => {
    const { endpoint } = await subscribe()
    await tell('security_changed')
    address = '10.0.0.1'
    await send()
    expect(service.messages).toEqual([])
    address = '127.0.0.1'
    app.ctx.clock.jump(MINUTE_MS)
    service.answer(endpoint, [{ status: 302 }])
    await send()
    expect(service.messages).toEqual([])
    expect(await waiting()).toMatchObject([{ tries: 2 }])
  })

  it('US3.7: is encrypted in the database, and so is the private push key of the site', async () => {
    const { endpoint } = await subscribe()
    const rows = await Promise.all([
      database.db.selectFrom('push_subscription').selectAll().execute(),
      database.db.selectFrom('push_key').selectAll().execute(),
    ])
    const stored = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    expect(stored).not.toContain(new URL(endpoint).pathname)
    expect(rows.flat().map(({ sealed }) => sealed.split('.')[0])).toEqual(['sealed1', 'sealed1'])
  })
})

describe('the devices of a user', () => {
  it('a user has at most ten devices: the device that was silent the longest ends', async () => {
    const tokens = [user.token]
    for (let nth = 0; nth < 10; nth += 1) tokens.push((await login()).token)
    const ids: string[] = []
    for (const token of tokens) {
      app.ctx.clock.jump(SECOND_MS)
      ids.push((await subscribe(token)).id)
    }
    expect(await devices()).toEqual(ids.slice(1))
    expect((await state()).devices.at(-1)?.device).toBe('Chrome · Android')
  })

  it('get a new address when the app starts again, and stay one device', async () => {
    const first = await subscribe()
    await change(first.id, { amounts: true })
    const second = await subscribe()
    expect(second.id).toBe(first.id)
    expect((await state()).devices).toMatchObject([{ amounts: true }])
    await tell('security_changed')
    await send()
    expect(service.messages.map(({ endpoint }) => endpoint)).toEqual([second.endpoint])
  })

  it('belong to one session: the one in which the browser turned on notices last', async () => {
    const bob = await app.verifiedUser('bob')
    const browser = service.subscribe((await state()).key)
    await post(browser)
    await post(browser, bob.token)
    expect([await devices(), (await state(bob)).devices.length]).toEqual([[], 1])
  })

  it('cannot be changed, ended or read by another user', async () => {
    const { id } = await subscribe()
    await tell('security_changed')
    const bob = await app.verifiedUser('bob')
    const body = { amounts: true, quiet: null, zone: 'UTC' }
    expect((await app.call(calls.changePush, { token: bob.token, params: { id }, body })).status).toBe(404)
    expect((await app.call(calls.removePush, { token: bob.token, params: { id } })).status).toBe(404)
    const [notice] = (await app.call(calls.notices, { token: user.token })).body.data.notices
    const opened = await app.call(calls.notices, { token: bob.token, query: { id: notice?.id ?? '' } })
    expect(opened.body.data.notices).toEqual([])
    expect(await devices()).toEqual([id])
  })

  it('US3.9: end with a log-out, with the end of their session, and when the user turns them off', async () => {
    const [phone, tablet, desk] = [await login(), await login(), await login()]
    for (const { token } of [phone, tablet, desk]) await subscribe(token)
    const own = await subscribe()
    expect(await devices()).toHaveLength(4)
    await app.call(calls.logout, { token: phone.token })
    expect(await devices()).toHaveLength(3)
    await app.call(calls.endOtherSessions, { token: user.token })
    expect(await devices()).toEqual([own.id])
    await tell('security_changed', { subject: 'waits' })
    await app.call(calls.removePush, { token: user.token, params: { id: own.id } })
    expect([await devices(), await waiting()]).toEqual([[], []])
  })

  it('US3.9: end when the user starts to close the account, and cannot be added while it is being closed', async () => {
    await subscribe()
    await app.confirm(user.token)
    await app.call(calls.closeAccount, { token: user.token, body: {} })
    expect(await devices()).toEqual([])
    const browser = service.subscribe((await state()).key)
    expect((await post(browser)).body.code).toBe('account_closing')
    await expect(
      sql`insert into push_subscription (user_id, id, session_hash, key_id, sealed, endpoint_mark, zone, created_ms, seen_ms)
        select user_id, gen_random_uuid(), token_hash, 1, 'x', 'x', 'UTC', 1, 1 from session where user_id = ${user.id} limit 1`.execute(
        database.db,
      ),
    ).rejects.toThrow('the account is being closed')
  })

  it('end after 90 days without a start of the app and without a message', async () => {
    await subscribe()
    app.ctx.clock.jump(20 * DAY_MS)
    await tell('security_changed')
    await send()
    app.ctx.clock.jump(75 * DAY_MS)
    await deleteSilentDevices(app.ctx.db, later(app.ctx.now(), -90 * DAY_MS))
    const left = () => database.db.selectFrom('push_subscription').select('id').execute()
    expect(await left()).toHaveLength(1)
    app.ctx.clock.jump(16 * DAY_MS)
    await deleteSilentDevices(app.ctx.db, later(app.ctx.now(), -90 * DAY_MS))
    expect(await left()).toEqual([])
  })
})
