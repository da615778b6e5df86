import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { AppClient, type SocketMessage } from '#test/support/app-client.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const USERS = 200
const ORDERS_EACH = 5
const CASH = money(30_000n)
const STAKE = 100
/** The number of orders for which the cash of each user is sufficient. */
const AFFORDABLE = 3
/** 100 ms: the log writes prices this often. */
const FLUSH_MS = 100

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let address: string
beforeAll(async () => {
  // The clock stands still, so no price gets too old while the machine is busy.
  app = await createTestApp(database)
  address = await app.start()
})
afterAll(() => app.stop())

describe('1,000 concurrent orders of 200 users over the socket', () => {
  it('all get a reply, overspend no balance, and leave a ledger that reconciles', async () => {
    const people: { id: string; client: AppClient }[] = []
    for (let at = 0; at < USERS; at += 1) {
      const id = await createFundedUser(app.ctx, CASH)
      const token = await openSession(app.ctx, id, { userAgent: 'test', address: '127.0.0.1' })
      people.push({ id, client: await AppClient.open(address, token) })
    }
    app.feed.tick(BTC.id, 6_000_000, app.ctx.now())
    await vi.waitFor(() => {
      app.ctx.clock.advance(FLUSH_MS)
      expect(app.ticks.latest(BTC.id)).not.toBeNull()
    })

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

    const batchFacts = app.ctx.lines.findLast(({ message }) => message === 'largest order batch so far')?.facts
    console.log(`largest batch on ${database.kind}: ${JSON.stringify(batchFacts)}`)
    expect(batchFacts).toMatchObject({ orders: expect.any(Number) })
  })
})
