import { describe, expect, it, vi } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { type Feed, type FeedSink, type HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import { renewableFeed } from '#server/market-data/feeds/base/renewable-feed.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { quiet } from '#test/support/quiet-log.ts'

const sink: FeedSink = { tick: () => {}, heartbeat: () => {}, doubt: () => {} }
const stretch: HistoryRange = { symbolId: BTC.id, interval: '1m', from: instant(0), until: instant(60_000) }

/** Creates a feed that can be started only once, like a feed of real providers. */
function onceOnly(nth: number) {
  let state: 'new' | 'running' | 'over' = 'new'
  const listeners = new Set<(of: HistoryRange) => void>()
  const learnt: number[] = []
  const feed: Feed = {
    name: 'market',
    symbols: [BTC],
    start() {
      if (state !== 'new') return Promise.reject(new Error('a feed of providers starts once'))
      state = 'running'
      return Promise.resolve()
    },
    stop() {
      state = 'over'
      return Promise.resolve()
    },
    history: () => (state === 'over' ? Promise.reject(new Error('it was stopped')) : Promise.resolve([])),
    sources: () => [],
    onHistoryChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    more: {
      knows: () => true,
      learn: ({ id }) => {
        learnt.push(id)
        return () => {}
      },
    },
  }
  return {
    nth,
    feed,
    learnt,
    invalidateHistory: () => {
      for (const listener of listeners) listener(stretch)
    },
  }
}

describe('a renewable feed', () => {
  it('starts again after each stop, with its added symbols and listeners', async () => {
    const instances = [onceOnly(0)]
    const [first] = instances
    if (first === undefined) throw new Error('there is one')
    const lines: string[] = []
    const log = { ...quiet, error: (_: object, text: string) => lines.push(text) }
    const feed = renewableFeed(first.feed, { clock: new FakeClock(0), log }, () => {
      const next = onceOnly(instances.length)
      instances.push(next)
      return Promise.resolve(next.feed)
    })
    const changedRanges: HistoryRange[] = []
    feed.onHistoryChanged?.((of) => changedRanges.push(of))
    feed.more?.learn(AAPL)()
    feed.more?.learn(AAPL)

    await feed.start(sink)
    first.invalidateHistory()
    await feed.stop()
    await feed.renew?.()
    // Between two starts the history can be queried.
    expect(await feed.history({ symbolId: BTC.id, interval: '1m', before: instant(1), limit: 1 })).toEqual([])
    await feed.start(sink)
    instances[1]?.invalidateHistory()
    expect(changedRanges).toEqual([stretch, stretch])
    expect(instances[1]?.learnt).toEqual([AAPL.id])
    expect(lines).toEqual([])
  })

  it('renews itself while it runs when its configuration changes, and clears earlier suspect flags', async () => {
    const clock = new FakeClock(0)
    const instances = [onceOnly(0)]
    const doubts: unknown[] = []
    const first = { ...onceOnly(0).feed, changesAt: instant(clock.now() + 5_000) }
    const feed = renewableFeed(first, { clock, log: quiet }, () => {
      const next = onceOnly(instances.length)
      instances.push(next)
      return Promise.resolve(next.feed)
    })
    await feed.start({ ...sink, doubt: (id, why) => void doubts.push([id, why]) })
    clock.advance(4_999)
    expect(instances).toHaveLength(1)
    clock.advance(1)
    await vi.waitFor(() => expect(doubts).toEqual([[BTC.id, null]]))
    expect(instances).toHaveLength(2)
    await feed.stop()
    await expect(
      instances[1]?.feed.history({ symbolId: 1, interval: '1m', before: instant(1), limit: 1 }),
    ).rejects.toThrow('it was stopped')
  })

  it('reports a failed renewal and stays stopped', async () => {
    const { feed: inner } = onceOnly(0)
    const lines: string[] = []
    const log = { ...quiet, error: (_: object, text: string) => lines.push(text) }
    const feed = renewableFeed(inner, { clock: new FakeClock(0), log }, () =>
      Promise.reject(new Error('the file is gone')),
    )
    await feed.start(sink)
    await feed.stop()
    await feed.renew?.()
    expect(lines).toEqual(['the price source could not be created again: restart this server'])
    await expect(feed.start(sink)).rejects.toThrow('starts once')
  })
})
