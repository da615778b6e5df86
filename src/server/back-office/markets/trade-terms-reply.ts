import type { PayoutRow, TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { nextPayout, payoutAt } from '#core/markets/payout-versions.ts'
import { basisPoints, money, moneyNumber, percentNumber } from '#core/money/money.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import { instant, type Instant, toIso } from '#core/time/instant.ts'
import type { listPayouts, TermsRow } from '#server/market-data/catalogue/trade-terms.queries.ts'
import { toPayoutVersion } from '#server/market-data/catalogue/trade-terms.ts'

type ListedPayout = Awaited<ReturnType<typeof listPayouts>>[number]
type StoredPayout = Omit<ListedPayout, 'seconds'>

export function toTermsRow(terms: TermsRow, payouts: readonly StoredPayout[], now: Instant): TradeTermsRow {
  const versions = payouts.map(toPayoutVersion)
  const next = nextPayout(versions, now)
  return {
    id: terms.id,
    seconds: terms.seconds,
    unit: unitOfSeconds(terms.seconds),
    min_amount: moneyNumber(money(terms.min_amount)),
    max_amount: moneyNumber(money(terms.max_amount)),
    is_offered: terms.is_offered,
    payout: percentNumber(payoutAt(versions, now)?.payout ?? basisPoints(0)),
    payout_version: Math.max(0, ...versions.map(({ version }) => version)),
    next_payout: next && percentNumber(next.payout),
    next_payout_at: next && toIso(next.appliesFrom),
    version: terms.version,
  }
}

export function toPayoutRow(row: ListedPayout, all: readonly StoredPayout[], now: Instant): PayoutRow {
  const versions = all.map(toPayoutVersion)
  return {
    terms: row.trade_setting_id,
    seconds: row.seconds,
    version: row.version,
    payout: percentNumber(basisPoints(row.profit_basis_points)),
    state: stateOf(row, all, payoutAt(versions, now)?.version ?? 0, now),
    applies_from: toIso(instant(row.applies_from_ms)),
    announced_at: toIso(instant(row.announced_ms)),
    who: row.who,
  }
}

function stateOf(row: StoredPayout, all: readonly StoredPayout[], inForce: number, now: Instant): PayoutRow['state'] {
  if (row.version === inForce) return 'in-force'
  const isReplaced = all.some((one) => one.version > row.version && one.applies_from_ms <= row.applies_from_ms)
  if (isReplaced) return 'replaced'
  return row.applies_from_ms > BigInt(now) ? 'coming' : 'past'
}
