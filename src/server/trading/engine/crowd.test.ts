import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { type App, createApp } from '#server/app/create-app.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import { readConfig } from '#server/app/config/config.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { AppClient, type SocketMessage } from '#test/support/app-client.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const USERS = 200
const ORDERS_EACH = 5
const CASH = money(30_000n)
const STAKE = 100
/** The number of orders that each user's cash pays for. */
const AFFORDABLE = 3

const database = useTestDatabase({ emptied: 'once' })
let app: App
let address: string
const lines: { facts: object; message: string }[] = []
const feed = new ScriptedFeed([BTC])
let speaking: ReturnType<typeof setInterval>
beforeAll(async () => {
  const note = (facts: object, message: string) => void lines.push({ facts, message })
  const log: Log = { debug: () => {}, info: note, warn: note, error: note }
  const ctx = createContext({
    db: database.db,
    log,
    vault: createVault([new Uint8Array(32)], createTools().randomBytes),
  })
  const config = readConfig({ PORT: '0', FAIRWICK_BOTS: 'off' })
  app = await createApp(config, log, { ctx, feed, connections: database.connections })
  address = await app.start()
  speaking = setInterval(() => feed.tick(BTC.id, 6_000_000 + (Date.now() % 100), Date.now()), 100)
})
afterAll(async () => {
  clearInterval(speaking)
  await app.stop()
})

describe('1,000 concurrent orders of 200 users over the socket', () => {
  it('get a reply each, overspend no balance, and leave the ledger reconciled', async () => {
    const people: { id: string; client: AppClient }[] = []
    for (let at = 0; at < USERS; at += 1) {
      const id = await createFundedUser(app.ctx, CASH)
      const token = await openSession(app.ctx, id, { userAgent: 'test', address: '127.0.0.1' })
      people.push({ id, client: await AppClient.open(address, token) })
    }
    await people[0]?.client.hear((message) => message['s'] === 'BTCUSDT')

    const answers = await Promise.all(
      people.flatMap(({ client }, user) =>
        Array.from({ length: ORDERS_EACH }, (_, at) =>
          client.order({
            clientOrderId: `crowd-${user}-${at}`,
            type: at % 2 ? 'sell' : 'buy',
            tradeSettingId: 1,
            amount: STAKE,
            symbol: 'btc',
            marketType: 'crypto',
          }),
        ),
      ),
    )
    for (const { client } of people) client.close()

    const outcome = (answer: SocketMessage) => (answer.status === 'success' ? 'taken' : String(answer['code']))
    const counts: Record<string, number> = {}
    for (const answer of answers) counts[outcome(answer)] = (counts[outcome(answer)] ?? 0) + 1
    expect(counts).toEqual({ taken: USERS * AFFORDABLE, insufficient_balance: USERS * (ORDERS_EACH - AFFORDABLE) })

    const balances = await app.ctx.db
      .selectFrom('balance')
      .select(['cash', 'staked', 'open_orders'])
      .where(
        'user_id',
        'in',
        people.map(({ id }) => id),
      )
      .execute()
    expect(balances.length).toBe(USERS)
    for (const balance of balances) expect(balance).toEqual({ cash: 0n, staked: CASH, open_orders: AFFORDABLE })
    expect(await checkLedger(app.ctx.db)).toMatchObject({ clean: true, openOrders: USERS * AFFORDABLE })

    const batchFacts = lines.findLast(({ message }) => message === 'largest order batch so far')?.facts
    console.log(`largest batch on ${database.kind}: ${JSON.stringify(batchFacts)}`)
    expect(batchFacts).toMatchObject({ orders: expect.any(Number) })
  })
})
