import { auditCrowd } from './audit.ts'
import { Crowd, PAID_IN, startWithUsers } from './crowd.ts'
import { Site } from './site.ts'
import { startThrowAwayPostgres, type ThrowAwayPostgres } from '../../scripts/lib/throw-away-postgres.mjs'
import { waitForReceipts } from './wait-for-receipts.ts'
import { figures, type Gate, reportAudit, reportTimes } from './report.ts'

const ORDERS_BETWEEN = 60
/**
 * Before each fault, the drill waits for a random time of up to 1 s, so that faults hit any moment of the server's
 * work.
 */
const ANY_MOMENT_MS = 1_000
const MAX_OUTPUT = 5_000

export interface Stage {
  readonly site: Site
  readonly postgres: ThrowAwayPostgres
  readonly crowd: Crowd
}

/** Applies a fault to the site. Returns the measured durations by name, and resolves when orders are accepted again. */
export type Blow = (stage: Stage) => Promise<Readonly<Record<string, number>>>

/**
 * Applies `rounds` faults to a server under constant load, on a PostgreSQL that forces its writes to disk, then audits.
 * Returns the exit code: 1 when anything was lost, duplicated or wrong, or when a duration missed its gate.
 */
export async function crashDrill(rounds: number, gates: Readonly<Record<string, Gate>>, blow: Blow): Promise<number> {
  const postgres = await startThrowAwayPostgres({ isDurable: true })
  const site = await Site.make(postgres.url)
  try {
    const users = await startWithUsers(site)
    const crowd = new Crowd(users, site.address)
    const times: Record<string, number[]> = {}
    for (let round = 1; round <= rounds; round += 1) {
      await crowd.trades(ORDERS_BETWEEN)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * ANY_MOMENT_MS))
      const took = await blow({ site, postgres, crowd })
      for (const [what, ms] of Object.entries(took)) (times[what] ??= []).push(ms)
      console.log(`round ${round}: ${figures(took)}; ${crowd.acknowledged} orders so far`)
    }
    await crowd.finish()
    await site.withDatabase(waitForReceipts)
    await site.running.stop()
    const audit = await site.withDatabase((db) => auditCrowd(db, crowd.witnesses, PAID_IN))
    const isInTime = reportTimes(times, gates)
    return reportAudit(audit) && isInTime ? 0 : 1
  } catch (error) {
    console.log(site.server?.output().slice(-MAX_OUTPUT))
    throw error
  } finally {
    await site.remove()
    postgres.stop()
  }
}
