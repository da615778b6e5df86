import { TickerSocketIn, type TickerSocketOut } from '#contract/live/ticker-socket.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Connection } from '#server/sockets/connection.ts'
import { FanOut } from '#server/sockets/fan-out.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import { exchangeTime, tickerMessage, tickerProduct } from '#server/market-data/wire/tick-messages.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { TickBatch, TickService } from '#server/market-data/ticks.ts'

export interface TickerSocketOptions {
  readonly ctx: Ctx
  readonly ticks: Pick<TickService, 'latest' | 'day'>
  readonly catalogue: MarketCatalogue
  readonly flushMs: number
}

const CHANNELS = ['ticker', 'heartbeat'] as const
type Channel = (typeof CHANNELS)[number]
type Wishes = Record<Channel, Set<number>>

/**
 * Serves `/ws/ticker`: the ticker channel by product id, with one message per product and frame, conflated like all
 * prices.
 */
export class TickerSocket {
  private readonly options: TickerSocketOptions
  private readonly fanOut: FanOut
  private readonly clients = new Map<Connection, Wishes>()
  private cancelTimer: (() => void) | null = null

  constructor(options: TickerSocketOptions) {
    this.options = options
    const { ctx, ticks, catalogue, flushMs } = options
    this.fanOut = new FanOut({
      ctx,
      flushMs,
      encode: (symbolId) => {
        const symbol = catalogue.byId(symbolId)
        const day = ticks.day(symbolId)
        return symbol && day && JSON.stringify(tickerMessage(symbol, day))
      },
      frames: (texts) => Buffer.concat(texts.map(textFrame)),
    })
    this.beat()
  }

  accepted({ ticks }: TickBatch): void {
    this.fanOut.changed(new Set(ticks.map((tick) => tick.symbolId)))
  }

  /** Publishes figures of a symbol that changed without a tick. */
  dayKnown(symbolId: number): void {
    this.fanOut.changed([symbolId])
  }

  stop(): void {
    this.fanOut.stop()
    this.cancelTimer?.()
  }

  open(connection: Connection): void {
    this.clients.set(connection, { ticker: new Set(), heartbeat: new Set() })
    connection.onText((text) => this.hear(connection, text))
    connection.onClose(() => {
      this.clients.delete(connection)
      this.fanOut.drop(connection)
    })
  }

  private hear(connection: Connection, text: string): void {
    const wishes = this.clients.get(connection)
    const parsed = TickerSocketIn.safeParse(parseJson(text))
    if (wishes === undefined) return
    if (!parsed.success) {
      this.tell(connection, {
        type: 'error',
        message: 'Malformed JSON',
        reason: 'not a subscribe or unsubscribe message',
      })
      connection.countUnreadable()
      return
    }
    const subscriptions = this.read(parsed.data, wishes)
    if (typeof subscriptions === 'string') {
      this.tell(connection, { type: 'error', message: `Failed to ${parsed.data.type}`, reason: subscriptions })
      return
    }
    for (const { channel, symbolIds } of subscriptions) {
      // Without products, the message ends the whole channel.
      if (symbolIds.length === 0) wishes[channel].clear()
      for (const id of symbolIds) {
        if (parsed.data.type === 'subscribe') wishes[channel].add(id)
        else wishes[channel].delete(id)
      }
    }
    this.tell(connection, {
      type: 'subscriptions',
      channels: CHANNELS.filter((name) => wishes[name].size > 0).map((name) => ({
        name,
        product_ids: [...wishes[name]].flatMap((id) => this.productOf(id)),
      })),
    })
    this.fanOut.watch(connection, wishes.ticker)
  }

  /** Parses a subscription. Returns the reason when any part of it is invalid. */
  private read(request: TickerSocketIn, wishes: Wishes): { channel: Channel; symbolIds: number[] }[] | string {
    const subscriptions: { channel: Channel; symbolIds: number[] }[] = []
    for (const wanted of request.channels ?? ['ticker']) {
      const { name, product_ids } = typeof wanted === 'string' ? { name: wanted } : wanted
      const channel = CHANNELS.find((known) => known === name)
      if (channel === undefined) return `${name} is not a valid channel`
      const symbolIds: number[] = []
      for (const product of product_ids ?? request.product_ids ?? []) {
        const symbolId = this.find(product) ?? this.findAmong(wishes[channel], product)
        if (symbolId === undefined) return `${product} is not a valid product`
        symbolIds.push(symbolId)
      }
      if (symbolIds.length === 0 && request.type === 'subscribe') return 'product_ids must not be empty'
      subscriptions.push({ channel, symbolIds })
    }
    return subscriptions
  }

  private find(product: string): number | undefined {
    const wanted = product.toUpperCase()
    return this.options.catalogue.symbols.find((symbol) => tickerProduct(symbol) === wanted)?.id
  }

  /** Finds a product among subscribed ones, which may have been removed from the market list since. */
  private findAmong(symbolIds: ReadonlySet<number>, product: string): number | undefined {
    const wanted = product.toUpperCase()
    return [...symbolIds].find((id) => this.productOf(id).includes(wanted))
  }

  private productOf(symbolId: number): string[] {
    const symbol = this.options.catalogue.byId(symbolId)
    return symbol === null ? [] : [tickerProduct(symbol)]
  }

  /** Sends a heartbeat with the last sequence number once a second to subscribers of heartbeats. */
  private beat(): void {
    const { ctx, ticks } = this.options
    this.cancelTimer = ctx.clock.after(SECOND_MS, () => {
      this.beat()
      for (const [connection, { heartbeat }] of this.clients) {
        for (const id of heartbeat) {
          const sequence = ticks.latest(id)?.seq ?? 0
          for (const product_id of this.productOf(id)) {
            const time = exchangeTime(ctx.now())
            this.tell(connection, { type: 'heartbeat', sequence, last_trade_id: sequence, product_id, time })
          }
        }
      }
    })
  }

  private tell(connection: Connection, message: TickerSocketOut): void {
    connection.send(message)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema refuses null, so text that is not JSON is refused too.
    return null
  }
}
