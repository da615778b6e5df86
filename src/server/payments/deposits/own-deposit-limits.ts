import { limitLeft, type OwnRuleKey, windowRefusal } from '#core/accounts/self-limits.ts'
import type { Money } from '#core/money/money.ts'
import type { Refusal } from '#core/result.ts'
import type { ClosedRefusal } from '#core/accounts/closing.ts'
import { findClosedRefusal } from '#server/ledger/closed-account.queries.ts'
import { tellLimitReached } from '#server/ledger/limit-reached.queries.ts'
import { listLimits } from '#server/ledger/limit-uses.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { limitsInForce } from '#server/users/limits/limits.queries.ts'

export type OwnDepositRefusal = 'limit_prompt_needed' | 'self_deposit_limit' | ClosedRefusal['refusal']

/**
 * Returns why the user's closing, break or deposit limits refuse a deposit that credits this amount. Returns null when
 * they allow the deposit.
 */
export async function ownDepositRefusal(
  db: Db,
  userId: string,
  credited: Money,
): Promise<Refusal<OwnDepositRefusal> | null> {
  const refusal = await findClosedRefusal(db, userId)
  if (refusal !== null) return refusal
  // Few users have such a limit, so the deposits are added up only for these users.
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
