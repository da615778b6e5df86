import { type Instant, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { CheckParts } from '#server/ledger/reconciliation/check-parts.ts'
import {
  holdRun,
  type LedgerRun,
  moveRun,
  readRun,
  type Recount,
  sessionOf,
} from '#server/ledger/reconciliation/ledger-run.queries.ts'
import { addPortion, findPortionEnd } from '#server/ledger/reconciliation/full-reconcile.queries.ts'

/** What a portion should take: those who trade wait for nothing as short as that. */
const AIM_MS = 250
/** It rests so many times as long as the portion took: a recount costs less than a tenth of one core. */
const REST_FACTOR = 10
const LEAST_REST_MS = SECOND_MS / 4
/** Whoever finds that it should rest for longer has had its clock put back. */
const MOST_REST_MS = 5 * MINUTE_MS
/** The first one, too. With less in it a portion is mostly what it costs to begin one. */
const LEAST_PORTION = 10_000
const MOST_PORTION = 1_000_000

/** A recount that has read nothing yet. */
export function beginRecount(run: bigint, startedAt: Instant): Recount {
  return { run, until: instant(0), startedAt, workedMs: 0, nextAt: startedAt, portion: LEAST_PORTION }
}

/** Whether its sums go as far as those of the run that counts: then there is nothing more to read, and a check can go on from it. */
function isMade({ recount, until }: LedgerRun): boolean {
  return recount !== null && recount.until >= until
}

/** The run that a check goes on from: the recounted one, once its sums go as far as those of the run that counts. */
export function freshestRun(run: LedgerRun): LedgerRun {
  const { recount } = run
  if (recount === null || !isMade(run)) return run
  const { until, startedAt, workedMs } = recount
  return { run: recount.run, until, wholeAt: startedAt, wholeTookMs: workedMs, recount: null }
}

/**
 * Adds the next portion of all transfers and orders there are to the recount that is under way. Answers how long to rest until the next
 * one, in ms, and null when there is none: no recount, or one that is made, which the next check then goes on from.
 *
 * What a portion adds and how far the recount is are one commit, under the lock that checks take turns by: whichever server does it, and
 * whatever becomes of that, each transfer is in the sums once. It ends where the sums of the run that counts do, so nothing
 * that is still on its way to its commit is missed.
 */
export async function recountPortion({ db, now, onSession }: CheckParts): Promise<number | null> {
  const known = await readRun(db)
  if (known.recount === null || isMade(known)) return null
  try {
    return await db.transaction().execute(async (tx) => {
      onSession?.(await sessionOf(tx))
      const held = await holdRun(tx)
      // Another server has it, for a portion or a check.
      if (held === null) return REST_FACTOR * AIM_MS
      const { recount, until: mark } = held
      if (recount === null || isMade(held)) return null
      const startedAt = now()
      const leftMs = recount.nextAt - startedAt
      if (leftMs > 0 && leftMs <= MOST_REST_MS) return leftMs

      const from = recount.until
      const end = await findPortionEnd(tx, from, recount.portion)
      const isFull = end !== null && end < mark
      const until = isFull ? end : mark
      await addPortion(tx, { run: recount.run, from, until })

      const tookMs = Math.max(0, now() - startedAt)
      const restMs = Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, REST_FACTOR * tookMs))
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

/** Nearer to what takes as long as it should, by a half or the double at most. One that was not full says nothing of how much more it could be. */
function nextPortion(portion: number, { tookMs, isFull }: { tookMs: number; isFull: boolean }): number {
  const factor = Math.min(isFull ? 2 : 1, Math.max(1 / 2, AIM_MS / Math.max(1, tookMs)))
  return Math.min(MOST_PORTION, Math.max(LEAST_PORTION, Math.round(factor * portion)))
}
