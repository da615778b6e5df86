import { afterEach, expect, it, vi } from 'vitest'
import { DAY_MS, later } from '#core/time/instant.ts'
import {
  createProviderPast,
  withProviderPast,
} from '#server/market-data/feeds/multi-source/history/provider-history.ts'
import type { HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import type { SharedTicks } from '#server/market-data/replication/shared-ticks.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { ScriptedHistory } from '#test/support/scripted-history.ts'
import { createTestContext, TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: TickService[] = []
afterEach(async () => {
  for (const ticks of running.splice(0)) await ticks.stop()
})

async function server() {
  const ctx = createTestContext(database.db)
  const feed = new ScriptedFeed([BTC])
  const history = new ScriptedHistory({ first: later(TEST_START, -3 * DAY_MS), now: () => ctx.now() })
  const past = createProviderPast({
    ctx,
    symbols: [BTC],
    providers: new Map([['one', { history }]]),
    sourcesOf: ({ code }) => ({ sources: [{ provider: 'one', symbol: code, channel: 'trade' }] }),
  })
  const { name, symbols, more } = feed
  const prices = { name, symbols, more, start: feed.start.bind(feed), stop: feed.stop.bind(feed) }
  let turns: Parameters<SharedTicks['seek']>[0] | null = null
  const shared: SharedTicks = {
    mayLead: true,
    seek: (given) => {
      turns = given
    },
    publish: () => undefined,
    onMessage: () => () => undefined,
    isConnected: () => true,
    hasOthers: () => true,
  }
  const ticks = createTicks({
    ctx,
    feed: withProviderPast({ ...prices, history: past.history }, past),
    shared,
    symbols: [BTC],
    flushMs: 100,
  })
  await ticks.start()
  running.push(ticks)
  return {
    ctx,
    ticks,
    async lead() {
      const lease = { name: 'ticks', owner: 'a', token: 1n, until_ms: 0 }
      await database.db.insertInto('lease').values(lease).execute()
      await turns?.lead({ lease: 'ticks', token: 1n })
    },
  }
}

it('P9: tells followers which bars the writer has fetched, so that their day and their candles are complete', async () => {
  const leader = await server()
  const follower = await server()
  leader.ctx.subscribe((event) => {
    if (event.kind === 'history-fetched') follower.ctx.publish(event)
  })
  const changes: HistoryRange[] = []
  follower.ticks.onHistoryChanged((range) => changes.push(range))
  expect(follower.ticks.day(BTC.id)).toBeNull()
  await leader.lead()
  await vi.waitFor(
    () => {
      leader.ctx.clock.advance(250)
      expect(leader.ticks.day(BTC.id)).not.toBeNull()
      expect(follower.ticks.day(BTC.id)).toEqual(leader.ticks.day(BTC.id))
    },
    { interval: 2 },
  )
  expect(changes.map(({ interval }) => interval)).toContain('5m')
})
