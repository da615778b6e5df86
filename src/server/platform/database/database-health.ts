import { SECOND_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** SQLSTATE codes that mean the database cannot write, or this server cannot reach it, whatever the statement. */
const CANNOT_WRITE = new Map<string, WriteTrouble>([
  ['25006', 'read_only'],
  ['53100', 'full'],
  ['58030', 'broken'],
  // A file is missing, or exists where it should not.
  ['58P01', 'broken'],
  ['58P02', 'broken'],
  // Limits of this process, not of the database.
  ['EMFILE', 'no_files'],
  ['ENFILE', 'no_files'],
  // No connection left, wrong password or user, no such database.
  ['53300', 'refused'],
  ['28P01', 'refused'],
  ['28000', 'refused'],
  ['3D000', 'refused'],
])
/** File system errors in the embedded database's messages. */
const CANNOT_WRITE_TEXT: readonly (readonly [RegExp, WriteTrouble])[] = [
  [/No space left on device|ENOSPC/u, 'full'],
  [/Read-only file system|EROFS/u, 'read_only'],
  [/Input\/output error|\bEIO\b|Too many open files|EMFILE|ENFILE/u, 'broken'],
  // Errors of a worker thread that has ended, or of an embedded database that has ended inside its thread.
  [/^The embedded database (?:stopped|is closed)|PGlite is closed|unreachable|^Aborted\(/u, 'broken'],
]
/** 3 s: the tick log's writer retries within 2 s. While the writer keeps failing, the trouble continues. */
const TROUBLE_LASTS_MS = 3 * SECOND_MS
/** 30 s: new connections are opened only when users need them. */
const REFUSED_LASTS_MS = 30 * SECOND_MS

export type WriteTrouble = 'read_only' | 'full' | 'broken' | 'no_files' | 'refused'

/** A group of connections to the database with one purpose. */
export interface DatabaseWay {
  readonly name: 'calls' | 'reads' | 'prices' | 'orders' | 'leases'
  /** A handle for the query that shows whether the connections are alive. */
  readonly db: Db
  /** Monotonic time of the last reply from the database. */
  lastReplyAt(): number
}

/** The state of the database as seen by its connections. */
export interface DatabaseHealth {
  readonly ways: readonly DatabaseWay[]
  /** Why writes or new connections failed recently; null when none did. */
  writeTrouble(): WriteTrouble | null
  /** Replaces connections that are dead, or lead to a server that is no longer the primary. */
  renew(): void
  /** Fails every pending and every later statement. */
  giveUp(): void
}

/** Remembers the last statement or connection that failed because the database cannot write. */
export class WriteTroubles {
  readonly #steady: () => number
  #last: { readonly trouble: WriteTrouble; readonly at: number } | null = null

  constructor(steady: () => number) {
    this.#steady = steady
  }

  note(error: unknown): void {
    const trouble = writeTroubleOf(error)
    if (trouble !== null) this.#last = { trouble, at: this.#steady() }
  }

  current(): WriteTrouble | null {
    if (this.#last === null) return null
    const { trouble, at } = this.#last
    return this.#steady() - at > (trouble === 'refused' ? REFUSED_LASTS_MS : TROUBLE_LASTS_MS) ? null : trouble
  }
}

/** Returns why the database cannot write, as shown by this error; null for any other error. */
export function writeTroubleOf(error: unknown): WriteTrouble | null {
  const known = CANNOT_WRITE.get(errorCode(error) ?? '')
  if (known !== undefined) return known
  const message = error instanceof Error ? error.message : ''
  return CANNOT_WRITE_TEXT.find(([pattern]) => pattern.test(message))?.[1] ?? null
}
