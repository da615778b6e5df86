import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

const everyCall = Object.values<Call>(calls)
const addressOf = (call: Call) => `/api${call.path.replace(/:\w+/, 'FW-AAAA-BBBB-CCCC')}`

// `access.test.ts` checks who may call which address.
describe('the routes of the API', () => {
  it('the API has exactly the expected routes, each with its method', async () => {
    for (const [method, url] of [
      ['GET', '/api/user/nothing'],
      ['GET', '/api'],
      ['GET', '/api/user/auth/login'],
      ['PUT', '/api/user/profile'],
      ['DELETE', '/api/user/favorite'],
      ['OPTIONS', '/api/user/profile'],
      ['GET', '/.git/config'],
      ['GET', '/metrics'],
      ['GET', '/api/user/%zz'],
      ['GET', `/api/user/trade/${'a'.repeat(200)}`],
      ['GET', '/api/../package.json'],
    ] as const) {
      const reply = await app.inject({ method, url, headers: { 'x-http-method-override': 'POST' } })
      expect([reply.status, reply.body.code], `${method} ${url}`).toEqual([404, 'not_found'])
    }
  })
})

describe('an arbitrary request body', () => {
  it('never crashes a call', async () => {
    const { token } = await app.verifiedUser()
    const posts = everyCall.filter(({ method, path }) => method === 'POST' && path !== '/user/auth/logout')
    const names = [...new Set(posts.flatMap(({ body }) => fieldsOf(body)))]
    const value = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.constantFrom('1', 1, 'BTC', '1m', -1),
    )
    const body = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...names), value))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), body, async (call, sent) => {
        const payload = toJson(sent)
        const { status, body } = await app.inject({
          method: 'POST',
          url: addressOf(call),
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          payload,
        })
        expect(status, `${call.path} ${payload}`).toBeLessThan(500)
        if (status !== 200) expect(body).toMatchObject({ message: expect.any(String), code: expect.any(String) })
      }),
      { numRuns: 400 },
    )
  })

  it('never crashes a call as query or address', async () => {
    const { token } = await app.verifiedUser()
    const gets = everyCall.filter(({ method }) => method === 'GET')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gets), fc.string(), fc.string(), async (call, part, query) => {
        const url = `/api${call.path.replace(/:\w+/, encodeURIComponent(part) || 'x')}?page=${encodeURIComponent(query)}&${encodeURI(query)}`
        const { status } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
        expect(status, url).toBeLessThan(500)
      }),
      { numRuns: 200 },
    )
  })

  const login = '/api/user/auth/login'
  const json = { 'content-type': 'application/json' }
  it.each([
    ['broken JSON', json, '{"username":', 422],
    ['no object', json, '[]', 422],
    ['null', json, 'null', 422],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'username=demo&password=demo1234', 415],
    ['plain text', { 'content-type': 'text/plain' }, '{"username":"demo","password":"demo1234"}', 415],
    ['more than 64 KiB', json, JSON.stringify({ username: 'x'.repeat(70_000), password: 'y' }), 413],
    ['a thousand levels', json, `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`, 422],
    ['a wrong length', { ...json, 'content-length': '5' }, '{"username":"demo"}', 422],
  ])('is refused: %s', async (_what, headers, payload, status) => {
    const reply = await app.inject({ method: 'POST', url: login, headers, payload })
    expect([reply.status, reply.body.code]).toEqual([status, 'bad_request'])
  })

  it('unknown keys and __proto__ in a body have no effect', async () => {
    const payload =
      '{"username":"demo","password":"demo1234","__proto__":{"verified":true},"constructor":{"prototype":{"x":1}},"isAdmin":true,"balance":1e9}'
    const { status, body } = await app.inject({ method: 'POST', url: login, headers: json, payload })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ user: { balance: 10_000 } })
    expect(Object.prototype).not.toHaveProperty('x')
    expect(Object.prototype).not.toHaveProperty('verified')
  })

  it('may be missing on calls that need no body, whatever the content type', async () => {
    const { token } = await app.signUp()
    const headers = { ...json, authorization: `Bearer ${token}` }
    const { status } = await app.inject({ method: 'POST', url: '/api/user/auth/logout', headers })
    expect(status).toBe(200)
  })
})

