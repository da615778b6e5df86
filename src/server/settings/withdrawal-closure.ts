import { z } from 'zod'
import { DAY_MS, HOUR_MS, type Instant, instant, later } from '#core/time/instant.ts'
import { ok, type Refusal, refuse, type Result } from '#core/result.ts'
import { utcText } from '#core/time/utc-text.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** 72 h: the longest closure of withdrawals. They open again by themselves. */
const MAX_CLOSED_HOURS = 72
/** The begins of two closures must be at least 14 days apart. */
const PAUSE_BETWEEN_MS = 14 * DAY_MS
/** A reason with fewer letters is too short to explain anything. */
const MIN_REASON_LETTERS = 20

/** The settings that close withdrawals. */
export const CLOSING_KEYS: ReadonlySet<string> = new Set([
  'withdrawals_open',
  'withdraw_reason',
  'withdrawals_closed_until',
])

export type ClosureRefusal = 'reason_public' | 'until_needed' | 'closed_lately'

/** Returns the end of the newest closure of withdrawals. Null when they were never closed. */
export async function lastClosedUntil(db: Db): Promise<Instant | null> {
  const row = await newest(db)
  return row === undefined ? null : instant(row.until_ms)
}

interface Closure {
  readonly from_ms: Instant
  readonly until_ms: Instant
  readonly at_ms: Instant
  readonly reason: string
}

/**
 * Checks a change of settings that closes withdrawals or leaves them closed. The change needs a public reason and an
 * end. An earlier end of the running closure is always allowed. Returns the closure to record, or null for none.
 */
export async function checkClosure(
  tx: Tx,
  now: Instant,
  { before, after }: { readonly before: ReadonlyMap<string, unknown>; readonly after: ReadonlyMap<string, unknown> },
): Promise<Result<Closure | null, ClosureRefusal>> {
  const isTouched = [...after.keys()].some((key) => CLOSING_KEYS.has(key))
  const wanted = (key: string) => (after.has(key) ? after.get(key) : before.get(key))
  const text = (key: string) => z.string().catch('').parse(wanted(key))
  if (!isTouched || wanted('withdrawals_open') !== false) return ok(null)
  const last = await newest(tx)
  const isRunning = before.get('withdrawals_open') === false && last !== undefined && Number(last.until_ms) > now
  // Reason and end can be prepared after an old closure is over: only `withdrawals_open` begins a new closure.
  if (!isRunning && !after.has('withdrawals_open')) return ok(null)
  const reason = text('withdraw_reason')
  if ((reason.match(/\p{L}/gu) ?? []).length < MIN_REASON_LETTERS) return refuse('reason_public')
  const untilMs = Date.parse(text('withdrawals_closed_until'))
  if (!(untilMs > now) || untilMs > now + MAX_CLOSED_HOURS * HOUR_MS) {
    return refuse('until_needed', { params: { most: MAX_CLOSED_HOURS } })
  }
  const until = instant(untilMs)
  if (isRunning && until === Number(last.until_ms)) return ok(null)
  if (isRunning && until > Number(last.until_ms)) return lately(instant(last.from_ms))
  if (!isRunning && last !== undefined && now - Number(last.from_ms) < PAUSE_BETWEEN_MS)
    return lately(instant(last.from_ms))
  return ok({ from_ms: isRunning ? instant(last.from_ms) : now, until_ms: until, reason, at_ms: now })
}

/** Records a closure that was checked. */
export async function insertClosure(tx: Tx, closure: Closure): Promise<void> {
  await tx.insertInto('withdrawal_closure').values(closure).execute()
}

function lately(from: Instant): Refusal<'closed_lately'> {
  return refuse('closed_lately', { params: { time: utcText(later(from, PAUSE_BETWEEN_MS)) } })
}

function newest(db: Db) {
  return db
    .selectFrom('withdrawal_closure')
    .selectAll()
    .orderBy('from_ms', 'desc')
    .orderBy('until_ms')
    .limit(1)
    .executeTakeFirst()
}
