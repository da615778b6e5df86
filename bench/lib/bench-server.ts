import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '#test/support/server-process.ts'

export interface BenchServer {
  readonly address: string
  readonly pid: number
  /** The data folder of the server, deleted on close. */
  readonly folder: string
  /** Stops it gracefully. */
  close(): Promise<void>
}

/**
 * Starts the server as an operator does, without resident bots, on the PostgreSQL of BENCH_DATABASE_URL. `environment`
 * can override each variable.
 */
export async function openBenchServer(environment: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
  const server = await startServerProcess({
    DATABASE_URL: process.env['BENCH_DATABASE_URL'] ?? '',
    FAIRWICK_DATA_DIR: folder,
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'warn',
    ...environment,
  })
  return {
    address: server.address,
    pid: server.pid,
    folder,
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
