import { afterEach, expect, it } from 'vitest'
import { BUY } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { instant, later, SECOND_MS } from '#core/time/instant.ts'
import { chooseFeed } from '#server/market-data/feeds/choose-feed.ts'
import { RecordedSite } from '#test/support/recorded-site.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let site: RecordedSite | null = null
afterEach(async () => {
  await site?.end()
  site = null
})

it('A231: attack: the source of running orders removed from the configuration before their expiry', async () => {
  site = await RecordedSite.begin(database, 'binance')
  const { market } = site
  await site.placeOrders()
  await site.runUntil(later(site.expiry, -8 * SECOND_MS))
  await site.stopSite()
  site.feedOf = async (ctx) => {
    const chosen = await chooseFeed({ feeds: { kind: 'synthetic', seed: 'another market' }, mode: 'demo' }, ctx, true)
    assert('feed' in chosen, 'the feed has no problems')
    return chosen.feed
  }
  await site.startSite()
  await site.runUntilSettled()
  const orders = await database.db.selectFrom('order_history').selectAll().execute()
  expect(orders.length).toBeGreaterThan(0)
  for (const order of orders) {
    const { last } = market.around(instant(order.expires_ms))
    const exit = BigInt(Math.round(Number(last?.price) * 100))
    const change = exit - order.entry_price
    const isWin = order.direction === BUY ? change > 0n : change < 0n
    expect(order).toMatchObject({ exit_price: exit, void_reason: null, result: change === 0n ? 3 : isWin ? 1 : 2 })
  }
})
