import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { findPostgres } from '../../scripts/lib/process/ensure-system.mjs'

const run = promisify(execFile)

export interface PgbenchOptions {
  readonly clients: number
  readonly seconds: number
  /** Scripts instead of TPC-B, picked at random; at most 128. */
  readonly scripts?: readonly string[]
}

/** Runs pgbench with prepared statements and returns its transactions per second. */
export async function pgbench(url: string, { clients, seconds, scripts }: PgbenchOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-pgbench-'))
  try {
    const files = (scripts ?? []).map((script, at) => {
      const file = join(folder, `${at}.sql`)
      writeFileSync(file, script)
      return file
    })
    const what = scripts === undefined ? ['-b', 'tpcb-like'] : files.flatMap((file) => ['-f', file])
    const args = ['-n', '-M', 'prepared', '-c', clients, '-j', 2, '-T', seconds, ...what, url].map(String)
    const { stdout } = await run(programAt('pgbench'), args)
    const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    if (!(rate > 0)) throw new Error(`pgbench said no rate: ${stdout}`)
    return rate
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Creates a separate database with the tables of TPC-B on the same server. */
export async function openTpcB(url: string, scale: number): Promise<{ url: string; drop: () => Promise<void> }> {
  const database = await createEmptyPostgresDatabase(url)
  await run(programAt('pgbench'), ['-i', '-q', '-s', String(scale), database.url])
  return database
}

function programAt(name: string): string {
  const folder = findPostgres()
  if (folder === undefined) throw new Error(`there is no PostgreSQL here, so no ${name}`)
  return join(folder, name)
}
