import { breakRefusal, limitLeft, type OwnRuleKey, windowRefusal } from '#core/accounts/self-limits.ts'
import type { Money } from '#core/money/money.ts'
import type { Refusal } from '#core/result.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { tellLimitReached } from '#server/ledger/limit-reached.queries.ts'
import { listLimits } from '#server/ledger/limit-uses.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { limitsInForce } from '#server/users/limits/limits.queries.ts'

export type OwnDepositRefusal = 'limit_prompt_needed' | 'on_break' | 'excluded' | 'return_waits' | 'self_deposit_limit'

/** Why the user's own break refuses every deposit. Null without one. */
export async function breakDepositRefusal(db: Db, userId: string): Promise<Refusal<OwnDepositRefusal> | null> {
  const own = await findBreak(db, userId)
  return own && breakRefusal(own)
}

/** Why the user's own break or deposit limits refuse a deposit that credits this amount. Null when they allow it. */
export async function ownDepositRefusal(
  db: Db,
  userId: string,
  credited: Money,
): Promise<Refusal<OwnDepositRefusal> | null> {
  const refusal = await breakDepositRefusal(db, userId)
  if (refusal !== null) return refusal
  // Nearly no user has such a limit, so its use is added up only then.
  if (![...(await limitsInForce(db, userId)).keys()].some(isDepositLimit)) return null
  const [tightest] = (await listLimits(db, userId))
    .filter(({ key }) => isDepositLimit(key))
    .map((limit) => ({ key: limit.key, left: limitLeft(limit), freesAt: limit.freesAt }))
    .toSorted((a, b) => Number(a.left - b.left))
  if (tightest === undefined || credited <= tightest.left) return null
  await tellLimitReached(db, { ...tightest, userId })
  return windowRefusal('self_deposit_limit', tightest)
}

function isDepositLimit(key: OwnRuleKey): boolean {
  return key.startsWith('deposit')
}
