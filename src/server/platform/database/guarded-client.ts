import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import type { ServerClock } from '#server/platform/runtime/ports.ts'
import { LONG_READ_MARK } from '#server/platform/database/long-read.queries.ts'

/** 5 s: a new connection is there by then, or never. */
export const CONNECT_WITHIN_MS = 5 * SECOND_MS
/** A read that announces itself may take as long as the database lets it, and a little. */
const LONG_READ_MS = HOUR_MS + 5 * SECOND_MS
/** After a silence: the process itself may have stood still, and the answer may wait to be read. */
const SECOND_LOOK_MS = SECOND_MS / 2

export type GuardClock = Pick<ServerClock, 'steady' | 'after'>

export interface Guarding {
  readonly clock: GuardClock
  /** How long a connection of this pool may owe an answer without a byte from the database. */
  readonly silentMs: () => number
  /** A connection owed an answer for too long and was destroyed. */
  readonly onSilent: () => void
  /** The database answered a statement, if only with an error. */
  readonly onAnswer: () => void
  /** A statement failed. */
  readonly onError: (error: unknown) => void
}

/** What the connections of one database have in common. */
export interface Guard {
  /** The class of clients that a pool makes. */
  clientsOf(guarding: Guarding): new (config?: ClientConfig) => GuardedClient
  /** Destroys connections that nobody uses, and gives those in use 5 s: one of them was found dead, or to lead elsewhere. */
  renew(): void
  /** Destroys all connections, and lets none be made any more: the process stops, and the database does not answer. */
  giveUp(): void
}

/** A connection that is destroyed when it owes an answer for too long, so that who waits for it is told. */
export interface GuardedClient extends Client {
  /** Lent by its pool to somebody. */
  isLent: boolean
  /** The statement that was a long read is over. */
  endLongRead(): void
}

/**
 * Watches every connection to one database from this side. The database has its own limit for statements, but a host that
 * vanishes without a word applies none: the driver would wait for ever.
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
    #heardAt = 0
    #bytesRead = 0
    #cancel: (() => void) | null = null

    constructor(guarding: Guarding, config: ClientConfig | undefined) {
      const socket = new Socket()
      super({ ...config, stream: () => socket, connectionTimeoutMillis: CONNECT_WITHIN_MS })
      this.#guarding = guarding
      this.#socket = socket
      const ask = this.query.bind(this) as (...args: unknown[]) => unknown
      // The driver has ten ways to call it.
      this.query = ((...args: unknown[]) => this.#ask(ask, args)) as Client['query']
      all.add(this)
      socket.once('close', () => {
        all.delete(this)
        this.#cancel?.()
      })
      if (isGivenUp) queueMicrotask(() => this.drop('the database was given up: the server stops'))
    }

    get isIdle(): boolean {
      return !this.isLent && this.#owed === 0
    }

    drop(why: string): void {
      this.#socket.destroy(new Error(why))
    }

    suspect(): void {
      this.#isSuspect = true
      // A second look comes sooner than what would begin anew.
      if (this.#owed > 0 && !this.#isLongRead && !this.#isSecondLook) this.#watch()
    }

    endLongRead(): void {
      if (!this.#isLongRead) return
      this.#isLongRead = false
      // It is set for as long as a long read may take.
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
      if (!(answer instanceof Promise)) throw new Error('only statements that answer with a promise are guarded')
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
      // A connection that broke fails its statements too: that is no answer.
      if (this.#socket.destroyed) return
      this.#heard()
      this.#guarding.onAnswer()
    }

    #heard(): void {
      this.#note()
      this.#isSuspect = false
    }

    #note(): void {
      this.#heardAt = this.#guarding.clock.steady()
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
      if (this.#socket.bytesRead !== this.#bytesRead) this.#heard()
      return this.#heardAt + this.#limitMs() - this.#guarding.clock.steady()
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
      for (const client of all) client.drop('the database was given up: the server stops')
    },
  }
}

function textOf(asked: unknown): string {
  if (typeof asked === 'string') return asked
  return typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : ''
}
