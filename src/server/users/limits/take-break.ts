import { BREAK_LENGTHS, type BreakKind, breakRefusal } from '#core/accounts/self-limits.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { minuteText } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { lockAccount } from '#server/users/accounts/users.queries.ts'
import {
  confirmReturn,
  hasJustTaken,
  insertBreak,
  insertReturn,
  type NewBreak,
} from '#server/users/limits/breaks.queries.ts'
import { closeSamePeople } from '#server/users/limits/close-same-person.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'
import { notifyBreak } from '#server/users/limits/notify-break.ts'

type BreakRefusal = 'break_too_short' | 'break_too_long' | 'break_shorter'

interface WantedBreak {
  readonly kind: BreakKind
  readonly length: number
}

interface ExclusionEntry {
  readonly userId: string
  readonly months: number
  /** A text by the staff member that says how the user requested the exclusion. The user reads it. */
  readonly words: string
  readonly actor: Actor
}

/**
 * Starts a break now. `length` is in days for a time-out, in months for an exclusion. No later call can shorten the
 * break. A request that is repeated within a minute starts no second break, so that the user gets only one notice.
 */
export async function takeBreak(
  ctx: Ctx,
  userId: string,
  wanted: WantedBreak,
): Promise<Result<undefined, BreakRefusal>> {
  const refusal = lengthRefusal(wanted)
  if (refusal !== null) return refuse(refusal)
  const begun = await beginBreak(() =>
    ctx.db.transaction().execute(async (tx): Promise<Result<undefined, never>> => {
      await lockLimits(tx, userId)
      if (await hasJustTaken(tx, { userId, ...wanted })) return ok()
      await begin(ctx, tx, { userId, id: ctx.newId(), ...wanted })
      return ok()
    }),
  )
  if (begun.ok) await announce(ctx, userId)
  return begun
}

function lengthRefusal({ kind, length }: WantedBreak): Exclude<BreakRefusal, 'break_shorter'> | null {
  const { min, max } = BREAK_LENGTHS[kind]
  return length < min ? 'break_too_short' : length > max ? 'break_too_long' : null
}

/**
 * Inserts a break. For an exclusion, also stores the traits by which the site recognises the same person in another
 * account.
 */
async function begin(ctx: Ctx, tx: Tx, own: NewBreak): Promise<void> {
  await insertBreak(tx, own)
  if (own.kind === 'exclusion') await keepTraits(tx, ctx.vault, own.userId)
}

/**
 * Runs `insert`, and converts an error to a refusal: the database refuses a break that would end before a break in
 * force, by its own clock.
 */
async function beginBreak<R extends string>(
  insert: () => Promise<Result<undefined, R>>,
): Promise<Result<undefined, R | 'break_shorter'>> {
  try {
    return await insert()
  } catch (error) {
    if (isCheckViolation(error)) return refuse('break_shorter')
    throw error
  }
}

/** Enters an exclusion that a user requested by phone or letter. No later call can shorten it. */
export async function enterExclusion(
  ctx: Ctx,
  { userId, months, words, actor }: ExclusionEntry,
): Promise<Result<undefined, 'user_unknown' | BreakRefusal>> {
  const refusal = lengthRefusal({ kind: 'exclusion', length: months })
  if (refusal !== null) return refuse(refusal)
  const { staffId } = actor
  assert(staffId, 'staff enter exclusions')
  const entered = await beginBreak(() =>
    ctx.db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, { userId })
      if (account === null) return refuse('user_unknown')
      await begin(ctx, tx, {
        userId,
        id: ctx.newId(),
        kind: 'exclusion',
        length: months,
        entered: { by: staffId, words },
      })
      const after = { username: account.username, months }
      await recordAction(tx, ctx, actor, { target: userId, reason: words, outcome: 'done', after })
      return ok()
    }),
  )
  if (entered.ok) await announce(ctx, userId)
  return entered
}

/** Shows a new break on the user's open pages, and closes the other accounts of an excluded user. */
async function announce(ctx: Ctx, userId: string): Promise<void> {
  notifyBreak(ctx, userId)
  await closeSamePeople(ctx, userId)
}

/** Requests a return to trading after an exclusion that is over. The user confirms the return 24 hours later. */
export async function askToReturn(ctx: Ctx, userId: string): Promise<Result<undefined, 'not_found' | 'excluded'>> {
  const request = await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    const own = await findBreak(tx, userId)
    if (own?.kind !== 'exclusion') return refuse('not_found')
    if (!own.isOver) return refuse('excluded', { params: { until: minuteText(own.until) } })
    if (own.requestedAt === null) await insertReturn(tx, userId, own.id)
    return ok()
  })
  if (request.ok) notifyBreak(ctx, userId)
  return request
}

/**
 * Ends an exclusion that is over, so that the user can trade again. Refuses until 24 hours after the user requested the
 * return.
 */
export async function returnFromBreak(
  ctx: Ctx,
  userId: string,
): Promise<Result<undefined, 'not_found' | 'on_break' | 'excluded' | 'return_waits'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    const own = await findBreak(tx, userId)
    if (own?.kind !== 'exclusion') return refuse('not_found')
    if (own.requestedAt === null || !own.canReturn) return breakRefusal(own)
    await confirmReturn(tx, userId, own.id)
    return ok()
  })
  if (done.ok) notifyBreak(ctx, userId)
  return done
}
