import { Unreadable, type UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { type LineAddress, ProviderConnection } from '#server/market-data/feeds/providers/provider-connection.ts'
import type { ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import type { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

/** A connection from its adapter's point of view. */
export interface Line {
  /** Queues a message. */
  send(text: string): void
  /** Call when all subscriptions are confirmed. */
  ready(): void
  /** Call when the connection is about to end. Another connection is opened at once and takes over when it is ready. */
  renew(): void
  /** Call when the connection is useless: it is cut, and another connection is opened after a pause. */
  fail(why: string): void
}

/** The adapter's protocol on one connection. */
export interface Conversation {
  /**
   * Handles control messages immediately. Returns a function that applies the message's prices, or null. It runs when this connection is
   * active, and waits while the connection is a replacement. Throws when the message is unreadable.
   */
  message(text: string): (() => void) | null
  /** Handles an unreadable message that may have contained this trade. Returns a function that runs when this connection is active. */
  unread?(trade: UnreadTrade): () => void
  /** The connection is quiet: requests a reply, where the provider supports that. */
  probe?(): void
}

export interface SocketPlan<T extends Conversation> extends LineAddress {
  readonly limits: SocketLimits
  /** A pause requested by the provider on any of its sockets. */
  readonly rest?: RestPeriod
  /** Called when a connection is open, to subscribe. */
  readonly talk: (line: Line) => T
  readonly connected: () => void
  readonly disconnected: (why: string) => void
  readonly unreadable: (why: string) => void
}

interface Talk<T> {
  readonly line: ProviderConnection
  conversation: T | null
  readyAt: number | null
  cancelReady: () => void
  /** Functions to run once this connection is active. */
  readonly held: (() => void)[]
}

const MAX_HELD_CALLS = 200_000

/**
 * A connection that is kept open while it is needed. A lost connection is opened again after random pauses that grow.
 * Before the provider ends the connection, a second connection takes over without a gap. No method throws.
 */
export class ProviderSocket<T extends Conversation> {
  readonly #tools: ProviderTools
  readonly #plan: SocketPlan<T>
  /** The active connection, and its replacement. */
  #current: Talk<T> | null = null
  #next: Talk<T> | null = null
  #failures = 0
  #isStopped = true
  #cancelAttempt: () => void = () => undefined
  #cancelRenewal: () => void = () => undefined
  #cancelTakeover: () => void = () => undefined
  readonly #closing = new Set<Promise<void>>()

  constructor(tools: ProviderTools, plan: SocketPlan<T>) {
    this.#tools = tools
    this.#plan = plan
  }

  start(): void {
    if (!this.#isStopped) return
    this.#isStopped = false
    this.#openWhenAllowed()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelAttempt()
    this.#cancelRenewal()
    this.#cancelTakeover()
    for (const talk of [this.#current, this.#next]) if (talk !== null) this.#leave(talk)
    this.#current = null
    this.#next = null
    await Promise.all(this.#closing)
  }

  /** Opens another connection at once. It takes over when it is ready. */
  renew(): void {
    if (this.#current !== null) this.#renew(this.#current)
  }

  /** The open connections, including the replacement, for new subscriptions. */
  conversations(): T[] {
    return [this.#current, this.#next].flatMap((talk) => talk?.conversation ?? [])
  }

  #open(): Talk<T> {
    const { limits, talk: converse } = this.#plan
    const talk: Talk<T> = {
      conversation: null,
      readyAt: null,
      cancelReady: () => undefined,
      held: [],
      line: new ProviderConnection(this.#tools, limits, this.#plan, {
        opened: () => {
          talk.cancelReady = this.#tools.clock.after(limits.readyWithinMs, () => {
            talk.line.end('what was asked for was not granted in time')
          })
          talk.conversation = converse({
            send: (text) => talk.line.send(text),
            ready: () => this.#ready(talk),
            renew: () => this.#renew(talk),
            fail: (why) => talk.line.end(why),
          })
        },
        message: (text) => this.#hear(talk, text),
        quiet: () => talk.conversation?.probe?.(),
        closed: (why, waitMs) => {
          talk.cancelReady()
          this.#lost(talk, why, waitMs)
        },
      }),
    }
    return talk
  }

  #hear(talk: Talk<T>, text: string): boolean {
    try {
      const deed = talk.conversation?.message(text) ?? null
      if (deed !== null) this.#do(talk, deed)
      return true
    } catch (error) {
      this.#plan.unreadable(error instanceof Error ? error.message : 'not readable')
      const trade = error instanceof Unreadable ? error.trade : { symbol: null }
      const deed = trade === null ? undefined : talk.conversation?.unread?.(trade)
      if (deed !== undefined) this.#do(talk, deed)
      return false
    }
  }

  #do(talk: Talk<T>, deed: () => void): void {
    if (talk === this.#current) return deed()
    if (talk !== this.#next) return
    talk.held.push(deed)
    if (talk.held.length > MAX_HELD_CALLS) talk.line.end('it could not take over in time')
  }

  #ready(talk: Talk<T>): void {
    if (talk.readyAt !== null || this.#isStopped) return
    talk.readyAt = this.#tools.clock.steady()
    talk.cancelReady()
    if (talk === this.#current) {
      this.#plan.connected()
      this.#renewLater(talk)
    }
    // The old connection may lag behind the new connection, so the remaining messages of the old connection come first.
    else if (talk === this.#next)
      this.#cancelTakeover = this.#tools.clock.after(this.#plan.limits.overlapMs, () => this.#takeOver())
  }

  #renewLater(talk: Talk<T>): void {
    const { renewAfterMs } = this.#plan.limits
    this.#cancelRenewal()
    if (renewAfterMs === null) return
    // Randomised, so that the connections of an installation are not renewed at the same time.
    const waitMs = renewAfterMs * (1 - chance(this.#tools) * 0.05)
    this.#cancelRenewal = this.#tools.clock.after(waitMs, () => this.#renew(talk))
  }

  #renew(talk: Talk<T>): void {
    if (this.#isStopped || talk !== this.#current || this.#next !== null) return
    this.#cancelAttempt()
    if (this.#restMs > 0) this.#attemptLater(this.#restMs, () => this.#renew(talk))
    else this.#next = this.#open()
  }

  #openWhenAllowed(): void {
    if (this.#restMs > 0) this.#attemptLater(this.#restMs, () => this.#openWhenAllowed())
    else this.#current = this.#open()
  }

  get #restMs(): number {
    return this.#plan.rest?.leftMs ?? 0
  }

  #takeOver(): void {
    const old = this.#current
    const next = this.#next
    if (next === null) return
    this.#cancelTakeover()
    this.#current = next
    this.#next = null
    if (old !== null) this.#leave(old)
    else if (next.readyAt !== null) this.#plan.connected()
    for (const deed of next.held.splice(0)) deed()
    if (next.readyAt !== null) this.#renewLater(next)
  }

  #leave(talk: Talk<T>): void {
    talk.cancelReady()
    const closed = talk.line.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  #lost(talk: Talk<T>, why: string, waitMs: number): void {
    if (this.#isStopped) return
    this.#plan.rest?.begin(waitMs, why)
    const readyMs = talk.readyAt === null ? 0 : this.#tools.clock.steady() - talk.readyAt
    const wasSteady = talk.readyAt !== null && readyMs >= this.#plan.limits.steadyAfterMs
    if (wasSteady) this.#failures = 0
    if (talk === this.#next) {
      this.#cancelTakeover()
      this.#next = null
      const current = this.#current
      if (current !== null) this.#attemptLater(waitMs, () => this.#renew(current))
    } else if (talk === this.#current) {
      this.#cancelRenewal()
      this.#plan.disconnected(why)
      this.#current = null
      if (this.#next !== null) this.#takeOver()
      else this.#attemptLater(waitMs, () => this.#openWhenAllowed())
    }
  }

  #attemptLater(minWaitMs: number, attempt: () => void): void {
    const { backOffFromMs, backOffToMs } = this.#plan.limits
    const maxBackOffMs = Math.min(backOffToMs, backOffFromMs * 2 ** Math.min(this.#failures, 20))
    this.#failures += 1
    this.#cancelAttempt()
    const waitMs = minWaitMs + chance(this.#tools) * maxBackOffMs
    this.#cancelAttempt = this.#tools.clock.after(waitMs, () => {
      if (!this.#isStopped) attempt()
    })
  }
}

/** A random number: at least 0, and less than 1. */
export function chance({ randomBytes }: ProviderTools): number {
  const [a = 0, b = 0] = randomBytes(2)
  return (a * 256 + b) / 65_536
}
