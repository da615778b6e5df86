import { BREAK_LENGTHS, type BreakKind, breakRefusal } from '#core/accounts/self-limits.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { minuteText } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { confirmReturn, insertBreak, insertReturn } from '#server/users/limits/breaks.queries.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'

const CHECK_VIOLATION = '23514'

/** Begins a break now: days of a time-out, months of an exclusion. No later call can shorten it. */
export async function takeBreak(
  ctx: Ctx,
  userId: string,
  wanted: { readonly kind: BreakKind; readonly length: number },
): Promise<Result<undefined, 'break_too_short' | 'break_too_long' | 'break_shorter'>> {
  const { min, max } = BREAK_LENGTHS[wanted.kind]
  if (wanted.length < min) return refuse('break_too_short')
  if (wanted.length > max) return refuse('break_too_long')
  try {
    await insertBreak(ctx.db, { userId, id: ctx.newId(), ...wanted })
  } catch (error) {
    // The database compares the ends by its own clock.
    if (errorCode(error) === CHECK_VIOLATION) return refuse('break_shorter')
    throw error
  }
  notify(ctx, userId)
  return ok()
}

/** Asks to trade again after an exclusion that is over. The user confirms it 24 hours later. */
export async function askToReturn(ctx: Ctx, userId: string): Promise<Result<undefined, 'not_found' | 'excluded'>> {
  const request = await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    const own = await findBreak(tx, userId)
    if (own?.kind !== 'exclusion') return refuse('not_found')
    if (!own.isOver) return refuse('excluded', { params: { until: minuteText(own.until) } })
    if (own.requestedAt === null) await insertReturn(tx, userId, own.id)
    return ok()
  })
  if (request.ok) notify(ctx, userId)
  return request
}

/** Opens trading again, at least 24 hours after the user asked for it. */
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
  if (done.ok) notify(ctx, userId)
  return done
}

/** Open pages and sockets of the user show the break. */
function notify(ctx: Ctx, userId: string): void {
  ctx.publish({ kind: 'trade-status-changed', userId })
  ctx.publish({ kind: 'balance-changed', userId })
}
