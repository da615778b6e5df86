import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { SERVER_LIMITS } from '#server/platform/http/server-limits.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { HIDDEN_ADDRESSES } from '#test/security/hidden-addresses.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const SITE = 'https://trade.example.com'
/** Maximum connections of one address in these tests. */
const CONNECTIONS = 60

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let folder: string
let token: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-edges-'))
  for (const app of ['web', 'admin']) {
    mkdirSync(join(folder, app, 'assets'), { recursive: true })
    writeFileSync(join(folder, app, 'index.html'), '<!doctype html><title>Fairwick</title>')
    writeFileSync(join(folder, app, 'assets', 'app-1a2b3c.js'), 'console.log(1)')
  }
  bench = await openAttackBench(database, {
    environment: { PUBLIC_URL: SITE },
    webFolders: { web: join(folder, 'web'), admin: join(folder, 'admin') },
    connectionLimits: { perAddress: CONNECTIONS, total: 1_000 },
  })
  ;({ token } = await bench.funded(100, 'edges'))
})
afterAll(async () => {
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

const everyChange = [...Object.values(calls), ...Object.values(staffCalls)].filter(({ method }) => method === 'POST')
const addressOf = ({ path }: { path: string }) => `/api${path.replace(/:\w+/g, 'x')}`

describe('AT35: headers', () => {
  const urls = [
    '/',
    '/market',
    '/admin/',
    '/assets/app-1a2b3c.js',
    '/api/user/general-setting',
    '/api/user/profile',
    '/api/nothing',
    '/nothing',
    '/healthz',
    '/readyz',
    '/api/docs',
    '/api/openapi.json',
    '/api/user/%zz',
    '/images/users/x',
    '/manifest.webmanifest',
    '/sw.js',
    '/api/admin/staff',
  ]
  it('security headers protect every reply', async () => {
    for (const url of urls) {
      const { headers } = await bench.app.http.inject({ url, headers: { accept: 'text/html,*/*' } })
      expect(headers['x-content-type-options'], url).toBe('nosniff')
      expect(headers, url).not.toHaveProperty('x-powered-by')
      expect(headers, url).not.toHaveProperty('server')
      if (url.includes('%zz')) continue
      expect(headers, url).toMatchObject({
        'strict-transport-security': expect.stringContaining('max-age=31536000'),
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      })
      const policy = String(headers['content-security-policy'])
      expect(policy, url).toContain("frame-ancestors 'none'")
      if (url.startsWith('/api/') && url !== '/api/docs') {
        expect(policy, url).toContain("default-src 'none'")
      } else {
        expect(headers['cross-origin-opener-policy'], url).toBe('same-origin')
        expect(headers['permissions-policy'], url).toContain('camera=()')
        // The page that documents the calls has its own policy, which allows no worker.
        if (url !== '/api/docs') expect(policy, url).toContain("worker-src 'self';manifest-src 'self'")
        expect(policy, url).toContain("default-src 'self'")
        expect(policy, url).toContain("object-src 'none'")
        expect(policy, url).toContain("base-uri 'none'")
      }
      expect(policy, url).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/)
    }
  })

  it('headers keep private replies out of every cache', async () => {
    for (const call of Object.values(calls)) {
      if (call.who === 'anyone' || call.method !== 'GET') continue
      const { headers } = await bench.app.inject({
        url: addressOf(call),
        headers: { authorization: `Bearer ${token}` },
      })
      expect(headers['cache-control'], call.path).toMatch(/no-store|no-cache/)
    }
  })
})

const FOREIGN = [
  'https://evil.com',
  'null',
  'https://trade.example.com.evil.com',
  'https://eviltrade.example.com',
  'http://trade.example.com',
  'https://trade.example.com:444',
]

it.each(FOREIGN)('AT36: a page from %s reads nothing and changes nothing', async (origin) => {
  for (const url of ['/api/user/profile', '/api/user/general-setting', '/api/admin/me', '/images/users/x']) {
    const preflight = await bench.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    })
    expect([404, 405], url).toContain(preflight.status)
    const read = await bench.app.inject({ url, headers: { origin, authorization: `Bearer ${token}` } })
    for (const { headers } of [preflight, read])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(read.headers).toMatchObject({ 'cross-origin-resource-policy': 'same-origin' })
  }
  for (const call of everyChange) {
    const { status, body } = await bench.app.inject({
      method: 'POST',
      url: addressOf(call),
      headers: { origin, authorization: `Bearer ${token}` },
      payload: {},
    })
    expect([status, body.code], call.path).toEqual([403, 'foreign_origin'])
  }
})

