import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { TradingSite } from './trading-site.ts'

const PAGE_BYTES = 4_096

/** The state of a server under load, by its metrics and the system's figures. */
export interface Standing {
  readonly serverBytes: number
  /** Private memory of the database sessions. Shared memory has a fixed size. */
  readonly databaseBytes: number
  readonly ordersWaiting: number
  readonly receiptsWaiting: number
  readonly expiries: number
  readonly statements: number
  /** The 99th percentile of the event loop delay, in seconds. */
  readonly loopP99: number
}

/** Returns a reader of the server's metrics. The server must publish them. */
export function ownMetrics({ server, db }: TradingSite): () => Promise<Standing> {
  const address = /Metrics are at (\S+)/.exec(server.output())?.[1]
  if (address === undefined) throw new Error('the server does not say where its metrics are')
  return async () => {
    const text = await (await fetch(address)).text()
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(db)
    return {
      serverBytes: figure('process_resident_memory_bytes'),
      databaseBytes: rows.reduce((sum, { pid }) => sum + ownBytes(pid), 0),
      ordersWaiting: figure('fairwick_orders_waiting'),
      receiptsWaiting: figure('fairwick_receipts_waiting'),
      expiries: figure('fairwick_expiries_expected'),
      statements: figure('fairwick_database_waiting'),
      loopP99: figure('nodejs_eventloop_lag_p99_seconds'),
    }
  }
}

function ownBytes(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return (resident - shared) * PAGE_BYTES
  } catch {
    // The session has just ended.
    return 0
  }
}
