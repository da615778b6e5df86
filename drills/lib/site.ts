import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { freePort } from '#test/support/nats-server.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

/** An installation whose server comes and goes: its data folder, its database, and the address that stays the same. */
export class Site {
  readonly folder: string
  readonly address: string
  databaseUrl: string | undefined
  server: ServerProcess | null = null
  /** What its server sees besides. */
  extra: Readonly<Record<string, string>> = {}
  /** Another program that runs it, and what goes before it on the command line. */
  program: { readonly path?: string; readonly before?: readonly string[] } = {}

  private constructor(folder: string, port: number, databaseUrl: string | undefined) {
    this.folder = folder
    this.address = `http://127.0.0.1:${port}`
    this.databaseUrl = databaseUrl
  }

  /** Without an address of a PostgreSQL, on the embedded database. */
  static async make(databaseUrl?: string): Promise<Site> {
    return new Site(mkdtempSync(join(tmpdir(), 'fairwick-site-')), await freePort(), databaseUrl)
  }

  /** What its server sees of the environment, and the commands of its operator. */
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

  /** Ends when it takes orders; answers how long that took. */
  async start(): Promise<number> {
    const started = performance.now()
    this.server = await startServerProcess(
      { ...this.environment, ...this.extra },
      this.program.path,
      this.program.before,
    )
    return performance.now() - started
  }

  /** The server that runs. */
  get running(): ServerProcess {
    if (this.server === null) throw new Error('no server runs')
    return this.server
  }

  /** The database, of PostgreSQL also while the server runs. */
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
