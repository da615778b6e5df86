import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { Acceptor } from '#server/trading/engine/acceptor.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import { calls } from '#contract/calls.ts'
import { AppClient } from '#test/support/app-client.ts'
import { capGate } from '#test/support/caps.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const STAKE = money(1_000n)
const FITS = 5
const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let address: string
beforeAll(async () => {
  app = await createTestApp(database)
  address = await app.start()
})
afterAll(() => app.stop())

it('US1.1: exactly five of 200 parallel orders of 10.00 are opened under a loss limit of 50.00, sent over three sockets and to three engines', async () => {
  const userId = await createFundedUser(app.ctx, money(1_000_000n))
  const token = await openSession(app.ctx, userId, { userAgent: 'test', address: '127.0.0.1' })
  const changes = [{ key: 'loss_day' as const, value: 50 }]
  expect((await app.call(calls.changeLimits, { token, body: { changes } })).status).toBe(200)
  // The clock of the test is behind the clock of the database, so the mark is inserted at time 0.
  await app.ctx.db
    .insertInto('limit_mark')
    .values({ user_id: userId, made_ms: 0, net_total: 0, stake_total: 0 })
    .execute()
  app.feed.tick(BTC.id, 6_000_000, app.ctx.now())
  await vi.waitFor(() => {
    app.ctx.clock.advance(100)
    expect(app.ticks.latest(BTC.id)).not.toBeNull()
  })
  const sockets = await Promise.all([1, 2, 3].map(() => AppClient.open(address, token)))
  const engines = [1, 7, 500].map(
    (maxBatchSize) =>
      new Acceptor({
        ctx: app.ctx,
        store: createEngineStore(app.ctx),
        ticks: app.ticks,
        catalogue: app.catalogue,
        caps: capGate(app.ctx, app.catalogue),
        lanes: Math.min(2, database.connections),
        maxBatchSize,
        maxQueueLength: 5_000,
        maxOpenOrders: 1_000,
        closed: () => null,
        onAccepted: () => {},
        onBatch: () => {},
      }),
  )
  const codes = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const socket = sockets[at % 6]
      if (socket === undefined) {
        const answer = await engines[at % 3]?.place(orderRequest(userId, `order-${at}`, { stake: STAKE }))
        return answer?.ok ? 'open' : answer?.refusal
      }
      const answer = await socket.order({
        clientOrderId: `order-${at}`,
        type: 'buy',
        tradeSettingId: 1,
        amount: 10,
        symbol: 'btc',
        marketType: 'crypto',
      })
      return answer.status === 'success' ? 'open' : String(answer['code'])
    }),
  )
  for (const socket of sockets) socket.close()
  const counts: Record<string, number> = {}
  for (const code of codes) counts[String(code)] = (counts[String(code)] ?? 0) + 1
  expect(counts).toEqual({ open: FITS, self_loss_limit: 200 - FITS })
  const open = await app.ctx.db.selectFrom('open_order').select('stake').where('user_id', '=', userId).execute()
  expect(open).toEqual(Array.from({ length: FITS }, () => ({ stake: STAKE })))
  expect(await checkLedger(app.ctx.db)).toMatchObject({ clean: true, openOrders: FITS })
})
