import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** Processor time in milliseconds. Unlike time on the clock it is hardly changed by what else runs on the machine. */
export interface ProcessorTime {
  readonly server: number
  /** Of all sessions in the database; nothing where they run on another machine, or the system is not Linux. */
  readonly database: number
}

/** Of this process and of the sessions of its database from one call to the next. */
export function processorClock(db: Db): () => Promise<ProcessorTime> {
  let own = process.cpuUsage()
  let sessions: ReadonlyMap<number, number> = new Map()
  return async () => {
    const before = sessions
    sessions = await ofSessions(db)
    const { user, system } = process.cpuUsage(own)
    own = process.cpuUsage()
    let database = 0
    for (const [pid, ms] of sessions) database += ms - (before.get(pid) ?? 0)
    return { server: (user + system) / 1e3, database }
  }
}

async function ofSessions(db: Db): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db)
  try {
    return new Map(rows.map(({ pid }) => [pid, onProcessor(pid)]))
  } catch {
    return new Map()
  }
}

function onProcessor(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}
