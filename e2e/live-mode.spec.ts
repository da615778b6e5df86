import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { DEMO_USER } from '#server/seed/demo-user.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { HIDDEN_ADDRESSES } from '#test/security/hidden-addresses.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { BUILT_SERVER, startServerProcess } from '#test/support/server-process.ts'
import { expect, test } from './fixtures.ts'
import { DATA_KEY, setRequiredSettings } from './live-site.ts'

const url = process.env['TEST_DATABASE_URL']
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let folder: string
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-live-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Live mode takes prices only from public hosts, so this test has no prices. No provider uses these host names. */
const FEEDS = {
  providers: {
    coins: { kind: 'binance', url: 'wss://coins.example.com/ws', restUrl: 'https://coins.example.com' },
    stocks: {
      kind: 'finnhub',
      url: 'wss://stocks.example.com',
      restUrl: 'https://stocks.example.com',
      keyFrom: 'FINNHUB_KEY',
    },
  },
  symbols: [
    { code: 'BTC', tickSize: '0.01', sources: [{ provider: 'coins', symbol: 'BTCUSDT' }] },
    { code: 'AAPL', tickSize: '0.0001', sources: [{ provider: 'stocks', symbol: 'AAPL' }] },
  ],
}

/** Returns the list of reasons why a start was refused. */
async function refused(environment: Record<string, string>): Promise<string[]> {
  const variables = { FAIRWICK_MODE: 'live', FAIRWICK_DATA_DIR: join(folder, 'data'), ...environment }
  const output = await startServerProcess(variables, BUILT_SERVER).then(
    () => 'it started',
    (error: Error) => error.message,
  )
  expect(output).toContain('the server exited with 1:')
  expect(output).toContain('Fairwick cannot start:')
  expect(output, 'no stack trace').not.toMatch(/\bat .*:\d+:\d+|Error:/)
  return output.split('\n  - ').slice(1)
}
const names = (lines: readonly string[]) =>
  lines.map((line) => (/(?:settings set|variable) (\w+)/.exec(line) ?? /needs (\w+)/.exec(line))?.[1] ?? line)

const SETTINGS = ['licence_holder', 'licence_number', 'licence_regulator', 'countries_allowed']

test('live mode without configuration lists everything that is missing and leaves nothing behind', async () => {
  const lines = await refused({})
  const variables = ['DATABASE_URL', 'FAIRWICK_FEEDS', 'PUBLIC_URL', 'SMTP_URL', 'FAIRWICK_DATA_KEY']
  expect(names(lines)).toEqual([...variables, ...SETTINGS])
  expect(readdirSync(folder)).toEqual([])
})

test('AT45: live mode with a full configuration starts without users and content', async () => {
  test.skip(url === undefined, 'it needs a PostgreSQL')
  const empty = await createEmptyPostgresDatabase(url ?? '')
  const partial = {
    DATABASE_URL: empty.url,
    PUBLIC_URL: 'https://trade.example.com',
    FAIRWICK_FEEDS: JSON.stringify(FEEDS),
    FAIRWICK_DATA_KEY: DATA_KEY,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }
  const whole = { ...partial, SMTP_URL: 'smtp://127.0.0.1:9', FINNHUB_KEY: 'recorded' }
  try {
    expect(names(await refused(partial)), 'of the environment, settings and sources').toEqual([
      'SMTP_URL',
      ...SETTINGS,
      'FINNHUB_KEY',
    ])
    expect(names(await refused(whole)), 'only the settings are missing now').toEqual(SETTINGS)
    await setRequiredSettings(empty.url, folder)

    const environment = { FAIRWICK_MODE: 'live', FAIRWICK_DATA_DIR: join(folder, 'data'), ...whole }
    const variables = { ...environment, PORT: String(await freePort()) }
    const server = await startServerProcess(variables, BUILT_SERVER, [], 'listening')
    try {
      await expectNoAccounts(server.address, empty.url)
      await expectNothingToSee(server.address, empty.url)
      expect(server.output()).not.toContain(DEMO_USER.password)
      expect(server.output()).not.toContain(DEMO_STAFF.password)
    } finally {
      await server.stop()
    }
  } finally {
    await empty.drop()
  }
})

/** Expects that no account exists and that no demo credentials work. */
async function expectNoAccounts(address: string, databaseUrl: string): Promise<void> {
  const { rows } = await onDatabase(
    databaseUrl,
    `select (select count(*) from app_user)::int as users, (select count(*) from staff)::int as staff,
      (select count(*) from session)::int as sessions, (select count(*) from gateway)::int as gateways`,
  )
  expect(rows).toEqual([{ users: 0, staff: 0, sessions: 0, gateways: 0 }])
  const { username, password } = DEMO_USER
  expect(await post(`${address}/api/user/auth/login`, { username, password })).toMatchObject({
    status: 422,
    body: { code: 'credentials_wrong' },
  })
  for (const name of ['owner', 'admin', 'root', 'finance'])
    for (const tried of [DEMO_STAFF.password, 'admin', 'password'])
      expect(await post(`${address}/api/admin/sign-in`, { name, password: tried }), name).toMatchObject({
        body: { code: 'credentials_wrong' },
      })
  expect((await fetch(`${address}/api/outbox?to=x`)).status).toBe(404)
}

async function expectNothingToSee(address: string, databaseUrl: string): Promise<void> {
  for (const path of HIDDEN_ADDRESSES) {
    const reply = await fetch(`${address}${path}`, { headers: { accept: '*/*' } })
    expect(reply.status, path).toBe(404)
    expect(reply.headers.get('x-powered-by')).toBeNull()
  }
  const page = await fetch(`${address}/`)
  expect(page.status).toBe(200)
  expect([page.headers.get('x-powered-by'), page.headers.get('server')]).toEqual([null, null])
  expect(page.headers.get('strict-transport-security')).toContain('max-age=')

  const built = ['dist/web', 'dist/back-office'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)),
  )
  expect(built.length).toBeGreaterThan(20)
  expect(built.filter((name) => name.endsWith('.map'))).toEqual([])
  const texts = built.filter((name) => /\.(?:js|css|html|svg)$/.test(name))
  expect(texts.filter((name) => /sourceMappingURL|\/\*# sourceURL/.test(readFileSync(name, 'utf8')))).toEqual([])

  // The response to a provoked error contains only an id.
  await onDatabase(databaseUrl, 'alter table app_user rename to gone')
  const failed = await post(`${address}/api/user/auth/login`, { username: 'somebody', password: 'violet-17' })
  await onDatabase(databaseUrl, 'alter table gone rename to app_user')
  expect(failed.status).toBe(500)
  expect(Object.keys(failed.body).toSorted()).toEqual(['code', 'message', 'request_id'])
  expect(JSON.stringify(failed.body)).not.toMatch(/\bat |app_user|relation|\.ts|\.mjs/)
}

async function onDatabase(databaseUrl: string, statement: string) {
  const database = await connectDatabase({ url: databaseUrl, dataDir: folder, log: quiet, poolSize: 1 })
  try {
    return await sql.raw<Record<string, number>>(statement).execute(database.db)
  } finally {
    await database.close()
  }
}

async function post(address: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
