import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { SECOND_MS } from '#core/time/instant.ts'
import type { ServerClock } from '#server/platform/runtime/ports.ts'
import { LONG_READ_MARK } from '#server/platform/database/long-read.queries.ts'
import { ReplyDeadline } from '#server/platform/database/reply-deadline.ts'

/** 5 s: a new connection that takes longer has failed. */
export const CONNECT_WITHIN_MS = 5 * SECOND_MS
const ABANDONED = 'the database connection was abandoned: the server is stopping'

export type GuardClock = Pick<ServerClock, 'steady' | 'after'>

export interface Guarding {
  readonly clock: GuardClock
  /** How long a connection of this pool may be silent while a reply is due. */
  readonly silentMs: () => number
  /** Called when a connection was silent for too long and was destroyed. */
  readonly onSilent: () => void
  /** Called when the database replied to a statement, possibly with an error. */
  readonly onAnswer: () => void
  /** Called when a statement failed. */
  readonly onError: (error: unknown) => void
}

/**
 * Monitors every connection to one database from the client side. The database has a statement timeout, but a host that
 * vanishes never applies it, and the driver would wait for ever.
 */
export class Guard {
  readonly #clients = new Set<GuardedClient>()
  #isGivenUp = false

  /** Returns the client class for a pool. */
  clientsOf(guarding: Guarding): new (config?: ClientConfig) => GuardedClient {
    const add = (client: GuardedClient): void => this.#add(client)
    return class extends GuardedClient {
      constructor(config?: ClientConfig) {
        super(guarding, config)
        add(this)
      }
    }
  }

  /**
   * Destroys idle connections, and gives connections in use 5 s to reply. Called when a connection was found dead, or
   * leads to the wrong server.
   */
  renew(): void {
    for (const client of this.#clients) {
      if (client.isIdle) client.drop('a database connection is replaced')
      else client.suspect()
    }
  }

  /** Destroys all connections and prevents new ones, because the process stops while the database does not answer. */
  giveUp(): void {
    this.#isGivenUp = true
    for (const client of this.#clients) client.drop(ABANDONED)
  }

  #add(client: GuardedClient): void {
    this.#clients.add(client)
    client.onceClosed(() => this.#clients.delete(client))
    if (this.#isGivenUp) queueMicrotask(() => client.drop(ABANDONED))
  }
}

/** A connection that is destroyed when a reply takes too long, so that callers get an error. */
export class GuardedClient extends Client {
  /** Whether the pool has lent the connection to a caller. */
  isLent = false
  readonly #guarding: Guarding
  readonly #socket: Socket
  readonly #deadline: ReplyDeadline

  constructor(guarding: Guarding, config: ClientConfig | undefined) {
    const socket = new Socket()
    super({ ...config, stream: () => socket, connectionTimeoutMillis: CONNECT_WITHIN_MS })
    this.#guarding = guarding
    this.#socket = socket
    this.#deadline = new ReplyDeadline({
      clock: guarding.clock,
      silentMs: guarding.silentMs,
      bytesRead: () => socket.bytesRead,
      onMissed: () => {
        this.drop('a database connection did not answer')
        guarding.onSilent()
      },
    })
    const ask = this.query.bind(this) as (...args: unknown[]) => unknown
    // The driver's `query` has ten overloads, so its type must be asserted.
    this.query = ((...args: unknown[]) => this.#ask(ask, args)) as Client['query']
    this.onceClosed(() => this.#deadline.stop())
  }

  get isIdle(): boolean {
    return !this.isLent && !this.#deadline.isPending
  }

  onceClosed(run: () => void): void {
    this.#socket.once('close', run)
  }

  drop(why: string): void {
    this.#socket.destroy(new Error(why))
  }

  /** Gives the connection 5 s for its next reply. */
  suspect(): void {
    this.#deadline.suspect()
  }

  /** Notes that the long read has finished. */
  endLongRead(): void {
    this.#deadline.endLongRead()
  }

  #ask(ask: (...args: unknown[]) => unknown, args: unknown[]): unknown {
    this.#deadline.beginStatement(textOf(args[0]).startsWith(LONG_READ_MARK))
    const answer = ask(...args)
    if (!(answer instanceof Promise)) throw new Error('only statements that return a promise are supported')
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
    this.#deadline.endStatement()
    // A broken connection fails its statements too. Such a failure is not a reply.
    if (this.#socket.destroyed) return
    this.#deadline.noteReply()
    this.#guarding.onAnswer()
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
