import type { ComingTerms, TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { offeredTerms } from '#core/markets/terms/offered-terms.ts'
import { TERMS_PARTS, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { basisPoints, money, moneyNumber, percentNumber } from '#core/money/money.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import type { Instant } from '#core/time/instant.ts'

export function toTermsRow(
  { id, seconds }: { readonly id: number; readonly seconds: number },
  terms: TermsHistory,
  now: Instant,
): TradeTermsRow {
  const valueOf = (what: TermsPart) => terms.inForce(what, String(seconds), now)?.value ?? null
  const payout = valueOf('payout')
  return {
    id,
    seconds,
    unit: unitOfSeconds(seconds),
    min_amount: amountOf(valueOf('min_stake')),
    max_amount: amountOf(valueOf('max_stake')),
    payout: payout === null ? null : percentNumber(basisPoints(Number(payout))),
    is_open: valueOf('duration') === 'open',
    is_offered: offeredTerms(terms, seconds, now) !== null,
  }
}

function amountOf(value: string | null): number | null {
  return value === null ? null : moneyNumber(money(BigInt(value)))
}

/** All announced changes that do not apply yet, soonest first. */
export function comingTerms(terms: TermsHistory, now: Instant): ComingTerms[] {
  return TERMS_PARTS.flatMap((what) => terms.subjects(what).flatMap((of) => terms.coming(what, of, now)))
    .toSorted((a, b) => a.appliesAt - b.appliesAt || a.n - b.n)
    .map(({ n, what, of, value, appliesAt }) => ({ n, what, of, value, applies_ms: appliesAt }))
}
