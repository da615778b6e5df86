import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '#server/app/create-app.ts'
import { readConfig } from '#server/app/config/config.ts'
import { AppClient, get, post } from '#test/support/app-client.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { quiet } from '#test/support/quiet-log.ts'

const postgres = process.env['TEST_DATABASE_URL']
const SENT_ON_EACH = 25

describe.skipIf(!postgres)('AT5: on two servers with one PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-two-'))
  const apps: App[] = []
  const addresses: string[] = []
  let database: { url: string; drop: () => Promise<void> }
  beforeAll(async () => {
    database = await createEmptyPostgresDatabase(postgres ?? '')
    const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    for (const name of ['one', 'two']) {
      const config = readConfig({
        PORT: '0',
        DATABASE_URL: database.url,
        FAIRWICK_DATA_DIR: join(folder, name),
        FAIRWICK_SIGNING_KEY: JSON.stringify(key),
        FAIRWICK_REGISTER_KEY: JSON.stringify(key),
        FAIRWICK_DATA_KEY: Buffer.alloc(32, 7).toString('base64url'),
        FAIRWICK_BOTS: 'off',
      })
      const app = await createApp(config, quiet)
      apps.push(app)
      addresses.push(await app.start())
    }
  })
  afterAll(async () => {
    for (const app of apps) await app.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('one order sent a hundred times on four sockets is one order with equal replies', async () => {
    const [address = ''] = addresses
    const body = { username: 'demo', password: 'demo1234' }
    const { token } = (await post(address, '/user/auth/login', body)) as { token: string }
    const before = (await get(address, '/user/profile', token)) as { user: { balance: number } }
    const clients = await Promise.all([...addresses, ...addresses].map((each) => AppClient.open(each, token)))
    for (const client of clients) await client.hear((message) => message['s'] === 'BTCUSDT')
    const data = {
      clientOrderId: 'one',
      type: 'buy',
      tradeSettingId: 1,
      amount: 100,
      symbol: 'BTC',
      marketType: 'crypto',
    }
    const answers = () => clients.flatMap(({ messages }) => messages.filter(({ type }) => type === 'newTrade'))
    for (let turn = 0; turn < SENT_ON_EACH; turn += 1)
      for (const client of clients) client.say({ action: 'newTrade', data })
    while (answers().length < SENT_ON_EACH * clients.length) await pause(10)
    const texts = answers().map((answer) => JSON.stringify({ ...answer, data: { ...answer.data, user_balance: 0 } }))
    expect(new Set(texts).size, [...new Set(texts)].join('\n')).toBe(1)
    expect(answers()[0]).toMatchObject({ status: 'success' })
    const after = (await get(address, '/user/profile', token)) as { user: { balance: number } }
    expect(after.user.balance).toBe(before.user.balance - 100)
    for (const client of clients) client.close()
  })
})
