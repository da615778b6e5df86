import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { openApiDocument } from '#server/platform/http/open-api.ts'
import { exampleValue } from './example-value.ts'
import { startFormGateway } from './form-gateway.ts'
import { pagesOf } from './pages.ts'
import { addressOf, type Paths, staffPaths, type Target, targetsOf } from './targets.ts'

const published = JSON.parse(JSON.stringify(openApiDocument())) as { paths: Paths }

describe('scanned targets', () => {
  it('include every call with parameters, with a value for each', () => {
    const staff = Object.values(staffCalls).filter((call) => 'params' in call || 'query' in call || 'body' in call)
    expect(targetsOf(staffPaths(), {})).toHaveLength(staff.length)
    for (const target of [...targetsOf(published.paths, {}), ...targetsOf(staffPaths(), {})]) {
      expect(addressOf(target)).not.toMatch(/[{}]|undefined|\/\/|\/$/)
      expect(JSON.stringify(target.body)).not.toContain('undefined')
    }
  })

  it('prefer known values to examples, and values for one path to values for all paths', () => {
    const known = { trx: 'FW-1', '/proof/receipts/{trx} trx': 'FW-2' }
    const addresses = targetsOf(published.paths, known).map((target) => addressOf(target))
    expect(addresses).toContain('/api/proof/receipts/FW-2')
    expect(addresses).toContain('/api/proof/evidence/FW-1')
  })

  it('mark fields that accept any text', () => {
    const free = (path: string) => targetsOf(staffPaths(), {}).find((target) => target.path === path)?.free
    expect(free('/api/admin/orders')).toEqual(new Set(['after', 'symbol', 'search']))
    expect(free('/api/admin/users/{id}')).toEqual(new Set())
  })

  it('include every page', () => {
    expect(pagesOf().user).toEqual(expect.arrayContaining(['/', '/trade', '/account/payment-method/1']))
    expect(pagesOf().staff).toEqual(expect.arrayContaining(['/admin/', '/admin/users', '/admin/settings']))
  })
})

it.each([
  [{ type: 'string', minLength: 8 }, '12345678'],
  [{ type: 'string', maxLength: 2 }, '12'],
  [{ type: 'string', enum: ['open', 'done'] }, 'open'],
  [{ type: 'string', format: 'uuid' }, '0190a0a0-0000-7000-8000-000000000000'],
  [{ type: 'integer', exclusiveMinimum: 4 }, 5],
  [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, true],
  [{ type: 'array', items: { type: 'integer' } }, [1]],
  [{ type: 'object', properties: { a: { const: 'x' } } }, { a: 'x' }],
  [{ default: 7 }, 7],
])('exampleValue of %j is %j', (schema, expected) => {
  expect(exampleValue(schema)).toEqual(expected)
})

describe('the form gateway', () => {
  const target: Target = {
    method: 'POST',
    path: '/api/a',
    params: {},
    query: {},
    body: { name: '"x"', deep: {} },
    free: new Set(),
  }

  it('serves forms, submits them as JSON in the session, and encodes cursors', async () => {
    const requests: { url: string; body: string; session: string | null; type: string | null }[] = []
    const product = createServer((request, response) => {
      const { cookie = null, 'content-type': type = null } = request.headers
      void text(request).then((body) => {
        requests.push({ url: request.url ?? '', body, session: cookie, type })
        return response.writeHead(500).end()
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => product.once('listening', resolve))
    const { port } = product.address() as { port: number }
    const gateway = await startFormGateway({
      address: `http://127.0.0.1:${port}`,
      headers: { cookie: 'session=1' },
      pages: ['/page'],
      targets: [target],
    })
    try {
      const map = await (await fetch(`${gateway.address}/scan-map`)).text()
      expect(map).toContain('<a href="/page">')
      expect(map).toContain('<input name="name" value="&quot;x&quot;">')
      await fetch(`${gateway.address}/api/a`, { method: 'POST', body: new URLSearchParams({ name: "it's" }) })
      await fetch(`${gateway.address}/api/list?after=x'&limit=5`)
      expect(requests[0]).toEqual({
        url: '/api/a',
        body: '{"name":"it\'s"}',
        session: 'session=1',
        type: 'application/json',
      })
      const cursor = new URL(requests[1]?.url ?? '', 'http://a').searchParams.get('after') ?? ''
      expect(JSON.parse(Buffer.from(cursor, 'base64url').toString())).toEqual([1, "x'"])
      expect([...gateway.failures]).toEqual([
        ['POST /api/a', 1],
        ['GET /api/list', 1],
      ])
    } finally {
      await gateway.close()
      product.closeAllConnections()
      product.close()
    }
  })
})
