import { expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { ensureBotAccounts } from '#server/seed/bot-accounts.ts'
import { runBots } from '#server/seed/run-bots.ts'
import { createEngine } from '#server/trading/engine/create-engine.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { latestOrders } from '#server/trading/market-list/markets.queries.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import { BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { waitUntilLogged } from '#test/support/wait-until-logged.ts'

const database = useTestDatabase({ emptied: 'once' })

it('a demo creates bots once; they trade through the engine and get new money, and the ledger stays reconciled', async () => {
  const ctx = createTestContext(database.db)
  const botIds = await ensureBotAccounts(ctx, 'nobody')
  expect(await ensureBotAccounts(ctx, 'nobody')).toEqual(botIds)

  const feed = new ScriptedFeed([BTC])
  const ticks = createTicks({ ctx, feed, symbols: [BTC] })
  await ticks.start()
  const catalogue = fixedCatalogue({ symbols: [BTC], quickAmounts: [money(2_000n)] })
  const engine = createEngine({ ctx, ticks, catalogue, connections: database.connections })
  await engine.start()
  const broke = botIds[0] ?? ''
  await ctx.db.updateTable('balance').set({ cash: 0n }).where('user_id', '=', broke).execute()
  await database.asOwner((owner) => owner.deleteFrom('transfer').where('user_id', '=', broke).execute())
  const stop = runBots({ ctx, engine, catalogue, botIds })

  const openOrders = async () => (await ctx.db.selectFrom('open_order').select('user_id').distinct().execute()).length
  await vi.waitFor(
    async () => {
      feed.tick(BTC.id, 100, ctx.now())
      ctx.clock.advance(1_000)
      await waitUntilLogged({ ctx, ticks }, [BTC])
      expect(await openOrders()).toBe(botIds.length)
    },
    { interval: 1 },
  )
  await stop()
  await engine.stop()
  await ticks.stop()
  expect((await checkLedger(ctx.db)).clean).toBe(true)
})

it('F40: bots start with six orders per symbol, in turn, and return to symbols whose prices arrive late', async () => {
  const ctx = createTestContext(database.db)
  const botIds = await ensureBotAccounts(ctx, 'nobody')
  const symbols = [BTC, { ...BTC, id: 3, code: 'ETH', productId: 'ETHUSDT' }]
  const feed = new ScriptedFeed(symbols)
  const ticks = createTicks({ ctx, feed, symbols })
  await ticks.start()
  const catalogue = fixedCatalogue({ symbols })
  const engine = createEngine({ ctx, ticks, catalogue, connections: database.connections })
  await engine.start()
  const startedAt = ctx.now()
  const before = new Map<number, number>()
  for (const { id } of symbols) before.set(id, (await latestOrders(ctx.db, id, 10_000)).length)
  const stop = runBots({ ctx, engine, catalogue, botIds })
  const count = async (id: number) => (await latestOrders(ctx.db, id, 10_000)).length - (before.get(id) ?? 0)
  await vi.waitFor(
    async () => {
      feed.tick(BTC.id, 100, ctx.now())
      if (ctx.now() - startedAt > 600) feed.tick(3, 100, ctx.now())
      ctx.clock.advance(150)
      await waitUntilLogged({ ctx, ticks }, symbols)
      for (const { id } of symbols) expect(await count(id)).toBeGreaterThanOrEqual(6)
    },
    { interval: 1 },
  )
  expect((await latestOrders(ctx.db, BTC.id, 1))[0]?.isBot).toBe(true)
  await stop()
  await engine.stop()
  await ticks.stop()
})
