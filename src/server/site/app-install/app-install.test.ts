import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGE_CODES, LANGUAGES } from '#messages/languages.ts'
import { createOwnIcons } from '#server/site/app-install/app-icons.ts'
import { appManifest } from '#server/site/app-install/app-manifest.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const FACTS = { mode: 'live', language: 'en', siteName: 'Acme Trade', faviconUrl: '', logoUrl: '' } as const
const OWN = `/images/site/${'0a'.repeat(16)}.webp`
const SHELL = '<!doctype html><html lang="en" dir="ltr"><head></head><body></body></html>'

const database = useTestDatabase()
let folder: string
let app: TestApp
let off: TestApp
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-install-'))
  mkdirSync(join(folder, 'icons'))
  writeFileSync(join(folder, 'index.html'), SHELL)
  writeFileSync(join(folder, 'sw.js'), '// the worker')
  writeFileSync(join(folder, 'icons/demo-mark.png'), await square('#f5b25e'))
  cpSync(join(folder, 'icons/demo-mark.png'), join(folder, 'icons/demo-192.png'))
  const webFolders = { web: folder, admin: join(folder, 'none') }
  app = await createTestApp(database, { webFolders })
  off = await createTestApp(database, { webFolders, environment: { FAIRWICK_WORKER: 'off' } })
})
afterAll(async () => {
  await app.stop()
  await off.stop()
  rmSync(folder, { recursive: true, force: true })
})

const square = (background: string) =>
  sharp({ create: { width: 64, height: 32, channels: 3, background } })
    .png()
    .toBuffer()

describe('the manifest', () => {
  it('the manifest has the name, direction and icons of a demo, and its tag changes with its content', async () => {
    const { statusCode, headers, payload } = await app.http.inject({ url: '/manifest.webmanifest' })
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(headers['content-type']).toContain('application/manifest+json')
    expect(JSON.parse(payload)).toMatchObject({
      id: '/',
      start_url: '/?app',
      scope: '/',
      display: 'standalone',
      name: 'Fairwick demo',
      lang: 'en',
      dir: 'ltr',
      icons: [{ src: '/icons/demo-192.png' }, { sizes: '512x512' }, { purpose: 'maskable' }],
      shortcuts: [{ url: '/market' }, { url: '/wallet' }],
    })
    const again = { 'if-none-match': String(headers.etag) }
    expect((await app.http.inject({ url: '/manifest.webmanifest', headers: again })).statusCode).toBe(304)
    const arabic = await app.http.inject({ url: '/manifest.webmanifest?lang=ar', headers: again })
    expect(JSON.parse(arabic.payload)).toMatchObject({ lang: 'ar', dir: 'rtl' })
  })

  it.each(['xx', '', '%22%3E', 'ar&lang=de'])('the manifest is in the default language for lang=%s', async (lang) => {
    const { statusCode, payload } = await app.http.inject({ url: `/manifest.webmanifest?lang=${lang}` })
    expect([statusCode, (JSON.parse(payload) as { lang: string }).lang]).toEqual([200, 'en'])
  })

  it('the manifest of a live site has no mark of a demo in any language', () => {
    for (const language of LANGUAGE_CODES) {
      const { name, icons, dir } = appManifest({ ...FACTS, language })
      expect([name, dir]).toEqual(['Acme Trade', LANGUAGES[language].dir])
      expect(JSON.stringify(icons)).not.toContain('demo')
    }
  })

  it('the app name contains the word demo once when the name of the site already contains it', () => {
    expect(appManifest({ ...FACTS, mode: 'demo', siteName: 'Acme Demo' }).name).toBe('Acme Demo')
  })

  it("the manifest names icons from the operator's uploaded picture, and the shipped icons for any other address", () => {
    expect(appManifest({ ...FACTS, logoUrl: OWN }).icons[0]?.src).toBe('/icons/own/192.png?v=0a0a0a0a')
    expect(appManifest({ ...FACTS, logoUrl: '/images/logo.svg' }).icons[0]?.src).toBe('/icons/live-192.png')
  })
})

describe("an icon from the operator's picture", () => {
  const name = '0a.webp'
  const iconsOf = (mode: 'demo' | 'live') =>
    createOwnIcons({ mode, folder, pictures: { read: async (one) => (one === name ? square('#0000ff') : null) } })

  it.each([
    ['192', 192],
    ['512', 512],
    ['maskable-512', 512],
    ['apple-180', 180],
  ] as const)('the icon %s has an edge of %i pixels', async (icon, edge) => {
    const { format, width, height } = await sharp((await iconsOf('live')(name, icon)) ?? '').metadata()
    expect([format, width, height]).toEqual(['png', edge, edge])
  })

  it('an icon that phones crop fills the square, with the picture inside the part that every phone shows', async () => {
    const icon = await iconsOf('live')(name, 'maskable-512')
    const { data } = await sharp(icon ?? '')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [...data.subarray((y * 512 + x) * 4, (y * 512 + x) * 4 + 4)]
    expect(at(0, 0)).toEqual([255, 255, 255, 255])
    expect(at(256, 256)).toEqual([0, 0, 255, 255])
    expect(at(60, 256)).toEqual([255, 255, 255, 255])
  })

  it('icons carry the demo mark in a demo, and are not found if the operator has no picture', async () => {
    const [demo, live] = await Promise.all([iconsOf('demo')(name, '192'), iconsOf('live')(name, '192')])
    expect(demo?.equals(live ?? Buffer.alloc(0))).toBe(false)
    expect(await iconsOf('live')('gone.webp', '192')).toBeNull()
    expect((await app.http.inject({ url: '/icons/own/192.png' })).statusCode).toBe(404)
    expect((await app.http.inject({ url: '/icons/own/9999.png' })).statusCode).toBe(404)
  })
})

describe('the worker', () => {
  const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy'])

  it('the worker is a script of this site that no cache keeps, under the policy of pages', async () => {
    const { headers, payload } = await app.http.inject({ url: '/sw.js' })
    expect(payload).toBe('// the worker')
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    expect(headers['content-type']).toContain('javascript')
    expect(policyOf(headers)).toContain("worker-src 'self';manifest-src 'self'")
    expect(policyOf(headers)).not.toMatch(/unsafe|https?:/)
  })

  it('the worker removes itself and its files after the operator turned it off', async () => {
    const { headers, payload } = await off.http.inject({ url: '/sw.js' })
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    expect(payload).toMatch(/caches\.delete[\s\S]*registration\.unregister/)
    expect(payload).not.toContain('fetch')
  })

  it('the page for the worker is in the chosen language, without data of the site', async () => {
    const open = { url: '/app-shell', headers: { accept: 'text/html', cookie: 'lang=ar' } }
    const { headers, payload } = await app.http.inject(open)
    expect(payload).toContain('<html lang="ar" dir="rtl" data-lang="ar"')
    expect(payload).toContain('<link rel="manifest" href="/manifest.webmanifest?lang=ar" />')
    expect(payload).not.toContain('page-data')
    expect(policyOf(headers)).toContain("script-src 'self'")
  })
})
