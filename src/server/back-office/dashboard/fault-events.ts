import type { DashboardSummary } from '#contract/back-office/dashboard.ts'
import { DAY_MS, type Instant, later, SECOND_MS, toIso } from '#core/time/instant.ts'
import { moneyNumber } from '#core/money/money.ts'
import { listVoidOrders, readLateResults, readLateWithdrawals } from '#server/back-office/dashboard/summary.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { FaultSpell } from '#server/platform/faults/fault-registry.ts'
import { type Downtime, downtimes, type RunEnd, runEnds } from '#server/platform/faults/run-history.ts'
import { listRuns } from '#server/platform/faults/server-run.queries.ts'

type Event = DashboardSummary['faults']['events'][number]

const MAX_EVENTS = 50

/** Returns what went wrong in the last 24 hours: void and late orders, late withdrawals, and faults of the servers. */
export async function readFaults(
  db: Db,
  now: Instant,
  spells: readonly FaultSpell[],
): Promise<DashboardSummary['faults']> {
  const since = later(now, -DAY_MS)
  const runs = await listRuns(db, since)
  const ends = runEnds(runs, now).filter(({ at }) => at >= since)
  const down = downtimes(runs, now).filter(({ until }) => until >= since)
  const events = [...spells.map(spellEvent), ...ends.map(endEvent), ...down.map(downEvent)]
  const voids = await listVoidOrders(db, since)
  const lateResults = await readLateResults(db, since)
  const lateWithdrawals = await readLateWithdrawals(db, now)
  return {
    voids: voids.reduce((sum, { orders }) => sum + orders, 0),
    void_symbols: voids.map(({ code, orders, stakes }) => ({ code, orders, stakes: moneyNumber(stakes) })),
    late_results: { orders: lateResults.orders, longest_seconds: lateResults.longestMs / SECOND_MS },
    late_withdrawals: { count: lateWithdrawals.count, amount: moneyNumber(lateWithdrawals.amount) },
    crashes: ends.filter(({ how }) => how === 'crash').length,
    down_seconds: down.reduce((sum, { from, until }) => sum + until - Math.max(from, since), 0) / SECOND_MS,
    events: events
      .toSorted((a, b) => Number(b.lasts) - Number(a.lasts) || b.at.localeCompare(a.at))
      .slice(0, MAX_EVENTS),
  }
}

function spellEvent({ kind, since, until, seconds }: FaultSpell): Event {
  const end = until === null ? null : toIso(until)
  return { kind, at: toIso(since), until: end, lasts: until === null, seconds, server: null }
}

function endEvent({ at, how, name }: RunEnd): Event {
  return { kind: how, at: toIso(at), until: null, lasts: false, seconds: null, server: name }
}

function downEvent({ from, until }: Downtime): Event {
  return { kind: 'down', at: toIso(from), until: toIso(until), lasts: false, seconds: null, server: null }
}
