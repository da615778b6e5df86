import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CLOSE, CONGESTED_BYTES, type Connection } from '#server/sockets/connection.ts'

export interface FanOutOptions {
  readonly ctx: Ctx
  /** Length of an interval in ms. A client gets at most one write per interval of the clock. */
  readonly flushMs: number
  /** Returns the newest value of a symbol as text, or null. Called once per change and interval. */
  readonly encode: (symbolId: number) => string | null
  /** Encodes several values into one buffer, as one frame or several. */
  readonly frames: (texts: readonly string[]) => Buffer
}

const DRAIN_MS = 10 * SECOND_MS

/** Clients that watch the same symbols and share one buffer. */
interface Group {
  readonly key: string
  readonly symbolIds: ReadonlySet<number>
  readonly members: Map<Connection, Member>
}

interface Member {
  /**
   * Symbols that changed while the client was behind. When it has caught up, it gets the newest value of each symbol
   * once.
   */
  readonly missed: Set<number>
  behindSince: number | null
}

/**
 * Sends the newest prices to many clients.
 * A change is encoded once, joined once per group of equal subscriptions, and written to each client at most once per
 * `flushMs`.
 * A slow client delays only itself: it is skipped while it is behind, then gets the newest values. A client that
 * stays behind is closed.
 * Only the newest value is stored, so no client can receive an older price after a newer one.
 */
export class FanOut {
  private readonly ctx: Ctx
  private readonly flushMs: number
  private readonly encodeOne: (symbolId: number) => string | null
  private readonly frames: (texts: readonly string[]) => Buffer
  private readonly groups = new Map<string, Group>()
  private readonly groupOf = new Map<Connection, Group>()
  /**
   * Encoded values of the current interval only, because some values change with time alone, such as the price of 24
   * hours ago.
   */
  private readonly encoded = new Map<number, string | null>()
  private encodedIn = Number.NEGATIVE_INFINITY
  private dirty = new Set<number>()
  /** The interval of the last flush. */
  private flushedIn = Number.NEGATIVE_INFINITY
  private cancelTimer: (() => void) | null = null

  constructor({ ctx, flushMs, encode, frames }: FanOutOptions) {
    this.ctx = ctx
    this.flushMs = flushMs
    this.encodeOne = encode
    this.frames = frames
  }

  /** Subscribes a connection to these symbols and sends their latest values. */
  watch(connection: Connection, symbolIds: Iterable<number>): void {
    this.drop(connection)
    const wanted = new Set([...symbolIds].toSorted((a, b) => a - b))
    const key = [...wanted].join(',')
    let group = this.groups.get(key)
    if (group === undefined) {
      group = { key, symbolIds: wanted, members: new Map() }
      this.groups.set(key, group)
    }
    group.members.set(connection, { missed: new Set(), behindSince: null })
    this.groupOf.set(connection, group)
    this.write(connection, wanted)
  }

  drop(connection: Connection): void {
    const group = this.groupOf.get(connection)
    if (group === undefined) return
    this.groupOf.delete(connection)
    group.members.delete(connection)
    if (group.members.size === 0) this.groups.delete(group.key)
  }

  changed(symbolIds: Iterable<number>): void {
    for (const symbolId of symbolIds) {
      this.encoded.delete(symbolId)
      if (this.groups.size > 0) this.dirty.add(symbolId)
    }
    if (this.dirty.size === 0) return
    if (this.cancelTimer !== null) return
    const wait = this.untilNext()
    if (wait <= 0) this.flush()
    else
      this.cancelTimer = this.ctx.clock.after(wait, () => {
        this.cancelTimer = null
        this.flush()
      })
  }

  /**
   * Returns the rest of the current interval if this interval already had a flush, else 0. Prices leave the log in the
   * same fixed intervals. If each flush were timed from the last flush, one late batch would delay all later prices.
   */
  private untilNext(): number {
    if (this.flushMs === 0) return 0
    const now = this.ctx.now()
    // After the clock was set back, the current interval may be earlier than the interval of the last flush.
    return this.stretchOf(now) !== this.flushedIn ? 0 : (this.flushedIn + 1) * this.flushMs - now
  }

  private stretchOf(at: number): number {
    return this.flushMs === 0 ? at : Math.floor(at / this.flushMs)
  }

  stop(): void {
    this.cancelTimer?.()
    this.cancelTimer = null
  }

  private flush(): void {
    this.flushedIn = this.stretchOf(this.ctx.now())
    const dirty = this.dirty
    this.dirty = new Set()
    for (const group of this.groups.values()) {
      const changed = new Set([...dirty].filter((symbolId) => group.symbolIds.has(symbolId)))
      const frames = this.framesOf(changed)
      for (const [connection, member] of group.members) this.serve(connection, member, changed, frames)
    }
  }

  private serve(connection: Connection, member: Member, changed: ReadonlySet<number>, frames: Buffer | null): void {
    if (!connection.isOpen) return
    if (connection.waitingBytes > CONGESTED_BYTES) {
      for (const symbolId of changed) member.missed.add(symbolId)
      member.behindSince ??= this.ctx.clock.steady()
      if (this.ctx.clock.steady() - member.behindSince >= DRAIN_MS) connection.close(CLOSE.tooSlow, 'too slow')
      return
    }
    member.behindSince = null
    if (member.missed.size === 0) {
      if (frames !== null) connection.write(frames)
      return
    }
    this.write(connection, new Set([...member.missed, ...changed]))
    member.missed.clear()
  }

  private write(connection: Connection, symbolIds: ReadonlySet<number>): void {
    const frames = this.framesOf(symbolIds)
    if (frames !== null) connection.write(frames)
  }

  private framesOf(symbolIds: ReadonlySet<number>): Buffer | null {
    const texts: string[] = []
    for (const symbolId of symbolIds) {
      const text = this.textOf(symbolId)
      if (text !== null) texts.push(text)
    }
    return texts.length === 0 ? null : this.frames(texts)
  }

  private textOf(symbolId: number): string | null {
    const stretch = this.stretchOf(this.ctx.now())
    if (this.encodedIn !== stretch) {
      this.encoded.clear()
      this.encodedIn = stretch
    }
    let text = this.encoded.get(symbolId)
    if (text === undefined) {
      text = this.encodeOne(symbolId)
      this.encoded.set(symbolId, text)
    }
    return text
  }
}
