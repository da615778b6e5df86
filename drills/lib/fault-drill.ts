import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/platform/database/tables.ts'
import { auditCrowd } from './audit.ts'
import { Crowd, PAID_IN, startWithUsers } from './crowd.ts'
import { waitForReceipts } from './wait-for-receipts.ts'
import { ReadyWatch } from './ready-watch.ts'
import type { Site } from './site.ts'
import { figures, type Gate, reportAudit, reportTimes } from './report.ts'

const ORDERS_BETWEEN = 60
const ANY_MOMENT_MS = 1_000
const MAX_OUTPUT = 5_000
/** 75 s: the server backfills missing receipts once a minute. */
const MAX_BACKFILL_MS = 75_000
/**
 * The longest durations in ms that the documentation promises for every fault that ends by itself: a goal and a hard
 * limit.
 */
const GATES: Readonly<Record<string, Gate>> = {
  'orders again': { goal: 15_000, gate: 15_000 },
  'said ready without orders': { goal: 2_500, gate: 4_000 },
  'said not ready with orders': { goal: 1_500, gate: 2_500 },
}

export interface FaultRound {
  /** A description of the fault. */
  readonly what: string
  /**
   * The fault codes that the server log must contain, once each and on level `error`. Empty: the server log must
   * contain no fault.
   */
  readonly faults: readonly string[]
  /** Causes the fault, waits, and removes it. */
  readonly blow: () => Promise<void>
}

export interface FaultDrill {
  readonly site: Site
  readonly rounds: readonly FaultRound[]
  /** An additional check at the end. Returns the problems found. */
  readonly check?: (db: Db) => Promise<string[]>
}

/**
 * Applies faults to a running server under constant load. Each fault ends by itself. An audit follows.
 * Returns whether nothing was lost, duplicated or wrong, each fault was logged once with advice, and orders resumed in
 * time.
 */
export async function faultDrill({ site, rounds, check }: FaultDrill): Promise<boolean> {
  const wrong: string[] = []
  const times: Record<string, number[]> = {}
  try {
    const users = await startWithUsers(site)
    const crowd = new Crowd(users, site.address)
    for (const [nth, { what, faults, blow }] of rounds.entries()) {
      await crowd.trades(ORDERS_BETWEEN)
      await pause(Math.random() * ANY_MOMENT_MS)
      const { pid } = site.running
      const before = faultLines(site.running.output()).length
      const ready = new ReadyWatch(site.address, () => crowd.acknowledged)
      await blow()
      const healedAt = performance.now()
      await crowd.trades(ORDERS_BETWEEN / 4)
      const again = performance.now() - healedAt
      await untilQuiet(site)
      const { falselyReadyMs, falselyNotReadyMs } = await ready.stop()
      const took = {
        'orders again': again,
        'said ready without orders': falselyReadyMs,
        'said not ready with orders': falselyNotReadyMs,
      }
      for (const [name, ms] of Object.entries(took)) (times[name] ??= []).push(ms)
      console.log(`round ${nth + 1}, ${what}: ${figures(took)}; ${crowd.acknowledged} orders so far`)
      if (site.running.hasExited()) throw new Error(`the server (${pid}) exited`)
      const said = faultLines(site.running.output()).slice(before)
      if (said.toSorted().join() !== [...faults].toSorted().join()) {
        wrong.push(`round ${nth + 1}: the log named ${said.join(', ') || 'nothing'} instead of ${faults.join(', ')}`)
      }
    }
    await crowd.finish()
    // Only its server can open the embedded database.
    if (site.databaseUrl === undefined) await pause(MAX_BACKFILL_MS)
    else await site.withDatabase(waitForReceipts)
    const code = await site.running.stop()
    if (code !== 0) wrong.push(`the ordered stop ended with ${code}`)
    const audit = await site.withDatabase((db) => auditCrowd(db, crowd.witnesses, PAID_IN))
    if (check !== undefined) wrong.push(...(await site.withDatabase(check)))
    for (const one of wrong) console.log(`WRONG: ${one}`)
    const isInTime = reportTimes(times, GATES)
    return reportAudit(audit) && isInTime && wrong.length === 0
  } catch (error) {
    console.log(site.server?.output().slice(-MAX_OUTPUT))
    throw error
  } finally {
    await site.remove()
  }
}

/** Waits until the server is ready for a whole second, so that every log line about the fault is written. */
async function untilQuiet(site: Site): Promise<void> {
  let readySince: number | null = null
  const giveUpAt = performance.now() + 30_000
  while (performance.now() < giveUpAt) {
    const answer = await fetch(`${site.address}/readyz`).catch(() => null)
    readySince = answer?.ok === true ? (readySince ?? performance.now()) : null
    if (readySince !== null && performance.now() - readySince > 1_000) return
    await pause(100)
  }
  throw new Error('the server did not become ready again')
}

/** Returns the codes of the faults that the server has logged on level `error`, in the order of its output. */
export function faultLines(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    if (!line.includes('"fault"')) return []
    const { level, fault } = JSON.parse(line) as { level?: number; fault?: string }
    return level === 50 && fault !== undefined ? [fault] : []
  })
}
