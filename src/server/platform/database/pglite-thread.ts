import { Worker } from 'node:worker_threads'
import { WorkerRpc } from '#server/platform/concurrency/worker-rpc.ts'

export interface PgliteOptions {
  /** The folder of the database; null keeps it in memory. */
  readonly folder: string | null
  /** A result of `PgliteThread.dump`: a new database starts with this content. */
  readonly dump?: Uint8Array
}

export interface PgliteReply {
  readonly rows: Record<string, unknown>[]
  readonly command?: string
  readonly affectedRows?: number
}

/** The embedded database in its worker thread. The database has one session, so callers must take turns. */
export interface PgliteThread {
  /** Throws `EmbeddedDatabaseError` with the server's `code`, `constraint` and `detail`. */
  query(sql: string, parameters: readonly unknown[]): Promise<PgliteReply>
  /** Returns the whole data folder as one uncompressed tar file. */
  dump(): Promise<Uint8Array>
  /** Copies a consistent state of the data folder to a new folder. Statements wait during the copy. */
  copy(to: string): Promise<void>
  close(): Promise<void>
  /** Ends the thread like a kill: pending calls fail, and committed data stays in the folder. */
  kill(): Promise<void>
}

/** An error of the embedded database, with the same fields as the `pg` driver's. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError'
  readonly code?: string
  readonly constraint?: string
  readonly detail?: string

  constructor({ message, ...fields }: ErrorMessage) {
    super(message)
    Object.assign(this, fields)
  }
}

interface ErrorMessage {
  readonly message: string
  readonly code?: string
  readonly constraint?: string
  readonly detail?: string
}

interface Answer {
  readonly id: number
  readonly reply?: PgliteReply
  readonly dump?: Uint8Array
  readonly error?: ErrorMessage
}

/** Starts the worker thread and waits until the database is open. */
export async function startPglite(options: PgliteOptions): Promise<PgliteThread> {
  // An explicitly empty execArgv: flags of the main thread (a loader, a debugger's port) must not apply to the worker
  // thread.
  const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), { workerData: options, execArgv: [] })
  const questions = new WorkerRpc<Answer>(worker, 'The embedded database')

  interface Call {
    readonly call: string
    readonly sql?: string
    readonly parameters?: readonly unknown[]
    readonly to?: string
  }

  async function call(message: Call): Promise<Answer> {
    const answer = await questions.call(message)
    // Created after the wait, so that its stack includes the caller.
    if (answer.error) throw new EmbeddedDatabaseError(answer.error)
    return answer
  }

  await questions.ready()
  return {
    query: async (sql, parameters) => expected((await call({ call: 'query', sql, parameters })).reply),
    dump: async () => expected((await call({ call: 'dump' })).dump),
    copy: async (to) => {
      await call({ call: 'copy', to })
    },
    close: async () => {
      if (questions.hasEnded) return
      await call({ call: 'close' })
      await worker.terminate()
    },
    kill: async () => {
      await worker.terminate()
    },
  }
}

function expected<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The embedded database returned an unexpected reply.')
  return part
}
