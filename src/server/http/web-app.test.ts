import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#testing/test-app.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'

const PAGE = '<!doctype html><title>Fairwick</title>'

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
      expect([statusCode, payload]).toEqual([200, PAGE])
      expect(headers['content-type']).toContain('text/html')
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-security-policy']).toContain("script-src 'self'")
    },
  )

  it('lets caches keep files that are named after their content, and no others', async () => {
    expect((await open('/assets/app-1a2b3c.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await open('/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })

  it('is sent as the build has packed it, to whom can unpack it', async () => {
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

  it.each(['/api/nothing', '/api', '/assets/gone.js', '/ws/app'])('is not at %s', async (url) => {
    const { statusCode, payload } = await open(url)
    expect([statusCode, JSON.parse(payload)]).toEqual([404, { message: 'Not found', code: 'not_found' }])
  })

  it('is not what a program gets that asks for something else', async () => {
    expect((await open('/market', 'application/json')).statusCode).toBe(404)
    expect(
      (await app.http.inject({ method: 'POST', url: '/market', headers: { accept: 'text/html' } })).statusCode,
    ).toBe(404)
  })

  it.each(['/../outside.txt', '/%2e%2e/outside.txt', '/..%2foutside.txt', '/.env', '/assets/../../outside.txt'])(
    'keeps what is not its own to itself: %s',
    async (url) => {
      const { payload } = await open(url, '*/*')
      expect(payload).not.toContain('outside')
      expect(payload).not.toContain('SECRET')
    },
  )
})