describe('a page of another site', () => {
  const attempt = (headers: Record<string, string>) =>
    app.call(calls.login, { headers, body: { username: 'demo', password: 'demo1234' } })

  it.each([
    'https://evil.example.com',
    'null',
    'http://localhost.evil.example.com',
    'http://localhost:9999',
    'https://localhost@evil.example.com',
    'file://',
  ])('cannot change anything from %s', async (origin) => {
    const { status, body, headers } = await attempt({ origin, host: 'localhost:3000' })
    expect([status, body.code]).toEqual([403, 'foreign_origin'])
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it.each([
    {},
    { origin: 'http://localhost:3000', host: 'localhost:3000' },
    { origin: 'http://127.0.0.1:8', host: '127.0.0.1:8' },
  ])('does not include a caller with the headers %j, who may log in', async (headers) => {
    expect((await attempt(headers)).status).toBe(200)
  })

  it('a page belongs to another site when it is neither at the public address nor, in demo mode, on this machine', async () => {
    await app.stop()
    app = await createTestApp(database, { environment: { PUBLIC_URL: 'https://trade.example.com' } })
    const host = 'trade.example.com'
    expect((await attempt({ origin: 'https://trade.example.com', host })).status).toBe(200)
    expect((await attempt({ origin: 'http://trade.example.com', host })).status).toBe(403)
    expect((await attempt({ origin: 'https://evil.example.com', host: 'evil.example.com' })).status).toBe(403)
    expect((await attempt({ origin: 'http://localhost:3000', host: 'localhost:3000' })).status).toBe(200)
  })
})

describe('security headers', () => {
  it('protect browsers and keep private replies out of caches, on every kind of reply', async () => {
    for (const url of ['/api/user/general-setting', '/api/user/profile', '/api/nothing', '/healthz', '/nothing']) {
      const { headers } = await app.inject({ url })
      const isData = url.startsWith('/api/')
      expect(headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(isData ? "default-src 'none'" : "default-src 'self'")
      expect(headers['cross-origin-opener-policy'], url).toBe(isData ? undefined : 'same-origin')
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('strict-transport-security')
    }
  })

  it('enforce https permanently when the public address uses it', async () => {
    await app.stop()
    app = await createTestApp(database, { environment: { PUBLIC_URL: 'https://trade.example.com' } })
    const { headers } = await app.inject({ url: '/healthz' })
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
  })
})

describe('too many calls', () => {
  it('from one address are refused with the seconds after which the client may retry', async () => {
    await app.stop()
    app = await createTestApp(database, { perAddress: { perSecond: 2, burst: 3 } })
    const ask = (forwarded: string) => app.call(calls.countries, { headers: { 'x-forwarded-for': forwarded } })
    const statuses: number[] = []
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await ask(`10.0.0.${turn}`)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const refused = await ask('10.0.0.9')
    expect([refused.body.code, refused.headers['retry-after']]).toEqual(['rate_limited', '1'])
    app.ctx.clock.advance(500)
    expect((await ask('10.0.0.9')).status).toBe(200)
  })

  it('from behind a trusted proxy are counted by the client it names', async () => {
    await app.stop()
    const environment = { TRUSTED_PROXIES: '127.0.0.0/8' }
    app = await createTestApp(database, { perAddress: { perSecond: 1, burst: 1 }, environment })
    const ask = (forwarded: string) => app.call(calls.countries, { headers: { 'x-forwarded-for': forwarded } })
    expect((await ask('10.0.0.1')).status).toBe(200)
    expect((await ask('10.0.0.2')).status).toBe(200)
    // The proxy adds the last address. Earlier addresses come from the client and are ignored.
    expect((await ask('10.0.0.3, 10.0.0.2')).status).toBe(429)
  })

  it('from one account are refused from any address', async () => {
    await app.stop()
    app = await createTestApp(database, { perAccount: { perSecond: 1, burst: 2 } })
    const { token } = await app.signUp()
    const statuses: number[] = []
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await app.call(calls.profile, { token })).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})

it('AT47: the reply to a fault contains only an id with which the operator finds the line in the log', async () => {
  const { token } = await app.signUp()
  await database.asOwner((owner) => owner.deleteFrom('balance').execute())
  const { status, body } = await app.call(calls.profile, { token })
  expect(status).toBe(500)
  expect(Object.keys(body).toSorted()).toEqual(['code', 'message', 'request_id'])
  expect(body).toMatchObject({ message: 'Server Error', code: 'server_error' })
  const line = app.ctx.lines.find(({ level }) => level === 'error')
  expect(line?.facts).toMatchObject({ requestId: body.request_id, route: '/api/user/profile' })
  expect(JSON.stringify(line)).not.toContain(token)
})

describe('the API contract', () => {
  it('the published contract describes every call', async () => {
    const document: unknown = (await app.inject({ url: '/api/openapi.json' })).body
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: Object.fromEntries(everyCall.map(({ path }) => [path.replace(/:(\w+)/g, '{$1}'), expect.any(Object)])),
    })
    const sockets: unknown = (await app.inject({ url: '/api/asyncapi.json' })).body
    expect(sockets).toMatchObject({ asyncapi: '3.0.0', channels: { app: { address: '/ws/app' } } })
  })
})

it('the server is ready only while it accepts orders', async () => {
  expect((await app.inject({ url: '/readyz' })).status).toBe(503)
  await app.startMarkets()
  expect((await app.inject({ url: '/readyz' })).status).toBe(200)
  await app.engine.stop()
  expect((await app.inject({ url: '/readyz' })).status).toBe(503)
  expect((await app.inject({ url: '/healthz' })).status).toBe(200)
})

function fieldsOf(body: Call['body']): string[] {
  return body && 'shape' in body ? Object.keys(body.shape as object) : []
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? 'null'
  } catch {
    // Values without JSON form are sent as broken JSON.
    return '{'
  }
}