describe('AT37: forms, links and disguised methods', () => {
  it('a form on another page changes nothing', async () => {
    for (const call of everyChange)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; charset=application/json']) {
        const { status } = await bench.app.inject({
          method: 'POST',
          url: addressOf(call),
          headers: { 'content-type': type, authorization: `Bearer ${token}` },
          payload: '{"amount":1,"method_id":1}',
        })
        // Back-office calls check the session before anything else. Links of mails have a secret path instead of a
        // session.
        const bySecret = new Map<string, number>([
          [calls.unsubscribe.path, 404],
          [calls.stopRecoveryByLink.path, 422],
        ])
        const refused = [bySecret.get(call.path) ?? 401, 415]
        expect(refused, `${call.path} ${type}`).toContain(status)
      }
  })

  it('a changing call is refused with any other method, whatever method a parameter or header names', async () => {
    const read = new Set(
      [...Object.values(calls), ...Object.values(staffCalls)].filter(({ method }) => method === 'GET').map(addressOf),
    )
    for (const call of everyChange) {
      const url = addressOf(call)
      if (read.has(url)) continue
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
        const { status } = await bench.app.inject({
          method,
          url: `${url}?_method=POST`,
          headers: { 'x-http-method-override': 'POST', 'x-method-override': 'POST', authorization: `Bearer ${token}` },
        })
        // With another method, a path whose last part is arbitrary may belong to another call, which replies 401 or
        // 422.
        expect([401, 404, 405, 422], `${method} ${url}`).toContain(status)
      }
    }
  })
})

describe('AT38: SQL', () => {
  const PIECES = ["'; drop table app_user; --", "1' or '1'='1", "\\') or pg_sleep(9)--", '$1', '" or ""="/*', '\u0000']
  const as = () => ({ authorization: `Bearer ${token}` })

  it('SQL in addresses, filters, pages and cursors counts as text', async () => {
    const owner = await bench.app.staff('owner')
    const before = await bench.app.ctx.db.selectFrom('app_user').select('id').execute()
    for (const piece of PIECES) {
      const text = encodeURIComponent(piece)
      for (const call of [...Object.values(calls), ...Object.values(staffCalls)].filter(
        ({ method }) => method === 'GET',
      )) {
        const names = [
          'page',
          'per_page',
          'after',
          'limit',
          'search',
          'sort',
          'order',
          'state',
          'status',
          'symbol',
          'user',
          'from',
          'to',
          'kind',
        ]
        const query = names.map((name) => `${name}=${text}`).join('&')
        const url = `/api${call.path.replace(/:\w+/g, text)}?${query}`
        const headers = call.path.startsWith('/admin') ? { cookie: owner.cookie } : as()
        const { status } = await bench.app.inject({ url, headers })
        expect(status, url).toBeLessThan(500)
      }
      // These filters accept any text.
      for (const path of ['/admin/users', '/admin/orders', '/admin/audit', '/admin/deposits', '/admin/withdrawals']) {
        const { status } = await bench.app.inject({
          url: `/api${path}?search=${text}`,
          headers: { cookie: owner.cookie },
        })
        expect([200, 422], path).toContain(status)
      }
    }
    expect(await bench.app.ctx.db.selectFrom('app_user').select('id').execute()).toEqual(before)
  })

  it('SQL inside a cursor fails or counts as text', async () => {
    const { cookie } = await bench.app.staff('owner')
    const cursors = [
      ...PIECES.flatMap((piece) => [[piece], [1, piece], [piece, 1], [1, piece, piece]]),
      [],
      [null],
      [1e300],
    ]
    for (const call of Object.values(staffCalls).filter((one) => 'row' in one)) {
      for (const values of cursors) {
        const after = Buffer.from(JSON.stringify(values)).toString('base64url')
        const kind = call.path === '/admin/content' ? 'kind=page&' : ''
        const url = `/api${call.path.replace(/:\w+/g, bench.app.ctx.newId())}?${kind}after=${after}`
        const { status } = await bench.app.inject({ url, headers: { cookie } })
        expect([200, 404, 422], `${call.path} ${JSON.stringify(values)}`).toContain(status)
      }
    }
  })

  it('SQL in every field of every call counts as text', async () => {
    for (const call of Object.values(calls)) {
      if (call.method !== 'POST' || !('body' in call)) continue
      const names = 'shape' in call.body ? Object.keys(call.body.shape) : []
      for (const piece of PIECES.slice(0, 5)) {
        const payload = Object.fromEntries(names.map((name) => [name, piece]))
        const { status } = await bench.app.inject({ method: 'POST', url: addressOf(call), headers: as(), payload })
        expect(status, call.path).toBeLessThan(500)
      }
    }
  })

  it('a request cannot get a page larger than the maximum', async () => {
    const { body } = await bench.app.call(calls.deposits, { token, query: { page: 1, per_page: 1e9 } })
    expect(body.meta?.per_page).toBe(200)
    const owner = await bench.app.staff('owner')
    expect(
      (await bench.app.inject({ url: '/api/admin/users?limit=1000000000', headers: { cookie: owner.cookie } })).status,
    ).toBe(422)
  })
})

