import { SECOND_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** SQLSTATE: what keeps the database from writing, or us from it, whatever it is asked. */
const CANNOT_WRITE = new Map<string, WriteTrouble>([
  ['25006', 'read_only'],
  ['53100', 'full'],
  ['58030', 'broken'],
  // A file is missing, or is there that should not be.
  ['58P01', 'broken'],
  ['58P02', 'broken'],
  // Of this process, not of the database.
  ['EMFILE', 'no_files'],
  ['ENFILE', 'no_files'],
  // No connection left, wrong password or user, no such database.
  ['53300', 'refused'],
  ['28P01', 'refused'],
  ['28000', 'refused'],
  ['3D000', 'refused'],
])
/** What the file system says to the embedded database. */
const CANNOT_WRITE_TEXT: readonly (readonly [RegExp, WriteTrouble])[] = [
  [/No space left on device|ENOSPC/u, 'full'],
  [/Read-only file system|EROFS/u, 'read_only'],
  [/Input\/output error|\bEIO\b|Too many open files|EMFILE|ENFILE/u, 'broken'],
  // Its thread has ended, or what runs in it has.
  [/^The embedded database (?:stopped|is closed)|PGlite is closed|unreachable|^Aborted\(/u, 'broken'],
]
/** 3 s: the writer of the price log tries again within two. While it fails, the trouble is not over. */
const TROUBLE_LASTS_MS = 3 * SECOND_MS
/** New connections are asked for when people come. */
const REFUSED_LASTS_MS = 30 * SECOND_MS

export type WriteTrouble = 'read_only' | 'full' | 'broken' | 'no_files' | 'refused'

/** One of the ways to the database: its own connections, used for one purpose. */
export interface DatabaseWay {
  readonly name: 'calls' | 'reads' | 'prices' | 'orders' | 'leases'
  /** For a question that shows whether it is alive. */
  readonly db: Db
  /** When the database last answered here, on the monotonic clock. */
  heardAt(): number
}

/** How the database does, as seen by its connections. */
export interface DatabaseHealth {
  readonly ways: readonly DatabaseWay[]
  /** Why statements that write, or new connections, have failed of late; null when none has. */
  writeTrouble(): WriteTrouble | null
  /** Replaces connections: they are dead, or lead to a server that is not the one to write to any more. */
  renew(): void
  /** Fails everything that waits for the database, and everything that comes. */
  giveUp(): void
}

/** Remembers the last statement or connection that failed because nothing can be written. */
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

/** Whether an error says that the database cannot write, and why. */
export function writeTroubleOf(error: unknown): WriteTrouble | null {
  const known = CANNOT_WRITE.get(errorCode(error) ?? '')
  if (known !== undefined) return known
  const message = error instanceof Error ? error.message : ''
  return CANNOT_WRITE_TEXT.find(([pattern]) => pattern.test(message))?.[1] ?? null
}
