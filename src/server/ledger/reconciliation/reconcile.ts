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
import type { CheckParts } from '#server/ledger/reconciliation/check-parts.ts'

/**
 * How a check goes about it: `whole` reads everything; `quick` goes on from sums where there are any; `usual` does so too, and
 * sees to it that everything is read anew when that is due: at once where it is little, else by a recount that it begins.
 */
export type CheckKind = 'quick' | 'usual' | 'whole'

/** A transaction may be committed so long after the time that its rows have: as long as a statement may take. */
const MARGIN_MS = MINUTE_MS
/** Reading everything may take at most this share of the time: it is due again when 500 times as long has passed. */
const WHOLE_REST_FACTOR = 500
/** What is read so quickly is read each time, and sums of it are not worth writing anew. */
const SMALL_MS = 100
/** The run was moved by another check between two statements of this one. */
const LOST_RACE = '40001'
const MOST_TRIES = 3

/**
 * Checks the books at a cost in proportion to what is new. What was found right is added to sums by user and accounts, once
 * it is so old that nothing can be added to it, and the next check goes on from there: it reads each transfer about once.
 *
 * Sums say nothing of a transfer that was changed or removed after it was added to them, past all rights of the server. So all
 * are read anew now and then into sums of their own (`recountPortion`); once these go as far as the old ones, a check goes on from
 * them, and if everything adds up they take their place. And sums never have the last word: when they do not add up,
 * everything is read at once, and that decides. Without that, a transaction that took minutes to be committed would
 * stop trading.
 *
 * Several servers may check at a time: one of them adds to the sums, and the others only read them.
 */
export async function checkBooks(parts: CheckParts, kind: CheckKind): Promise<LedgerReport> {
  await ensureRun(parts.db)
  const report = await despiteOtherChecks(() => checkOnce(parts, kind))
  if (report.clean || report.sums === null) return report
  const { mismatches, sumOfAll, unknownAccounts, sums } = report
  parts.log.warn({ mismatches, sumOfAll, unknownAccounts, sums }, 'the books do not add up by sums: everything is read')
  return despiteOtherChecks(() => checkOnce(parts, 'in-doubt'))
}

async function despiteOtherChecks(check: () => Promise<LedgerReport>): Promise<LedgerReport> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await check()
    } catch (error) {
      if (tries === MOST_TRIES || errorCode(error) !== LOST_RACE) throw error
    }
  }
}

/** Ends a transaction that must leave nothing behind. */
class NotClean extends Error {
  readonly report: LedgerReport

  constructor(report: LedgerReport) {
    super('the books do not add up')
    this.report = report
  }
}

async function checkOnce({ db, now, onSession }: CheckParts, kind: CheckKind | 'in-doubt'): Promise<LedgerReport> {
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
  /** What is known of the run if the check is clean, but for how long it took; null where another check sees to that. */
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
  // Whoever cannot keep what it finds leaves the long way to the one who can.
  const isDue =
    mayKeep &&
    kind === 'usual' &&
    known.recount === null &&
    startedAt - known.wholeAt >= WHOLE_REST_FACTOR * known.wholeTookMs
  if (known.run === 0n || kind === 'whole' || kind === 'in-doubt' || (isDue && isSmall)) {
    const isBegun = known.run === 0n || kind === 'in-doubt' || !isSmall
    const into = mayKeep && isBegun ? { run: newRun, until } : null
    // Read at once, so there is nothing left to recount.
    return { scope: { from: null, into }, next: mayKeep ? { ...known, ...into, recount: null } : null }
  }
  const from = freshestRun(known)
  if (!mayKeep) return { scope: { from, into: null }, next: null }
  // A clock that was put back takes nothing out of the sums.
  const into = { run: from.run, until: until > from.until ? until : from.until }
  const recount = isDue ? beginRecount(newRun, startedAt) : from.recount
  return { scope: { from, into }, next: { ...from, ...into, recount } }
}
