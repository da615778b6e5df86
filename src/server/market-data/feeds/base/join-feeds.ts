import type { Instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import type { Feed, FeedSink, PastCandle, HistoryRange, SourceHealth } from '#server/market-data/feeds/base/feed.ts'

/**
 * Real prices of some symbols and simulated prices of the others, as one feed. Simulated prices name their source wherever a source is shown,
 * and in every tick, so that users do not take them for real.
 */
export function joinFeeds(clock: Clock, real: Feed, simulated: Feed): Feed {
  const newestTicks = new Map<number, { newestAt: Instant; receivedAt: Instant }>()
  const note = (symbolId: number, newestAt: Instant) => newestTicks.set(symbolId, { newestAt, receivedAt: clock.now() })
  const simulatedIds = new Set(simulated.symbols.map(({ id }) => id))

  function health(): SourceHealth[] {
    return simulated.symbols.map(({ id, code }) => ({
      symbolId: id,
      provider: simulated.name,
      providerSymbol: code,
      state: 'well',
      isUsed: true,
      newestAt: newestTicks.get(id)?.newestAt ?? null,
      heardAt: newestTicks.get(id)?.receivedAt ?? null,
      unused: {},
    }))
  }
  /** The simulated history is known without being stored. */
  async function storedHistory(stretch: HistoryRange): Promise<PastCandle[]> {
    const { symbolId, interval, from, until } = stretch
    if (!simulatedIds.has(symbolId)) return (await real.storedHistory?.(stretch)) ?? []
    const limit = Math.ceil((until - from) / intervalMs(interval))
    const bars = await simulated.history({ symbolId, interval, before: until, limit })
    return bars.filter(({ openTime }) => openTime >= from)
  }
  function listening(sink: FeedSink): FeedSink {
    return {
      ...sink,
      tick(tick) {
        note(tick.symbolId, tick.time)
        sink.tick(tick)
      },
      heartbeat(symbolId, time) {
        note(symbolId, time)
        sink.heartbeat(symbolId, time)
      },
    }
  }
  return {
    ...real,
    symbols: [...real.symbols, ...simulated.symbols],
    async start(sink) {
      await real.start(sink)
      await simulated.start(listening(sink))
    },
    async stop() {
      await simulated.stop()
      await real.stop()
    },
    record: async (query) => (await (simulatedIds.has(query.symbolId) ? simulated : real).record?.(query)) ?? null,
    history: (query) => (simulatedIds.has(query.symbolId) ? simulated : real).history(query),
    ...(real.storedHistory && { storedHistory }),
    sources: () => [...(real.sources?.() ?? []), ...health()],
  }
}
