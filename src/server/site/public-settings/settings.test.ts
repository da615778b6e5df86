import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { createTestApp, emailOf, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

it('CA1: returns the site settings and the time', async () => {
  const { body } = await app.call(calls.generalSetting)
  expect(body.data).toEqual({
    changed_texts: 0,
    default_language: 'en',
    invitation_code_status: 0,
    site_name: 'Fairwick',
    deposit_feature: 1,
    deposit_reason: '',
    logo_url: '',
    favicon_url: '',
    minimum_ages: {},
    mode: 'demo',
    server_time: app.ctx.now(),
    operating_since: '2026-03-18',
    outbox: true,
    withdrawal_pause_hours: 24,
    languages: [...LANGUAGE_CODES],
  })
})

describe('countries', () => {
  const names = async (headers: Record<string, string>) =>
    (await app.call(calls.countries, { headers })).body.data.countries

  it('CA9: are sorted by name, with their dialling codes', async () => {
    const countries = await names({})
    expect(countries.length).toBeGreaterThan(200)
    expect(countries.find(({ countryCode }) => countryCode === 'DE')).toEqual({
      countryCode: 'DE',
      country: 'Germany',
      dialCode: '+49',
    })
    expect(countries[0]?.country).toBe('Afghanistan')
  })

  it.each([
    [{ locale: 'de' }, 'Deutschland'],
    [{ 'accept-language': 'xx, fr-CA;q=0.9, en;q=0.1' }, 'Allemagne'],
    [{ locale: 'tw' }, '德國'],
    [{ 'accept-language': 'zh-TW' }, '德國'],
    [{ locale: 'nonsense', 'accept-language': '*' }, 'Germany'],
    [{ locale: 'ar' }, 'ألمانيا'],
  ])('CA36: use the language of %j', async (headers, expected) => {
    const countries = await names(headers)
    expect(countries.find(({ countryCode }) => countryCode === 'DE')?.country).toBe(expected)
  })
})

describe('the outbox', () => {
  interface RequestOptions {
    url?: string
    headers?: Record<string, string>
    remoteAddress?: string
  }
  const key = () => ({ cookie: `fairwick_demo_key=${app.demoKey?.text ?? ''}` })
  const ask = ({ headers, ...options }: RequestOptions = {}) =>
    app.inject({ url: '/api/outbox', headers: { ...key(), ...headers }, ...options })

  it('lists messages newest first, of all addresses or of one address', async () => {
    await app.signUp('alice')
    app.ctx.clock.advance(1_000)
    await app.signUp('bob')
    const all = await app.call(calls.outbox, { headers: key() })
    expect(all.body.data.messages.map(({ to }) => to)).toEqual([emailOf('bob'), emailOf('alice')])
    const one = await app.call(calls.outbox, { query: { to: emailOf('alice') } })
    expect(one.body.data.messages).toHaveLength(1)
    expect(one.body.data.messages[0]?.text).toContain(one.body.data.messages[0]?.code)
  })

  it.each([
    [{ remoteAddress: '192.168.1.5' }],
    [{ remoteAddress: '::ffff:10.0.0.1' }],
    [{ headers: { 'x-forwarded-for': '127.0.0.1' } }],
    [{ headers: { forwarded: 'for=127.0.0.1' } }],
    [{ headers: { via: '1.1 proxy' } }],
    [{ headers: { host: 'rebound.example.com' } }],
  ])('answers the caller %j with 404', async (options) => {
    const { status, body } = await ask(options)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it('A13: refuses all messages without the demo key of this server start, even behind a proxy on this machine', async () => {
    for (const cookie of [
      '',
      'fairwick_demo_key=',
      'fairwick_demo_key=AAAAAAAAAAAAAAAAAAAAAA',
      `key=${app.demoKey?.text}`,
    ])
      for (const url of ['/api/outbox', '/api/outbox?to=', `/api/outbox?key=${app.demoKey?.text}`]) {
        const { status, body } = await ask({ url, headers: { cookie } })
        expect([status, body.code], `${cookie} ${url}`).toEqual([404, 'not_found'])
      }
  })

  it('A13: shows messages to one address to this machine without the key, and to no other machine', async () => {
    await app.signUp('alice')
    const url = `/api/outbox?to=${emailOf('alice')}`
    expect((await ask({ url, headers: { cookie: '' } })).status).toBe(200)
    for (const from of [
      { remoteAddress: '192.168.1.5' },
      { headers: { cookie: '', via: '1.1 proxy' } },
      { headers: { cookie: '', host: 'demo.example.com' } },
    ])
      expect((await ask({ url, ...from })).status, JSON.stringify(from)).toBe(404)
  })

  it('A13: refuses all messages without the key when the site has a public URL', async () => {
    const proxied = await createTestApp(database, { environment: { PUBLIC_URL: 'https://demo.example.com' } })
    try {
      await proxied.signUp('alice')
      const url = `/api/outbox?to=${emailOf('alice')}`
      const cookie = `fairwick_demo_key=${proxied.demoKey?.text}`
      expect((await proxied.inject({ url })).status).toBe(404)
      expect((await proxied.inject({ url, headers: { cookie } })).status).toBe(200)
    } finally {
      await proxied.stop()
    }
  })

  it.each(['/', '/outbox', '/admin', '/admin/users?page=2', '//evil.example/'])(
    'A13: moves the key from the query of %s to a cookie that scripts cannot read',
    async (path) => {
      const at = (key: string | undefined) => `${path}${path.includes('?') ? '&' : '?'}key=${key}`
      const shown = await app.inject({ url: at(app.demoKey?.text) })
      expect([shown.status, shown.headers['location']]).toEqual([303, path.replace('//', '/')])
      expect(shown.headers['set-cookie']).toMatch(/^fairwick_demo_key=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict$/)
      for (const other of ['', 'x', 'A'.repeat(22), '%00']) {
        const { status, headers } = await app.inject({ url: at(other) })
        expect([status === 303, headers['set-cookie']], other).toEqual([false, undefined])
      }
    },
  )

  it.each([{ remoteAddress: '127.0.0.1' }, { remoteAddress: '::1' }, { remoteAddress: '::ffff:127.0.0.1' }])(
    'answers the caller %j',
    async (options) => {
      expect((await ask(options)).status).toBe(200)
    },
  )
})
