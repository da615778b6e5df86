import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'

/** Processor time in milliseconds. Unlike elapsed time, it hardly depends on other load of the machine. */
export interface ProcessorTime {
  readonly server: number
  /** Time of all database sessions. Zero when they run on another machine or the system is not Linux. */
  readonly database: number
}

/**
 * Returns a function that measures the processor time since its last call, of a server (default: this process) and the
 * sessions of its database.
 */
export function processorClock(db: Db, pid = process.pid): () => Promise<ProcessorTime> {
  let own = ofThreads(pid)
  let sessions: ReadonlyMap<number, number> = new Map()
  return async () => {
    const before = sessions
    sessions = await ofSessions(db)
    const ownBefore = own
    own = ofThreads(pid)
    let database = 0
    for (const [pid, ms] of sessions) database += ms - (before.get(pid) ?? 0)
    return { server: own - ownBefore, database }
  }
}

/** Returns a function for the idle share of all processors since its last call. */
export function restOfMachine(): () => number {
  const look = () => {
    const times = cpus().map(({ times: { idle, user, nice, sys, irq } }) => ({
      idle,
      all: idle + user + nice + sys + irq,
    }))
    return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.map(({ all }) => all)) }
  }
  let last = look()
  return () => {
    const before = last
    last = look()
    return (last.idle - before.idle) / (last.all - before.all)
  }
}

function sum(all: readonly number[]): number {
  return all.reduce((so, one) => so + one, 0)
}

async function ofSessions(db: Db): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db)
  try {
    return new Map(rows.map(({ pid }) => [pid, onProcessor(String(pid))]))
  } catch {
    return new Map()
  }
}

/** Ended threads are not counted; working threads live as long as their process. */
function ofThreads(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + onProcessor(`${pid}/task/${thread}`), 0)
  } catch {
    return Number.NaN
  }
}

function onProcessor(task: string): number {
  const [nanoseconds] = readFileSync(`/proc/${task}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}
