import { resolve } from 'node:path'
import { expect, it, test } from 'vitest'
import { readConfig } from '#server/app/config/config.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

it('the configuration is valid without any variable, because each variable has a default', () => {
  expect(readConfig({ HOME: '/root', PORT: '', DATABASE_URL: ' ' })).toEqual({
    mode: 'demo',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    databaseMigrationUrl: undefined,
    databasePoolSize: 10,
    feeds: { kind: 'synthetic', seed: 'fairwick' },
    roles: new Set(['api', 'feed', 'settle']),
    natsUrl: undefined,
    smtpUrl: undefined,
    bots: true,
    offlineStart: true,
    trustedProxies: [],
    privateAddresses: [],
    pushHosts: [],
    callsPerAddress: 100,
    callsPerAccount: 50,
    signUpsPerHour: 200,
    smsPerDay: 5_000,
    tickRetentionDays: 14,
    logLevel: 'info',
  })
})

it('the configuration contains the value of each variable that is set', () => {
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'http://localhost:8080/',
    DATABASE_URL: 'postgres://localhost/fairwick',
    FAIRWICK_FEEDS: 'replay',
    FAIRWICK_REPLAY_SPEED: '2.5',
    FAIRWICK_ROLES: 'api, settle',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  })
  expect(config).toMatchObject({
    port: 0,
    publicUrl: 'http://localhost:8080',
    databaseUrl: 'postgres://localhost/fairwick',
    feeds: { kind: 'replay', speed: 2.5, offsetMs: 0 },
    roles: new Set(['api', 'settle']),
    trustedProxies: ['10.0.0.0/8', '::1'],
  })
})

it('the configuration reads price sources by name, from a file and as inline text', () => {
  const place = (feeds: string) => readConfig({ FAIRWICK_FEEDS: feeds, FINNHUB_KEY: 'k' }).feeds
  expect(place('exchanges')).toMatchObject({ kind: 'file', place: { kind: 'shipped' } })
  expect(place('own/feeds.json')).toMatchObject({ place: { kind: 'path', path: resolve('own/feeds.json') } })
  const text = ' { "providers": {} }'
  const own = place(text)
  expect(own).toMatchObject({ place: { kind: 'text', text } })
  expect(own.kind === 'file' && [own.keyOf('FINNHUB_KEY'), own.keyOf('NOBODY')]).toEqual(['k', undefined])
})

test.each([
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '80a', 'PORT must be a whole number'],
  ['FAIRWICK_MODE', 'Live', 'FAIRWICK_MODE must be demo or live'],
  ['FAIRWICK_ROLES', 'api,ui', 'FAIRWICK_ROLES must be some of api,feed,settle'],
  ['FAIRWICK_REPLAY_SPEED', '-1', 'FAIRWICK_REPLAY_SPEED must be above 0'],
  ['FAIRWICK_REPLAY_SPEED', 'fast', 'FAIRWICK_REPLAY_SPEED must be a number'],
  ['DATABASE_URL', 'mysql://localhost', 'DATABASE_URL must look like postgres://'],
  ['TRUSTED_PROXIES', '172.16.0/12', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['TRUSTED_PROXIES', '10.0.0.256', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['TRUSTED_PROXIES', '10.0.0.0/33', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['TRUSTED_PROXIES', '::1/129', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['TRUSTED_PROXIES', '10.0.0.0/8/8', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['FAIRWICK_PRIVATE_ADDRESSES', 'cafe', 'FAIRWICK_PRIVATE_ADDRESSES must be addresses or ranges'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of'],
  ['FAIRWICK_DATADIR', 'x', 'FAIRWICK_DATADIR is not a known variable'],
])('%s=%s is refused in plain words', (name, value, words) => {
  expect(() => readConfig({ [name]: value })).toThrow(StartUpError)
  expect(() => readConfig({ [name]: value })).toThrow(words)
})

it('one error lists all wrong variables, without their values', () => {
  const read = () => readConfig({ PORT: 'x', DATABASE_URL: 'secret:word' })
  expect(read).toThrow(/PORT must be .*\n.*DATABASE_URL must look like/)
  expect(read).not.toThrow(/secret/)
})

it('one error lists everything that live mode lacks', () => {
  const read = () => readConfig({ FAIRWICK_MODE: 'live', PUBLIC_URL: 'http://trade.example.com' })
  for (const name of ['DATABASE_URL', 'FAIRWICK_FEEDS', 'PUBLIC_URL', 'SMTP_URL']) expect(read).toThrow(name)
})

it('one error lists each missing variable and each wrong variable only once', () => {
  const read = () => readConfig({ FAIRWICK_MODE: 'live', PORT: 'x', SMTP_URL: 'nonsense' })
  for (const part of [/PORT must be/, /SMTP_URL must look like/, /live mode needs DATABASE_URL/, /FAIRWICK_DATA_KEY/])
    expect(read).toThrow(part)
  expect(read).not.toThrow(/needs SMTP_URL/)
})

it('the configuration accepts a database log-in for migrations only together with a database log-in for the server', () => {
  const owner = { DATABASE_MIGRATION_URL: 'postgres://owner@localhost/fairwick' }
  expect(() => readConfig(owner)).toThrow('DATABASE_MIGRATION_URL needs DATABASE_URL')
  const both = readConfig({ ...owner, DATABASE_URL: 'postgres://app@localhost/fairwick' })
  expect(both.databaseMigrationUrl).toBe('postgres://owner@localhost/fairwick')
})
