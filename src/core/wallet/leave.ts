import { type Money, money, ZERO } from '#core/money/money.ts'
import { quoteWithdrawal, type WithdrawalQuote, type WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'
import { ok, type Result } from '#core/result.ts'

/**
 * 14 days: when staff refuse the withdrawal of a blocked user's whole balance, the user can request it again after this
 * time at the latest.
 */
export const MAX_AGAIN_DAYS = 14

/**
 * The quote of one payment. Only the payment above the principal (credited deposits minus paid withdrawals) may wait
 * for a proof of identity.
 */
export interface LeaveQuote extends WithdrawalQuote {
  readonly isAbovePrincipal: boolean
}

/**
 * Quotes the payment of all cash to a user who leaves. The limits of the method do not apply. The principal and the
 * amount above it are paid separately, so that a doubt about one payment never delays the other. The fixed charge is
 * taken once.
 */
export function quoteLeave(
  terms: WithdrawalTerms,
  cash: Money,
  principal: Money,
): Result<LeaveQuote[], 'amount_invalid'> {
  const whole = quoteAnyAmount(terms, cash)
  if (!whole.ok) return whole
  const below = principal < ZERO ? ZERO : principal
  const together = ok([{ ...whole.value, isAbovePrincipal: below === ZERO }])
  if (below === ZERO || below >= cash) return together
  const first = quoteAnyAmount(terms, below)
  const rest = quoteAnyAmount({ ...terms, fixedCharge: ZERO }, money(cash - below))
  // The charge would take up a whole part, or a part could not be quoted, so both parts are paid together.
  if (!first.ok || !rest.ok) return together
  return ok([
    { ...first.value, isAbovePrincipal: false },
    { ...rest.value, isAbovePrincipal: true },
  ])
}

function quoteAnyAmount(terms: WithdrawalTerms, amount: Money): Result<WithdrawalQuote, 'amount_invalid'> {
  const quote = quoteWithdrawal({ ...terms, minimum: ZERO, maximum: amount }, amount)
  return quote.ok ? quote : { ok: false, refusal: 'amount_invalid' }
}
