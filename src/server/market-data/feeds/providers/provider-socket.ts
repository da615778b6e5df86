import { Unreadable, type UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import { type LineAddress, ProviderLine } from '#server/market-data/feeds/providers/provider-connection.ts'
import type { ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import type { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

/** A connection as its adapter sees it. */
export interface Line {
  /** Sends when its turn has come. */
  send(text: string): void
  /** All that was asked for is granted. */
  ready(): void
  /** It is about to end: another one is made at once, and takes over when it is ready. */
  renew(): void
  /** It is of no use: cuts it, and makes another one after a while. */
  fail(why: string): void
}

/** What an adapter says and understands on one line. */
export interface Conversation {
  /**
   * Takes acks and the like at once, and answers with what to do with the prices in it, if any: that is done when this
   * line counts, while a line that will replace another waits. Throws when it cannot be read.
   */
  message(text: string): (() => void) | null
  /** A message could not be read, and may have held this trade: answers what to do about it when this line counts. */
  unread?(trade: UnreadTrade): () => void
  /** The line is quiet: asks for something that will be answered, where the provider has such a thing. */
  probe?(): void
}

export interface SocketPlan<T extends Conversation> extends LineAddress {
  readonly limits: SocketLimits
  /** How long the provider wants no connections, from whichever of its sockets that is known. */
  readonly rest?: RestPeriod
  /** A line is open: asks for what is wanted. */
  readonly talk: (line: Line) => T
  readonly connected: () => void
  readonly disconnected: (why: string) => void
  readonly unreadable: (why: string) => void
}

interface Talk<T> {
  readonly line: ProviderLine
  conversation: T | null
  readyAt: number | null
  cancelReady: () => void
  /** What to do once this line counts. */
  readonly held: (() => void)[]
}

const MOST_HELD = 200_000

/**
 * A connection that is there as long as it is wanted: lost, it is made again with growing, random waits; before the
 * provider ends it, a second one takes over without a gap. Nothing in it throws.
 */
export class ProviderSocket<T extends Conversation> {
  readonly #tools: ProviderTools
  readonly #plan: SocketPlan<T>
  /** The line whose prices count, and the one that will follow it. */
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

  /** Makes another line at once, which takes over when it is ready. */
  renew(): void {
    if (this.#current !== null) this.#renew(this.#current)
  }

  /** Those that are open now, also the one that will take over: to ask for more. */
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
      line: new ProviderLine(this.#tools, limits, this.#plan, {
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
        ended: (why, waitMs) => {
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
    if (talk.held.length > MOST_HELD) talk.line.end('it could not take over in time')
  }

  #ready(talk: Talk<T>): void {
    if (talk.readyAt !== null || this.#isStopped) return
    talk.readyAt = this.#tools.clock.now()
    talk.cancelReady()
    if (talk === this.#current) {
      this.#plan.connected()
      this.#renewLater(talk)
    }
    // The old line may lag behind the new one: what it still has to say comes first.
    else if (talk === this.#next)
      this.#cancelTakeover = this.#tools.clock.after(this.#plan.limits.overlapMs, () => this.#takeOver())
  }

  #renewLater(talk: Talk<T>): void {
    const { renewAfterMs } = this.#plan.limits
    this.#cancelRenewal()
    if (renewAfterMs === null) return
    // Not all of an installation's lines at the same time.
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
    const wasSteady = talk.readyAt !== null && this.#tools.clock.now() - talk.readyAt >= this.#plan.limits.steadyAfterMs
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

  #attemptLater(atLeastMs: number, attempt: () => void): void {
    const { backOffFromMs, backOffToMs } = this.#plan.limits
    const mostMs = Math.min(backOffToMs, backOffFromMs * 2 ** Math.min(this.#failures, 20))
    this.#failures += 1
    this.#cancelAttempt()
    const waitMs = atLeastMs + chance(this.#tools) * mostMs
    this.#cancelAttempt = this.#tools.clock.after(waitMs, () => {
      if (!this.#isStopped) attempt()
    })
  }
}

/** From 0 up to 1. */
export function chance({ randomBytes }: ProviderTools): number {
  const [a = 0, b = 0] = randomBytes(2)
  return (a * 256 + b) / 65_536
}
