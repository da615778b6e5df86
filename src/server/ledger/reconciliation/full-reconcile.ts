import { type Instant, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { ReconcileOptions } from '#server/ledger/reconciliation/reconcile-options.ts'
import {
  holdRun,
  type LedgerRun,
  moveRun,
  readRun,
  type Recount,
  sessionOf,
} from '#server/ledger/reconciliation/ledger-run.queries.ts'
import { addPortion, findPortionEnd } from '#server/ledger/reconciliation/full-reconcile.queries.ts'

/** The target duration of a portion: too short to delay users who trade. */
const AIM_MS = 250
/** The pause is ten times the duration of the portion, so a recount uses less than a tenth of one core. */
const REST_FACTOR = 10
const MIN_REST_MS = SECOND_MS / 4
/** A longer remaining pause means that the clock was set back. */
const MAX_REST_MS = 5 * MINUTE_MS
/** The smallest portion, and the size of the first one. In smaller portions the fixed cost dominates. */
const MIN_PORTION_ROWS = 10_000
const MAX_PORTION_ROWS = 1_000_000

/** Returns the state of a recount that has read nothing yet. */
export function beginRecount(run: bigint, startedAt: Instant): Recount {
  return { run, until: instant(0), startedAt, workedMs: 0, nextAt: startedAt, portion: MIN_PORTION_ROWS }
}

/**
 * Whether the recount reaches as far as the current sums. Then no rows are left to read, and a check can start from the
 * recount.
 */
function isComplete({ recount, until }: LedgerRun): boolean {
  return recount !== null && recount.until >= until
}

/**
 * Returns the run from which a check starts: the recount, once it reaches as far as the current sums, else the current
 * run.
 */
export function freshestRun(run: LedgerRun): LedgerRun {
  const { recount } = run
  if (recount === null || !isComplete(run)) return run
  const { until, startedAt, workedMs } = recount
  return { run: recount.run, until, wholeAt: startedAt, wholeTookMs: workedMs, recount: null }
}

/**
 * Adds the next portion of all transfers and orders to the recount that is under way. Returns the pause until the next
 * portion in ms. Returns null when there is no recount, or when it is complete and the next check starts from it.
 *
 * A portion's sums and the progress of the recount are committed together, under the lock that checks use. So each
 * transfer is summed once, whichever server runs the portion and whether or not it fails. A recount ends where the
 * current sums end, so it misses no transaction that is not yet committed.
 */
export async function reconcileNextRange({ db, now, onSession }: ReconcileOptions): Promise<number | null> {
  const known = await readRun(db)
  if (known.recount === null || isComplete(known)) return null
  try {
    return await db.transaction().execute(async (tx) => {
      onSession?.(await sessionOf(tx))
      const held = await holdRun(tx)
      // Another server has locked the run, for a portion or a check.
      if (held === null) return REST_FACTOR * AIM_MS
      const { recount, until: mark } = held
      if (recount === null || isComplete(held)) return null
      const startedAt = now()
      const leftMs = recount.nextAt - startedAt
      if (leftMs > 0 && leftMs <= MAX_REST_MS) return leftMs

      const from = recount.until
      const end = await findPortionEnd(tx, from, recount.portion)
      const isFull = end !== null && end < mark
      const until = isFull ? end : mark
      await addPortion(tx, { run: recount.run, from, until })

      const tookMs = Math.max(0, now() - startedAt)
      const restMs = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, REST_FACTOR * tookMs))
      const next = {
        until,
        workedMs: recount.workedMs + tookMs,
        nextAt: later(startedAt, tookMs + restMs),
        portion: nextPortion(recount.portion, { tookMs, isFull }),
      }
      await moveRun(tx, { ...held, recount: { ...recount, ...next } })
      return isFull ? restMs : null
    })
  } finally {
    onSession?.(null)
  }
}

/**
 * Returns the next portion size for the target duration, which is at least half and at most double the last size. After
 * a portion that was not full, the size does not grow.
 */
function nextPortion(portion: number, { tookMs, isFull }: { tookMs: number; isFull: boolean }): number {
  const factor = Math.min(isFull ? 2 : 1, Math.max(1 / 2, AIM_MS / Math.max(1, tookMs)))
  return Math.min(MAX_PORTION_ROWS, Math.max(MIN_PORTION_ROWS, Math.round(factor * portion)))
}
