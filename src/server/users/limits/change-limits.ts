import { limitDirection, MAX_SELF_LIMIT, type OwnRuleKey } from '#core/accounts/self-limits.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyText } from '#core/money/money.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { minuteText } from '#core/time/instant.ts'
import { backfillMarks } from '#server/ledger/limit-marks.queries.ts'
import type { LimitChangeIn } from '#contract/limits.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  type ChangeEnd,
  endChange,
  insertChange,
  limitsInForce,
  listChanges,
  listWaitingChanges,
  lockLimits,
} from '#server/users/limits/limits.queries.ts'

interface WantedLimit {
  readonly key: OwnRuleKey
  /** The value in its stored form. Null means no limit. */
  readonly value: bigint | null
}

/** Converts a requested change to a change with the stored form of its value. */
export function toWantedLimit(change: LimitChangeIn): WantedLimit {
  switch (change.key) {
    case 'reality_check':
      return { key: change.key, value: change.value === null ? null : BigInt(change.value) }
    case 'withdrawal_lock':
      return { key: change.key, value: change.value ? 1n : null }
    default:
      return change
  }
}

const isWindow = (key: OwnRuleKey): boolean => key.startsWith('loss') || key.startsWith('staked')

/**
 * Changes limits that a user set, all of them or none. When the promise resolves, a tighter limit applies to every
 * order that commits afterwards. A looser limit waits for 24 hours, and then for the user's confirmation. If a change
 * waits and the user requests the present value, the change is dropped. If the user requests the waiting value again,
 * nothing changes.
 */
export async function changeLimits(
  ctx: Ctx,
  userId: string,
  changes: readonly WantedLimit[],
  /** Runs in the transaction of the change. */
  within: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<Result<undefined, 'above_maximum'>> {
  if (changes.some(({ value }) => value !== null && value > MAX_SELF_LIMIT)) {
    return refuse('above_maximum', {
      params: { name: 'amount', value: moneyText(MAX_SELF_LIMIT), currency: BASE_CURRENCY },
    })
  }
  const needsMarks = changes.some(({ key, value }) => isWindow(key) && value !== null)
  if (needsMarks && ![...(await limitsInForce(ctx.db, userId)).keys()].some(isWindow)) {
    // The marks for the past are computed before the lock, because this can take long and must not hold up the user's
    // orders.
    await backfillMarks(ctx.db, userId)
  }
  await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    const inForce = await limitsInForce(tx, userId)
    const waiting = await listWaitingChanges(tx, userId)
    for (const { key, value } of changes) {
      const change = waiting.find((one) => one.key === key)
      if (limitDirection(inForce.get(key) ?? null, value) === 'same') {
        if (change !== undefined) await endChange(tx, { userId, id: change.id, outcome: 'dropped' })
        continue
      }
      if (change?.to === value) continue
      await insertChange(tx, { userId, id: ctx.newId(), key, to: value })
    }
    await within(tx)
  })
  // On this event, the user's open pages on all devices read the limits again.
  ctx.publish({ kind: 'limits-changed', userId })
  return ok()
}

/**
 * Ends a waiting change: `confirmed` applies it, if its 24 hours are over, and `dropped` discards it. A repeated call
 * is no error.
 */
export async function endLimitChange(
  ctx: Ctx,
  change: ChangeEnd,
): Promise<Result<undefined, 'not_found' | 'change_waits' | 'change_lapsed' | 'change_ended'>> {
  const end = await ctx.db.transaction().execute((tx) => endLocked(tx, change))
  if (end.ok) ctx.publish({ kind: 'limits-changed', userId: change.userId })
  return end
}

async function endLocked(
  tx: Tx,
  { userId, id, outcome }: ChangeEnd,
): Promise<Result<undefined, 'not_found' | 'change_waits' | 'change_lapsed' | 'change_ended'>> {
  await lockLimits(tx, userId)
  const [change] = await listChanges(tx, userId, { limit: 1, id })
  if (change === undefined || change.direction === 'tighter') return refuse('not_found')
  if (change.outcome === outcome) return ok()
  if (change.outcome !== 'waiting') return refuse(change.outcome === 'lapsed' ? 'change_lapsed' : 'change_ended')
  if (outcome === 'confirmed' && !change.isReady) {
    return refuse('change_waits', { params: { ready_at: minuteText(change.readyAt) } })
  }
  return (await endChange(tx, { userId, id, outcome })) === outcome ? ok() : refuse('change_lapsed')
}
