import type { Candle } from '#core/markets/candle.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { instant, later, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CONGESTED_BYTES, type Connection } from '#server/sockets/connection.ts'
import {
  dayTickerMessage,
  klineMessage,
  knownAt,
  miniTickerMessage,
  tradeMessage,
} from '#server/market-data/wire/stream-messages.ts'
import type { Stream } from '#server/sockets/stream-name.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import type { TickBatch, TickService, ClosedCandle } from '#server/market-data/ticks.ts'

/** Minimum interval between two messages of a kind, in ms. Every trade is sent. */
const EVERY_MS = { kline: 250, miniTicker: SECOND_MS, ticker: SECOND_MS, trade: 0 } as const

export type StreamTicks = Pick<TickService, 'quote' | 'day' | 'openCandle' | 'candles'>

/** A subscriber of a stream. `isCombined`: its messages name their stream. */
export interface Follower {
  readonly connection: Connection
  readonly isCombined: boolean
}

interface Topic {
  readonly stream: Stream
  readonly followers: Set<Follower>
  sentAt: number
  cancelTimer: (() => void) | null
  /** Followers that have not received a message yet. */
  readonly waiting: Set<Follower>
}

/**
 * Serves all subscribed streams. Each message is built once for all subscribers.
 * Candles and tickers are conflated: the newest state is sent at fixed intervals, and skipped for a client that is
 * behind.
 * A closed candle and a trade are sent to every subscriber, once. A client that does not read them is closed by its
 * connection.
 */
export class StreamTopics {
  private readonly ctx: Ctx
  private readonly ticks: StreamTicks
  private readonly topics = new Map<string, Topic>()

  constructor(ctx: Ctx, ticks: StreamTicks) {
    this.ctx = ctx
    this.ticks = ticks
  }

  /** Subscribes a follower and sends the current state. */
  follow(stream: Stream, follower: Follower): void {
    let topic = this.topics.get(stream.name)
    if (topic === undefined) {
      topic = { stream, followers: new Set(), sentAt: Number.NEGATIVE_INFINITY, cancelTimer: null, waiting: new Set() }
      this.topics.set(stream.name, topic)
    }
    topic.followers.add(follower)
    const current = this.current(stream)
    if (current !== null) this.write(topic, [follower], current, { isConflated: false })
    else if (stream.of.kind === 'kline') {
      topic.waiting.add(follower)
      void this.tellNewest(topic)
    }
  }

  leave(name: string, follower: Follower): void {
    const topic = this.topics.get(name)
    if (topic === undefined) return
    topic.followers.delete(follower)
    topic.waiting.delete(follower)
    if (topic.followers.size > 0) return
    topic.cancelTimer?.()
    this.topics.delete(name)
  }

  accepted({ ticks }: TickBatch): void {
    if (this.topics.size === 0) return
    const changed = new Set(ticks.map((tick) => tick.symbolId))
    for (const topic of this.topics.values()) {
      const { symbol, of } = topic.stream
      if (!changed.has(symbol.id)) continue
      if (of.kind !== 'trade') this.schedule(topic)
      else
        for (const tick of ticks)
          if (tick.symbolId === symbol.id)
            this.write(topic, topic.followers, tradeMessage(symbol, tick), { isConflated: false })
    }
  }

  closed({ symbolId, interval, candle }: ClosedCandle): void {
    for (const topic of this.topics.values()) {
      const { symbol, of } = topic.stream
      if (symbol.id !== symbolId || of.kind !== 'kline' || of.interval !== interval) continue
      topic.cancelTimer?.()
      topic.cancelTimer = null
      topic.waiting.clear()
      this.write(topic, topic.followers, this.kline(topic.stream, candle, true), { isConflated: false })
    }
  }

  /** Publishes changed history of a symbol. Followers that have received no message yet get their first message. */
  dayKnown(symbolId: number): void {
    for (const topic of this.topics.values()) {
      const { symbol, of } = topic.stream
      if (symbol.id !== symbolId || of.kind === 'trade') continue
      if (of.kind !== 'kline') this.schedule(topic)
      else if (topic.waiting.size > 0) void this.tellNewest(topic)
    }
  }

  stop(): void {
    for (const topic of this.topics.values()) topic.cancelTimer?.()
    this.topics.clear()
  }

  private schedule(topic: Topic): void {
    if (topic.cancelTimer !== null) return
    const wait = topic.sentAt + EVERY_MS[topic.stream.of.kind] - this.ctx.clock.steady()
    if (wait <= 0) return this.tell(topic)
    topic.cancelTimer = this.ctx.clock.after(wait, () => {
      topic.cancelTimer = null
      this.tell(topic)
    })
  }

  private tell(topic: Topic): void {
    const current = this.current(topic.stream)
    if (current === null) return
    topic.sentAt = this.ctx.clock.steady()
    topic.waiting.clear()
    this.write(topic, topic.followers, current, { isConflated: true })
  }

  /** Returns the current message of a stream. A trade stream has no state, so it has no current message. */
  private current(stream: Stream): object | null {
    const { symbol, of } = stream
    if (of.kind === 'trade') return null
    if (of.kind === 'kline') {
      const candle = this.ticks.openCandle(symbol.id, of.interval)
      return candle && this.kline(stream, candle, false)
    }
    const day = this.ticks.day(symbol.id)
    if (day === null) return null
    return of.kind === 'ticker' ? dayTickerMessage(symbol, day, this.ctx.now()) : miniTickerMessage(symbol, day)
  }

  /**
   * Sends the newest stored candle when none is open, as in a closed market. Followers that received a newer message
   * are left out.
   */
  private async tellNewest(topic: Topic): Promise<void> {
    const { symbol, of } = topic.stream
    if (of.kind !== 'kline') return
    try {
      const [candle] = await this.ticks.candles({ symbolId: symbol.id, interval: of.interval, limit: 1 })
      if (candle === undefined) return
      const isClosed = later(candle.openTime, intervalMs(of.interval)) <= this.ctx.now()
      this.write(topic, topic.waiting, this.kline(topic.stream, candle, isClosed), { isConflated: false })
      topic.waiting.clear()
    } catch (error) {
      this.ctx.log.warn({ err: error, stream: topic.stream.name }, 'cannot read the newest candle')
    }
  }

  private kline({ symbol, of }: Stream, candle: Candle, isClosed: boolean): object | null {
    if (of.kind !== 'kline') return null
    const end = later(candle.openTime, intervalMs(of.interval))
    const quote = this.ticks.quote(symbol.id)
    // The message time depends on the candle and its newest price, not on the time of the request.
    const known = quote === null ? candle.openTime : Math.max(candle.openTime, knownAt(quote))
    const at = instant(isClosed ? Math.min(end, known) : known)
    return klineMessage(symbol, of.interval, candle, { isClosed, at })
  }

  private write(
    { stream }: Topic,
    followers: Iterable<Follower>,
    message: object | null,
    { isConflated }: { isConflated: boolean },
  ): void {
    if (message === null) return
    const text = JSON.stringify(message)
    let plain: Buffer | null = null
    let combined: Buffer | null = null
    for (const { connection, isCombined } of followers) {
      if (isConflated && connection.waitingBytes > CONGESTED_BYTES) continue
      if (isCombined) combined ??= textFrame(`{"stream":"${stream.name}","data":${text}}`)
      else plain ??= textFrame(text)
      const frame = isCombined ? combined : plain
      if (frame !== null) connection.write(frame)
    }
  }
}
