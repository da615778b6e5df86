import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { instant, DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import { candlesDayByDay } from '#server/market-data/feeds/base/day-by-day.ts'
import { computedRecord } from '#server/market-data/feeds/base/computed-record.ts'
import { createEmitter } from '#server/market-data/feeds/base/emitter.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { layOut, parseRecording, regularHours, type Recording } from '#server/market-data/feeds/replay/recording.ts'
import { createReplayMarket, REPLAY } from '#server/market-data/feeds/replay/replay-market.ts'
import { REPLAY_SOURCES, type ReplaySource } from '#server/market-data/feeds/replay/replay-symbols.ts'

export interface ReplayFeedOptions {
  readonly clock: Clock
  /** The folder that contains `market/`. */
  readonly dataDir: string
  /** When the replay reaches the recordings' position `offsetMs`. */
  readonly startAt: Instant
  /** Recorded milliseconds per real one. Default 1. */
  readonly speed?: number
  /** Where in the recordings to begin, in milliseconds after their first row. Default 0. */
  readonly offsetMs?: number
  readonly sources?: readonly ReplaySource[]
}

/**
 * Recorded real ticks, played repeatedly as if they happened now. `timeline.ts` decides when each row happens. Nights, weekends and other
 * long gaps are shortened to a second. Ticks of stocks and forex are emitted only while our calendar has their market open. Reads its files
 * immediately and throws when one is missing or damaged.
 */
export function createReplayFeed(options: ReplayFeedOptions): Feed {
  const { clock, dataDir, startAt, speed = 1, offsetMs = 0, sources = REPLAY_SOURCES } = options
  if (!(speed > 0)) throw new Error(`a replay cannot run at speed ${speed}`)
  const markets = new Map(
    sources.map((source) => {
      const recording = loadRecording(dataDir, source)
      const timeline = { startAt, speed, offsetMs, loopMs: recording.loopMs }
      return [source.symbol.id, createReplayMarket(source.symbol, recording, timeline)]
    }),
  )
  const emitter = createEmitter(clock, [...markets.values()])

  return {
    name: REPLAY,
    symbols: sources.map((source) => source.symbol),
    async start(sink) {
      emitter.start(sink)
    },
    async stop() {
      emitter.stop()
    },
    async record(query) {
      const market = query.source === REPLAY ? markets.get(query.symbolId) : undefined
      return market === undefined ? null : computedRecord(market, query, clock.now())
    },
    async history({ symbolId, interval, before, limit }) {
      const market = markets.get(symbolId)
      if (market === undefined) return []
      const now = clock.now()
      const until = before < now ? before : now
      return await candlesDayByDay({ until, limit }, (day) => {
        const from = instant(day * DAY_MS)
        const candles = market.candlesBetween({ from, until: instant(Math.min(from + DAY_MS, until)) }, interval)
        return { candles, cost: candles.length }
      })
    },
  }
}

/** The recording as the feed plays it: for a stock only the regular hours, as in our calendar. */
function loadRecording(dataDir: string, { file, symbol }: ReplaySource): Recording {
  const text = gunzipSync(readFileSync(join(dataDir, 'market', file))).toString('utf8')
  return layOut(regularHours(symbol.marketType, parseRecording(text, symbol.decimals)))
}
