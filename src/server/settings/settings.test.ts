import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { createTestApp, emailOf, type TestApp } from '#testing/test-app.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

it('tells the settings of the site and the time', async () => {
  const { body } = await app.call(calls.generalSetting)
  expect(body.data).toEqual({
    default_language: 'en',
    invitation_code_status: 0,
    site_name: 'Fairwick',
    deposit_feature: 1,
    logo_url: '',
    favicon_url: '',
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

  it('come with their dialling codes, by name', async () => {
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
  ])('are in the language of %j', async (headers, expected) => {
    const countries = await names(headers)
    expect(countries.find(({ countryCode }) => countryCode === 'DE')?.country).toBe(expected)
  })
})

describe('the outbox', () => {
  const ask = (options: { headers?: Record<string, string>; remoteAddress?: string } = {}) =>
    app.inject({ url: '/api/outbox', ...options })

  it('shows messages newest first, of everyone or of one address', async () => {
    await app.signUp('alice')
    app.ctx.clock.advance(1_000)
    await app.signUp('bob')
    const all = await app.call(calls.outbox)
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
  ])('is not there for %j', async (options) => {
    const { status, body } = await ask(options)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it.each([{ remoteAddress: '127.0.0.1' }, { remoteAddress: '::1' }, { remoteAddress: '::ffff:127.0.0.1' }])(
    'is there for %j',
    async (options) => {
      expect((await ask(options)).status).toBe(200)
    },
  )
})
