import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import type { ServerClock } from '#server/platform/runtime/ports.ts'
import { LONG_READ_MARK } from '#server/platform/database/long-read.queries.ts'

/** 5 s: a new connection that takes longer has failed. */
export const CONNECT_WITHIN_MS = 5 * SECOND_MS
/** A read marked as long may take as long as the database allows, plus 5 s. */
const LONG_READ_MS = HOUR_MS + 5 * SECOND_MS
/** A second check after a silence: this process may have been suspended, and the reply may be waiting. */
const SECOND_LOOK_MS = SECOND_MS / 2

export type GuardClock = Pick<ServerClock, 'steady' | 'after'>

export interface Guarding {
  readonly clock: GuardClock
  /** How long a connection of this pool may be silent while a reply is due. */
  readonly silentMs: () => number
  /** A connection was silent for too long and was destroyed. */
  readonly onSilent: () => void
  /** The database replied to a statement, possibly with an error. */
  readonly onAnswer: () => void
  /** A statement failed. */
  readonly onError: (error: unknown) => void
}

/** Shared state of all connections to one database. */
export interface Guard {
  /** Returns the client class for a pool. */
  clientsOf(guarding: Guarding): new (config?: ClientConfig) => GuardedClient
  /** Destroys idle connections, and gives those in use 5 s: one was found dead, or leads to the wrong server. */
  renew(): void
  /** Destroys all connections and prevents new ones, because the process stops while the database does not answer. */
  giveUp(): void
}

/** A connection that is destroyed when it owes a reply for too long, so that callers get an error. */
export interface GuardedClient extends Client {
  /** Whether the pool has lent it to a caller. */
  isLent: boolean
  /** Notes that the long read has finished. */
  endLongRead(): void
}

/**
 * Monitors every connection to one database from the client side. The database has a statement timeout, but a host that vanishes never
 * applies it, and the driver would wait for ever.
 */
export function createGuard(): Guard {
  const all = new Set<Guarded>()
  let isGivenUp = false

  class Guarded extends Client {
    isLent = false
    readonly #guarding: Guarding
    readonly #socket: Socket
    #owed = 0
    #isLongRead = false
    #isSuspect = false
    #isSecondLook = false
    #lastReplyAt = 0
    #bytesRead = 0
    #cancel: (() => void) | null = null

    constructor(guarding: Guarding, config: ClientConfig | undefined) {
      const socket = new Socket()
      super({ ...config, stream: () => socket, connectionTimeoutMillis: CONNECT_WITHIN_MS })
      this.#guarding = guarding
      this.#socket = socket
      const ask = this.query.bind(this) as (...args: unknown[]) => unknown
      // The driver can be called in ten ways.
      this.query = ((...args: unknown[]) => this.#ask(ask, args)) as Client['query']
      all.add(this)
      socket.once('close', () => {
        all.delete(this)
        this.#cancel?.()
      })
      if (isGivenUp) queueMicrotask(() => this.drop('the database connection was abandoned: the server is stopping'))
    }

    get isIdle(): boolean {
      return !this.isLent && this.#owed === 0
    }

    drop(why: string): void {
      this.#socket.destroy(new Error(why))
    }

    suspect(): void {
      this.#isSuspect = true
      // A pending second check comes earlier than a new timer would.
      if (this.#owed > 0 && !this.#isLongRead && !this.#isSecondLook) this.#watch()
    }

    endLongRead(): void {
      if (!this.#isLongRead) return
      this.#isLongRead = false
      // The timer runs for the duration of a long read.
      this.#unwatch()
    }

    #unwatch(): void {
      this.#cancel?.()
      this.#cancel = null
      this.#isSecondLook = false
    }

    #ask(ask: (...args: unknown[]) => unknown, args: unknown[]): unknown {
      if (this.#owed === 0) this.#note()
      this.#owed += 1
      if (textOf(args[0]).startsWith(LONG_READ_MARK)) this.#isLongRead = true
      const answer = ask(...args)
      if (!(answer instanceof Promise)) throw new Error('only statements that return a promise are supported')
      if (this.#cancel === null) this.#watch()
      void answer.then(
        () => this.#answered(),
        (error: unknown) => {
          this.#answered()
          this.#guarding.onError(error)
        },
      )
      return answer
    }

    #answered(): void {
      this.#owed -= 1
      // A broken connection fails its statements too. That is no reply.
      if (this.#socket.destroyed) return
      this.#noteReply()
      this.#guarding.onAnswer()
    }

    #noteReply(): void {
      this.#note()
      this.#isSuspect = false
    }

    #note(): void {
      this.#lastReplyAt = this.#guarding.clock.steady()
      this.#bytesRead = this.#socket.bytesRead
    }

    #limitMs(): number {
      if (this.#isLongRead) return LONG_READ_MS
      const usual = this.#guarding.silentMs()
      return this.#isSuspect ? Math.min(usual, CONNECT_WITHIN_MS) : usual
    }

    #watch(): void {
      this.#unwatch()
      this.#cancel = this.#after(this.#leftMs(), () => {
        if (this.#owed === 0) return
        if (this.#leftMs() > 0) return this.#watch()
        this.#isSecondLook = true
        this.#cancel = this.#after(SECOND_LOOK_MS, () => {
          if (this.#owed === 0) return
          if (this.#leftMs() > 0) return this.#watch()
          this.drop('a database connection did not answer')
          this.#guarding.onSilent()
        })
      })
    }

    #after(ms: number, run: () => void): () => void {
      return this.#guarding.clock.after(ms, () => {
        this.#cancel = null
        this.#isSecondLook = false
        run()
      })
    }

    #leftMs(): number {
      if (this.#socket.bytesRead !== this.#bytesRead) this.#noteReply()
      return this.#lastReplyAt + this.#limitMs() - this.#guarding.clock.steady()
    }
  }

  return {
    clientsOf: (guarding) =>
      class extends Guarded {
        constructor(config?: ClientConfig) {
          super(guarding, config)
        }
      },
    renew() {
      for (const client of all) {
        if (client.isIdle) client.drop('a database connection is replaced')
        else client.suspect()
      }
    },
    giveUp() {
      isGivenUp = true
      for (const client of all) client.drop('the database connection was abandoned: the server is stopping')
    },
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