describe('AT39: a server that requests try to keep busy', () => {
  it('replies quickly to worst cases of patterns, deep JSON and many keys', async () => {
    const strings = [
      'a'.repeat(30_000),
      `${'a'.repeat(20_000)}!`,
      '1'.repeat(30_000),
      `${' '.repeat(30_000)}x`,
      '@a.'.repeat(10_000),
      '-'.repeat(30_000),
      `${'a@'.repeat(10_000)}.`,
      '='.repeat(30_000),
    ]
    let maxMs = 0
    // Measures processor time, so that other load on the machine does not count.
    const send = async (options: Parameters<typeof bench.app.inject>[0]) => {
      const before = process.cpuUsage()
      const reply = await bench.app.inject(options)
      const { user, system } = process.cpuUsage(before)
      maxMs = Math.max(maxMs, (user + system) / 1_000)
      return reply
    }
    for (const call of Object.values(calls)) {
      if (call.method !== 'POST' || !('body' in call)) continue
      const names = 'shape' in call.body ? Object.keys(call.body.shape) : []
      for (const text of strings) {
        // Only one long value at a time, because the body with several would exceed the size limit.
        for (const name of names.slice(0, 3)) {
          const headers = { authorization: `Bearer ${token}` }
          const { status } = await send({
            method: 'POST',
            url: addressOf(call),
            headers,
            payload: { [name]: text },
          })
          expect(status, `${call.path} ${name}`).toBeLessThan(500)
        }
      }
    }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const keys = `{${Array.from({ length: 100_000 }, (_, key) => `"${key}":1`).join(',')}}`
    for (const payload of [
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      keys,
      `{"fields":{${'"a":{'.repeat(1_000)}${'}'.repeat(1_000)}}}`,
    ]) {
      const { status } = await send({ method: 'POST', url: '/api/user/deposits/save', headers, payload })
      expect([413, 422]).toContain(status)
    }
    // Catastrophic backtracking takes seconds, everything else some hundredths of a second.
    expect(maxMs).toBeLessThan(2_000)
  })

  const head = 'POST /api/user/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  it.each([
    ['a head of more than 8 kB', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(9_000)}\r\n\r\n`, 431],
    [
      'two lengths that say two things',
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
      400,
    ],
    ['two lengths', `${head}Content-Length: 4\r\nContent-Length: 40\r\n\r\n{}`, 400],
    ['a chunk length that is none', `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ['an encoding in disguise', `${head}Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n{}{}`, 400],
    ['a header cut by a line feed', 'GET /healthz HTTP/1.1\r\nHost: x\nX-Evil: 1\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
  ])('refuses %s and closes the connection', async (_, text, status) => {
    const reply = await bench.raw(text)
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(reply.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    expect(reply).not.toContain('"ok"')
  })

  const get = (lines: string, target = '/healthz', version = '1.1') =>
    `GET ${target} HTTP/${version}\r\n${lines}\r\n\r\n`
  it.each([
    ['two hosts', get('Host: trade.example.com\r\nHost: evil.example')],
    ['two hosts that are the same', get('Host: trade.example.com\r\nhOST: trade.example.com')],
    ['two hosts in one line', get('Host: trade.example.com, evil.example')],
    ['two hosts before HTTP/1.1', get('Host: a\r\nHost: b', '/healthz', '1.0')],
    ['an empty host', get('Host:')],
    ['a host with a user', get('Host: trade.example.com@evil.example')],
    ['a host with a path', get('Host: trade.example.com/evil')],
    ['a host with a space', get('Host: trade.example.com evil')],
    ['a host with a tab', get('Host: trade.example.com\tevil')],
    ['a port that is none', get('Host: trade.example.com:port')],
    ['a port above the largest', get('Host: trade.example.com:65536')],
    ['two ports', get('Host: trade.example.com:80:443')],
    ['half an IPv6 address', get('Host: [::1')],
    ['an IPv6 address without brackets', get('Host: ::1')],
    ['a target of another host', get('Host: trade.example.com', 'http://evil.example/healthz')],
    ['a target with a user', get('Host: trade.example.com', 'http://trade.example.com@evil.example/healthz')],
    ['no host before a target that has one', get('X: y', 'http://evil.example/healthz')],
    ['two encodings', `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two equal lengths', `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a list of lengths', `${head}Content-Length: 2, 2\r\n\r\n{}`],
    ['two types', `${head}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`],
    ['two authorizations', get('Host: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b')],
    ['two origins', get('Host: x\r\nOrigin: https://trade.example.com\r\nOrigin: https://evil.example')],
    ['chunks before HTTP/1.1', get('Host: x\r\nTransfer-Encoding: chunked\r\n\r\n0', '/healthz', '1.0')],
    ['two hosts at an address whose answer is prepared', get('Host: a\r\nHost: b', '/api/user/candles/BTC/1m')],
    ['two hosts at a page', get('Host: a\r\nHost: b\r\nAccept: text/html', '/market')],
    [
      'two hosts at a socket',
      get(
        'Host: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        '/ws/app',
      ),
    ],
  ])('A20: answers %s with 400 and closes the connection', async (_, text) => {
    const reply = await bench.raw(text)
    expect(reply).toMatch(/^HTTP\/1\.1 400 /)
    expect(reply.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    expect(reply).not.toContain('"ok"')
  })

  it.each([
    ['a name', get('Host: trade.example.com\r\nConnection: close')],
    ['a name with a port, in capitals', get('Host: Trade.Example.COM:8443\r\nConnection: close')],
    ['a service of a container', get('Host: fairwick_web:3000\r\nConnection: close')],
    ['an IPv4 address', get('Host: 10.0.0.7:3000\r\nConnection: close')],
    ['an IPv6 address', get('Host: [2001:db8::7]:3000\r\nConnection: close')],
    ['the host of the target', get('Host: trade.example.com\r\nConnection: close', 'http://trade.example.com/healthz')],
    ['none before HTTP/1.1', get('X: y', '/healthz', '1.0')],
  ])('A20: accepts the host header %s', async (_, text) => {
    expect(await bench.raw(text)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"ok"/)
  })

  it('closes connections that send their request too slowly', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeaderSize } = SERVER_LIMITS
    expect(headersTimeout).toBeLessThanOrEqual(15_000)
    expect(requestTimeout).toBeLessThanOrEqual(120_000)
    const { server } = bench.app.http
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
    ])
    expect(maxHeaderSize).toBe(8_192)
  })

  it('limits the connections of one address, and accepts new connections after some close', async () => {
    const open = async (): Promise<Socket> => {
      const line = connectTcp(bench.port, '127.0.0.1')
      line.on('error', () => {})
      await new Promise((resolve) => line.once('connect', resolve))
      return line
    }
    const lines: Socket[] = []
    for (let count = 0; count < CONNECTIONS + 1_000; count += 200) {
      lines.push(...(await Promise.all(Array.from({ length: 200 }, open))))
      await bench.until(() => lines.filter(({ closed }) => !closed).length <= CONNECTIONS)
    }
    expect(lines.filter(({ closed }) => !closed)).toHaveLength(CONNECTIONS)
    for (const line of lines) line.destroy()
    await bench.until(() => lines.every(({ closed }) => closed))
    const ask = () => bench.raw('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await vi.waitFor(async () => expect(await ask()).toContain('200 OK'))
  })
})

describe('AT45: addresses that a production installation does not serve', () => {
  it.each(HIDDEN_ADDRESSES)('%s', async (url) => {
    const { status, body } = await bench.app.inject({ url, headers: { accept: '*/*' } })
    expect(status).toBe(404)
    expect(JSON.stringify(body)).not.toMatch(/\bat .*\.(?:ts|js):\d+|node_modules|Error:/)
  })

  it('no build produces source maps', () => {
    for (const file of ['vite.config.ts', 'vite.back-office.config.ts'])
      expect(readFileSync(file, 'utf8').match(/sourcemap: \w+/g)).toEqual(['sourcemap: false'])
  })
})
