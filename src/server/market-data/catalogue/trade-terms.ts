import { nextPayout, payoutAt, type PayoutVersion } from '#core/markets/payout-versions.ts'
import { basisPoints, type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { TradeSetting } from '#server/market-data/catalogue/market-catalogue.ts'

/** An offered order duration, with every announced payout. */
export interface Terms {
  readonly id: number
  readonly seconds: number
  readonly unit: TradeSetting['unit']
  readonly minimum: Money
  readonly maximum: Money
  readonly payouts: readonly PayoutVersion[]
}

export async function readTerms(db: Db): Promise<Terms[]> {
  const rows = await db
    .selectFrom('trade_setting')
    .selectAll()
    .where('is_offered', '=', true)
    .orderBy('seconds')
    .orderBy('id')
    .execute()
  const versions = await db.selectFrom('payout_version').selectAll().orderBy('version').execute()
  return rows.map((row) => ({
    id: row.id,
    seconds: row.seconds,
    unit: toUnit(row.unit),
    minimum: money(row.min_amount),
    maximum: money(row.max_amount),
    payouts: versions.filter(({ trade_setting_id: id }) => id === row.id).map(toPayoutVersion),
  }))
}

export function toPayoutVersion(row: {
  readonly version: number
  readonly profit_basis_points: number
  readonly applies_from_ms: bigint
}): PayoutVersion {
  return {
    version: row.version,
    payout: basisPoints(row.profit_basis_points),
    appliesFrom: instant(row.applies_from_ms),
  }
}

/**
 * Returns the trade terms by time: each payout takes effect at its announced moment, without any action then. A computed list is reused
 * until the next such moment.
 */
export function settingsInTurn(terms: readonly Terms[]): (now: Instant) => readonly TradeSetting[] {
  let settings: readonly TradeSetting[] = []
  let from = Number.POSITIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  return (now) => {
    if (now >= from && now < until) return settings
    settings = terms.flatMap((one) => settingAt(one, now))
    const changes = terms.flatMap(({ payouts }) => payouts.map(({ appliesFrom }) => appliesFrom))
    from = now
    until = Math.min(Number.POSITIVE_INFINITY, ...changes.filter((change) => change > now))
    return settings
  }
}

/** Terms whose first payout is not in force yet are not offered. */
function settingAt({ payouts, ...terms }: Terms, now: Instant): TradeSetting[] {
  const inForce = payoutAt(payouts, now)
  if (inForce === null) return []
  const next = nextPayout(payouts, now)
  return [
    { ...terms, payout: inForce.payout, nextPayout: next && { payout: next.payout, appliesFrom: next.appliesFrom } },
  ]
}

function toUnit(text: string): TradeSetting['unit'] {
  assert(text === 'minute' || text === 'hour' || text === 'day', `the database names a unit we do not have: ${text}`)
  return text
}
