import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { checkLedgerIn, type LedgerReport, type LedgerScope } from '#server/ledger/reconciliation/check-ledger.ts'
import {
  dropRunsBefore,
  ensureRun,
  holdRun,
  type LedgerRun,
  moveRun,
  readRun,
  sessionOf,
} from '#server/ledger/reconciliation/ledger-run.queries.ts'
import { beginRecount, freshestRun } from '#server/ledger/reconciliation/full-reconcile.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'
import type { ReconcileOptions } from '#server/ledger/reconciliation/reconcile-options.ts'

/**
 * The kind of a check. `whole` reads everything. `quick` starts from stored sums if there are any. `usual` starts from
 * them too, but also triggers the periodic full read: immediately for a small ledger, else as a recount.
 */
export type CheckKind = 'quick' | 'usual' | 'whole'

/**
 * A transaction may commit up to one minute after the time stored in its rows, because the statement timeout is a
 * minute.
 */
const MARGIN_MS = MINUTE_MS
/**
 * After a full read, the next full read is due after 500 times its duration. So full reads take at most 1/500 of the
 * time.
 */
const WHOLE_REST_FACTOR = 500
/** A ledger that can be read in 100 ms is read in full by each check. Rewriting its sums would not be worth it. */
const SMALL_MS = 100
/** The error code of PostgreSQL when another check changed the run between two statements of this check. */
const LOST_RACE = '40001'
const MAX_ATTEMPTS = 3

/**
 * Checks the ledger at a cost in proportion to the new rows. Rows that reconcile are added to sums by user and account,
 * once they are old enough that no earlier row can still be committed. The next check starts from those sums, so each
 * transfer is read about once.
 *
 * The server's database permissions forbid changing or removing a transfer. Sums would not show that a transfer was
 * nevertheless changed after it was summed. So all rows are re-read from time to time into separate sums
 * (`reconcileNextRange`). Once these reach as far as the old sums, a check starts from them. If everything reconciles,
 * they replace the old sums.
 *
 * Sums never decide alone: when they do not reconcile, everything is read immediately, and the result of the full read
 * counts. Otherwise a transaction that took minutes to commit would stop trading.
 *
 * Several servers may check at the same time: one of them adds to the sums, and the other servers only read them.
 */
export async function reconcile(parts: ReconcileOptions, kind: CheckKind): Promise<LedgerReport> {
  await ensureRun(parts.db)
  const report = await retryOnLostRace(() => checkOnce(parts, kind))
  if (report.clean || report.sums === null) return report
  const { mismatches, sumOfAll, unknownAccounts, sums } = report
  parts.log.warn(
    { mismatches, sumOfAll, unknownAccounts, sums },
    'the stored sums of the ledger do not match: reading everything',
  )
  return retryOnLostRace(() => checkOnce(parts, 'in-doubt'))
}

async function retryOnLostRace(check: () => Promise<LedgerReport>): Promise<LedgerReport> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await check()
    } catch (error) {
      if (tries === MAX_ATTEMPTS || errorCode(error) !== LOST_RACE) throw error
    }
  }
}

/** Rolls back the transaction of a check that found a mismatch, because such a check must store nothing. */
class NotClean extends Error {
  readonly report: LedgerReport

  constructor(report: LedgerReport) {
    super('the books do not add up')
    this.report = report
  }
}

async function checkOnce(
  { db, now, onSession }: ReconcileOptions,
  kind: CheckKind | 'in-doubt',
): Promise<LedgerReport> {
  const startedAt = now()
  try {
    const { report, begun } = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        onSession?.(await sessionOf(tx))
        const held = await holdRun(tx)
        const known = held ?? (await readRun(tx))
        const { scope, next } = planCheck(kind, known, { mayKeep: held !== null, startedAt })
        const found = await checkLedgerIn(tx, scope)
        if (!found.clean) throw new NotClean(found)
        const whole = scope.from === null && { wholeAt: startedAt, wholeTookMs: now() - startedAt }
        if (next !== null) await moveRun(tx, { ...next, ...whole })
        return { report: found, begun: next !== null && next.run !== known.run ? next.run : null }
      })
    if (begun !== null) await dropRunsBefore(db, begun)
    return report
  } catch (error) {
    if (error instanceof NotClean) return error.report
    throw error
  } finally {
    onSession?.(null)
  }
}

interface Plan {
  readonly scope: LedgerScope
  /** The new state of the run if the check is clean, without its duration; null where another check updates the run. */
  readonly next: LedgerRun | null
}

function planCheck(
  kind: CheckKind | 'in-doubt',
  known: LedgerRun,
  { mayKeep, startedAt }: { mayKeep: boolean; startedAt: Instant },
): Plan {
  const until = later(startedAt, -MARGIN_MS)
  const newRun = (known.recount?.run ?? known.run) + 1n
  const isSmall = known.wholeTookMs <= SMALL_MS
  // A check that cannot store its sums leaves the full read to the check that can.
  const isDue =
    mayKeep &&
    kind === 'usual' &&
    known.recount === null &&
    startedAt - known.wholeAt >= WHOLE_REST_FACTOR * known.wholeTookMs
  if (known.run === 0n || kind === 'whole' || kind === 'in-doubt' || (isDue && isSmall)) {
    const isBegun = known.run === 0n || kind === 'in-doubt' || !isSmall
    const into = mayKeep && isBegun ? { run: newRun, until } : null
    // Everything is read now, so nothing is left to recount.
    return { scope: { from: null, into }, next: mayKeep ? { ...known, ...into, recount: null } : null }
  }
  const from = freshestRun(known)
  if (!mayKeep) return { scope: { from, into: null }, next: null }
  // A clock that was set back removes nothing from the sums.
  const into = { run: from.run, until: until > from.until ? until : from.until }
  const recount = isDue ? beginRecount(newRun, startedAt) : from.recount
  return { scope: { from, into }, next: { ...from, ...into, recount } }
}
