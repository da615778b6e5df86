import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { Candle } from '#core/markets/candle.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { type Price, priceText, VOLUME_DECIMALS } from '#core/money/price.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import type { Connection } from '#server/live/connection.ts'
import { CONGESTED_BYTES } from '#server/live/connection.ts'
import { textFrame } from '#server/live/text-frame.ts'
import type { ListedSymbol } from '#server/markets/market-catalogue.ts'
import type { ClosedCandle } from '#server/ticks/candle.queries.ts'
import type { TickService } from '#server/ticks/create-ticks.ts'
import type { TickBatch } from '#server/ticks/ticks.ts'

const SEND_EVERY_MS = 250

interface Topic {
  readonly symbol: ListedSymbol
  readonly interval: ChartInterval
  readonly members: Set<Connection>
  sentAt: number
  cancelTimer: (() => void) | null
}

/**
 * `/ws/<product>@kline_<interval>` in the exchanges' words: the open candle at most every 250 ms, and each candle once
 * more, with `x` true, when it has closed and before the next one opens.
 */
export class CandleSocket {
  private readonly ctx: Ctx
  private readonly ticks: Pick<TickService, 'openCandle' | 'candles'>
  private readonly topics = new Map<string, Topic>()

  constructor(ctx: Ctx, ticks: Pick<TickService, 'openCandle' | 'candles'>) {
    this.ctx = ctx
    this.ticks = ticks
  }

  open(connection: Connection, symbol: ListedSymbol, interval: ChartInterval): void {
    const key = topicKey(symbol.id, interval)
    let topic = this.topics.get(key)
    if (topic === undefined) {
      topic = { symbol, interval, members: new Set(), sentAt: Number.NEGATIVE_INFINITY, cancelTimer: null }
      this.topics.set(key, topic)
    }
    const { members } = topic
    members.add(connection)
    // Nothing is asked of this client but to listen; what it says only counts against its rate.
    connection.onText(() => {})
    connection.onClose(() => {
      members.delete(connection)
      if (members.size > 0) return
      topic.cancelTimer?.()
      if (this.topics.get(key) === topic) this.topics.delete(key)
    })
    const current = this.ticks.openCandle(symbol.id, interval)
    if (current !== null) connection.write(this.frame(topic, current, false))
  }

  accepted({ ticks }: TickBatch): void {
    if (this.topics.size === 0) return
    const changed = new Set(ticks.map((tick) => tick.symbolId))
    for (const topic of this.topics.values()) if (changed.has(topic.symbol.id)) this.schedule(topic)
  }

  closed({ symbolId, interval, candle }: ClosedCandle): void {
    const topic = this.topics.get(topicKey(symbolId, interval))
    if (topic === undefined) return
    topic.cancelTimer?.()
    topic.cancelTimer = null
    this.send(topic, candle, true)
  }

  stop(): void {
    for (const topic of this.topics.values()) topic.cancelTimer?.()
    this.topics.clear()
  }

  private schedule(topic: Topic): void {
    if (topic.cancelTimer !== null) return
    const wait = topic.sentAt + SEND_EVERY_MS - this.ctx.now()
    if (wait <= 0) {
      this.sendOpen(topic)
      return
    }
    topic.cancelTimer = this.ctx.clock.after(wait, () => {
      topic.cancelTimer = null
      this.sendOpen(topic)
    })
  }

  private sendOpen(topic: Topic): void {
    const candle = this.ticks.openCandle(topic.symbol.id, topic.interval)
    if (candle === null) return
    topic.sentAt = this.ctx.now()
    this.send(topic, candle, false)
  }

  private send(topic: Topic, candle: Candle, isClosed: boolean): void {
    const frame = this.frame(topic, candle, isClosed)
    for (const connection of topic.members) {
      // An open candle is replaced by the next message anyway; a closed one is said only once.
      if (isClosed || connection.waitingBytes <= CONGESTED_BYTES) connection.write(frame)
    }
  }

  private frame({ symbol, interval }: Topic, candle: Candle, isClosed: boolean): Buffer {
    return textFrame(JSON.stringify(klineMessage(symbol, interval, candle, { isClosed, now: this.ctx.now() })))
  }
}

function topicKey(symbolId: number, interval: ChartInterval): string {
  return `${symbolId}@${interval}`
}

export function klineMessage(
  symbol: ListedSymbol,
  interval: ChartInterval,
  candle: Candle,
  { isClosed, now }: { isClosed: boolean; now: Instant },
): KlineMessage {
  const text = (value: Price) => priceText(value, symbol.decimals)
  return {
    e: 'kline',
    E: now,
    s: symbol.productId,
    k: {
      t: candle.openTime,
      T: candle.openTime + intervalMs(interval) - 1,
      s: symbol.productId,
      i: interval,
      o: text(candle.open),
      h: text(candle.high),
      l: text(candle.low),
      c: text(candle.close),
      v: formatDecimal(BigInt(candle.volume), VOLUME_DECIMALS),
      x: isClosed,
    },
  }
}
