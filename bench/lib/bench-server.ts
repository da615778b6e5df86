import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '#test/support/server-process.ts'

export interface BenchServer {
  readonly address: string
  readonly pid: number
  /** Its data folder, which goes with it. */
  readonly folder: string
  /** Stops it in good order. */
  close(): Promise<void>
}

/**
 * The server as an operator starts it, without resident bots, on the PostgreSQL that measurements are given, or on what
 * `environment` names.
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
