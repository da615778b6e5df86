import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { freePort } from '#test/support/nats-server.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

/** An installation with a data folder, a database and a fixed address, whose server starts and stops. */
export class Site {
  readonly folder: string
  readonly address: string
  databaseUrl: string | undefined
  server: ServerProcess | null = null
  /** Additional environment variables of the server. */
  extra: Readonly<Record<string, string>> = {}
  /**
   * `path`: a program that runs instead of the usual server program. `before`: a command that starts the server, and
   * its arguments.
   */
  program: { readonly path?: string; readonly before?: readonly string[] } = {}

  private constructor(folder: string, port: number, databaseUrl: string | undefined) {
    this.folder = folder
    this.address = `http://127.0.0.1:${port}`
    this.databaseUrl = databaseUrl
  }

  /** Creates a site on PostgreSQL, or without a URL on the embedded database. */
  static async make(databaseUrl?: string): Promise<Site> {
    return new Site(mkdtempSync(join(tmpdir(), 'fairwick-site-')), await freePort(), databaseUrl)
  }

  /** The environment of the server and of the operator commands. */
  get environment(): Record<string, string> {
    return {
      FAIRWICK_DATA_DIR: this.folder,
      PORT: new URL(this.address).port,
      LOG_LEVEL: 'warn',
      FAIRWICK_BOTS: 'off',
      FAIRWICK_CALLS_PER_ADDRESS: '100000',
      FAIRWICK_CALLS_PER_ACCOUNT: '100000',
      ...(this.databaseUrl !== undefined && { DATABASE_URL: this.databaseUrl }),
    }
  }

  /** Starts the server. Resolves when it accepts orders, with the duration in ms. */
  async start(): Promise<number> {
    const started = performance.now()
    this.server = await startServerProcess(
      { ...this.environment, ...this.extra },
      this.program.path,
      this.program.before,
    )
    return performance.now() - started
  }

  /** The running server. Throws when no server runs. */
  get running(): ServerProcess {
    if (this.server === null) throw new Error('no server runs')
    return this.server
  }

  /**
   * Opens the database for `work`. PostgreSQL allows this at any time, the embedded database only while the server is
   * stopped.
   */
  async withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const database = await connectDatabase({ url: this.databaseUrl, dataDir: this.folder, log: quiet, poolSize: 2 })
    try {
      return await work(database.db)
    } finally {
      await database.close()
    }
  }

  async remove(): Promise<void> {
    await this.server?.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
