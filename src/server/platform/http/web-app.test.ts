import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const ADMIN_PAGE = '<!doctype html><title>Back office</title>'
const PAGE =
  '<!doctype html><html lang="en" dir="ltr"><head><title>Fairwick</title><style>a{}</style></head><script>1</script></html>'

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-web-'))
  mkdirSync(join(folder, 'web', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'web', 'index.html'), PAGE)
  writeFileSync(join(folder, 'web', 'assets', 'app-1a2b3c.js'), 'console.log(1)')
  writeFileSync(join(folder, 'web', 'assets', 'app-1a2b3c.js.br'), brotliCompressSync('console.log(1)'))
  writeFileSync(join(folder, 'web', 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'web', '.env'), 'SECRET=1')
  mkdirSync(join(folder, 'admin'))
  writeFileSync(join(folder, 'admin', 'index.html'), ADMIN_PAGE)
  writeFileSync(join(folder, 'outside.txt'), 'outside')
  app = await createTestApp(database, { webFolders: { web: join(folder, 'web'), admin: join(folder, 'admin') } })
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (url: string, accept = 'text/html,*/*') => app.http.inject({ url, headers: { accept } })

describe('the web app', () => {
  it.each(['/', '/market', '/trade/BTC', '/history/deposit?page=2', '/no/such/page'])(
    'is the page at %s',
    async (url) => {
      const { statusCode, payload, headers } = await open(url)
      expect(statusCode).toBe(200)
      expect(payload).toContain('<script type="application/json" id="page-data">')
      expect(headers['content-type']).toContain('text/html')
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-security-policy']).toContain("script-src 'self'")
    },
  )

  it('allows the inline script and style of the page by their hashes, and nothing else', async () => {
    const policy = String((await open('/')).headers['content-security-policy'])
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy.split(';').filter((part) => /^(script|style)-src/.test(part))).toEqual([
      `script-src 'self' ${hash('1')}`,
      `style-src 'self' ${hash('a{}')}`,
    ])
    expect(String((await open('/nowhere', '*/*')).headers['content-security-policy'])).not.toContain('sha256')
  })

  it.each(['/assets', '/assets/', '/./', '/%2e/', '/assets/..', '/assets/%2e%2e/index.html'])(
    'serves neither a folder nor the built page at %s',
    async (url) => {
      const { statusCode, payload } = await open(url, '*/*')
      expect([200, 404]).toContain(statusCode)
      expect(payload).not.toBe(PAGE)
    },
  )

  it.each(['/index.html', '/pages.json'])('does not serve %s, from which the page is made', async (url) => {
    expect((await open(url, '*/*')).statusCode).toBe(404)
    expect((await open(url)).payload).not.toBe(PAGE)
  })

  it('lets caches store only files whose names contain a hash of their content', async () => {
    expect((await open('/assets/app-1a2b3c.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await open('/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })

  it('clients that accept compression receive files compressed by the build', async () => {
    const ask = (encoding: string) =>
      app.http.inject({ url: '/assets/app-1a2b3c.js', headers: { 'accept-encoding': encoding } })
    const packed = await ask('br, gzip')
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript') as string,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringContaining('ccept-encoding') as string,
    })
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe('console.log(1)')
    const plain = await ask('identity')
    expect([plain.headers['content-encoding'], plain.payload]).toEqual([undefined, 'console.log(1)'])
  })

  it.each(['/api/nothing', '/api', '/assets/gone.js', '/ws/app'])('is not served at %s', async (url) => {
    const { statusCode, payload } = await open(url)
    expect([statusCode, JSON.parse(payload)]).toEqual([404, { message: 'Not found', code: 'not_found' }])
  })

  const acceptHeaders = [
    undefined,
    '',
    '*/*',
    'text/*',
    'TEXT/HTML',
    'application/json, text/plain, */*',
    'application/json;q=0.9, */*;q=0.1',
    'image/avif,image/webp,*/*;q=0.8',
    'application/xml',
    'application/*',
    'garbage',
  ]
  it.each(acceptHeaders)(
    'A22: is served for every screen to a program with accept %j, by GET and HEAD',
    async (accept) => {
      for (const url of [
        '/',
        '/fairness',
        '/market?tab=top',
        '/trade/BTC',
        '/check/FW-1.2',
        '/page/a.b',
        '/admin',
        '/admin/users/1',
      ])
        for (const method of ['GET', 'HEAD'] as const) {
          const reply = await app.http.inject({ method, url, headers: accept === undefined ? {} : { accept } })
          expect([reply.statusCode, reply.headers['content-type']], `${method} ${url}`).toEqual([
            200,
            'text/html; charset=utf-8',
          ])
          const isAdmin = url.startsWith('/admin')
          if (method === 'HEAD') expect(reply.payload, url).toBe('')
          else if (isAdmin) expect(reply.payload, url).toBe(ADMIN_PAGE)
          else expect(reply.payload, url).toContain('id="page-data"')
          if (method === 'GET')
            expect(reply.headers['content-length'], url).toBe(String(Buffer.byteLength(reply.payload)))
        }
    },
  )

  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json, application/json;q=0.5',
    'application/json, text/html;q=0, */*;q=0.0',
  ])('A22: is not sent to a client that accepts only JSON: %s', async (accept) => {
    for (const url of ['/fairness', '/trade/BTC', '/admin', '/admin/users', '/nowhere']) {
      const { statusCode, payload, headers } = await open(url, accept)
      expect([statusCode, JSON.parse(payload)], url).toEqual([404, { message: 'Not found', code: 'not_found' }])
      expect(String(headers['vary']).toLowerCase(), url).toContain('accept')
    }
  })

  it.each([
    '/nowhere',
    '/apple-touch-icon.png',
    '/robots.txt',
    '/admin/gone.png',
    '/assets/gone.js',
    '/api',
    '/api/nothing',
    '/ws/app',
  ])('A22: is not served at %s, which is not a screen, without a request for HTML', async (url) => {
    for (const accept of ['*/*', 'image/*,*/*;q=0.8', 'text/html;q=0,*/*'])
      expect((await open(url, accept)).statusCode, accept).toBe(404)
    expect((await app.http.inject({ url })).statusCode).toBe(404)
  })

  it("the reply to a program's write request is never the web app", async () => {
    expect(
      (await app.http.inject({ method: 'POST', url: '/market', headers: { accept: 'text/html' } })).statusCode,
    ).toBe(404)
  })

  it.each(['/../outside.txt', '/%2e%2e/outside.txt', '/..%2foutside.txt', '/.env', '/assets/../../outside.txt'])(
    'serves no file outside its folder: %s',
    async (url) => {
      const { payload } = await open(url, '*/*')
      expect(payload).not.toContain('outside')
      expect(payload).not.toContain('SECRET')
    },
  )
})
