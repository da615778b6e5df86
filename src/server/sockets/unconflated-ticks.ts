import type { Tick } from '#core/markets/tick.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CLOSE, CONGESTED_BYTES, type Connection } from '#server/sockets/connection.ts'
import { textFrame } from '#server/sockets/text-frame.ts'

export const MAX_UNCONFLATED_SYMBOLS = 5
const DRAIN_MS = 10 * SECOND_MS

interface Listener {
  readonly symbolIds: ReadonlySet<number>
  behindSince: number | null
}

/**
 * Sends every tick of a few symbols with its sequence number, for clients that check results themselves.
 * No tick is left out. A client that does not keep up is closed and can request the rest.
 */
export class EveryTick {
  private readonly ctx: Ctx
  private readonly encode: (tick: Tick) => string | null
  private readonly listeners = new Map<Connection, Listener>()

  constructor(ctx: Ctx, encode: (tick: Tick) => string | null) {
    this.ctx = ctx
    this.encode = encode
  }

  /** Subscribes a connection to every tick of these symbols, starting with the latest ones. */
  watch(connection: Connection, symbolIds: ReadonlySet<number>, last: readonly Tick[]): void {
    this.listeners.set(connection, { symbolIds, behindSince: null })
    const texts = last.flatMap((tick) => this.encode(tick) ?? [])
    if (texts.length > 0) connection.write(textFrame(`[${texts.join(',')}]`))
  }

  drop(connection: Connection): void {
    this.listeners.delete(connection)
  }

  accepted(ticks: readonly Tick[]): void {
    if (this.listeners.size === 0) return
    const texts = new Map<Tick, string | null>()
    for (const [connection, listener] of this.listeners) {
      if (!connection.isOpen || this.isTooFarBehind(connection, listener)) continue
      const own = ticks
        .filter((tick) => listener.symbolIds.has(tick.symbolId))
        .flatMap((tick) => this.once(texts, tick))
      if (own.length > 0) connection.write(textFrame(`[${own.join(',')}]`))
    }
  }

  private once(texts: Map<Tick, string | null>, tick: Tick): string[] {
    let text = texts.get(tick)
    if (text === undefined) {
      text = this.encode(tick)
      texts.set(tick, text)
    }
    return text === null ? [] : [text]
  }

  private isTooFarBehind(connection: Connection, listener: Listener): boolean {
    if (connection.waitingBytes <= CONGESTED_BYTES) listener.behindSince = null
    else listener.behindSince ??= this.ctx.clock.steady()
    if (listener.behindSince === null || this.ctx.clock.steady() - listener.behindSince < DRAIN_MS) return false
    connection.close(CLOSE.tooSlow, 'too slow')
    return true
  }
}
