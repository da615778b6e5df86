import { Kysely, sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'
import { WriteTroubles, writeTroubleOf } from '#server/platform/database/database-health.ts'
import { pgliteDialect } from '#server/platform/database/pglite-dialect.ts'
import type { PgliteThread } from '#server/platform/database/pglite-thread.ts'
import { ENTER_ROLE } from '#server/platform/database/server-role.ts'
import type { Tables } from '#server/platform/database/tables.ts'

/** 3 s: minimum time between two replacements of the thread while files fail. */
const REPLACE_EVERY_MS = 3 * SECOND_MS

export interface EmbeddedOptions {
  readonly clock: Pick<ServerClock, 'steady'>
  readonly log: Pick<Log, 'warn'>
  /** Opens the same folder again; null for a database in memory. */
  readonly reopen: (() => Promise<PgliteThread>) | null
}

/**
 * The single session of the embedded database in its worker thread. A thread is replaced when it has ended, or when its
 * files failed, because a thread never reopens some of its files. As after a kill, everything committed is still there.
 */
export class EmbeddedSession {
  readonly db: Kysely<Tables>
  readonly troubles: WriteTroubles
  readonly #options: EmbeddedOptions
  #thread: PgliteThread
  #lastReplyAt: number
  #isInRole = false
  #isClosing = false
  #replacedAt = Number.NEGATIVE_INFINITY
  #replacing: Promise<void> = Promise.resolve()

  constructor(first: PgliteThread, options: EmbeddedOptions) {
    const { clock } = options
    this.#options = options
    this.#thread = first
    this.#lastReplyAt = clock.steady()
    this.troubles = new WriteTroubles(() => clock.steady())
    this.db = new Kysely<Tables>({
      dialect: pgliteDialect({
        query: (text, parameters) => this.#query(text, parameters),
        close: () => this.#thread.close(),
      }),
    })
  }

  get lastReplyAt(): number {
    return this.#lastReplyAt
  }

  async enterRole(): Promise<void> {
    await sql.raw(ENTER_ROLE).execute(this.db)
    this.#isInRole = true
  }

  copy(to: string): Promise<void> {
    return this.#thread.copy(to)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#replacing
    await this.db.destroy()
  }

  async #query(...args: Parameters<PgliteThread['query']>): ReturnType<PgliteThread['query']> {
    try {
      return await this.#thread.query(...args)
    } catch (error) {
      this.troubles.note(error)
      if (writeTroubleOf(error) === 'broken') this.#replace()
      throw error
    } finally {
      this.#lastReplyAt = this.#options.clock.steady()
    }
  }

  #replace(): void {
    const { clock, log, reopen } = this.#options
    if (reopen === null || this.#isClosing || clock.steady() - this.#replacedAt < REPLACE_EVERY_MS) return
    this.#replacedAt = clock.steady()
    this.#replacing = this.#killAndOpen(reopen).catch((error: unknown) => {
      log.warn({ err: error }, 'the embedded database could not be opened again: retrying until it works')
    })
  }

  async #killAndOpen(open: () => Promise<PgliteThread>): Promise<void> {
    await this.#thread.kill()
    // The thread is replaced while the session is held, so that a running transaction fails as a whole.
    await this.db.connection().execute(async () => {
      if (this.#isClosing) return
      this.#thread = await open()
      if (this.#isInRole) await this.#thread.query(ENTER_ROLE, [])
      this.#options.log.warn({}, 'the embedded database was opened again, as it had ended or its files had failed')
    })
  }
}
