import type { MarketType } from '#core/markets/market.ts'
import { MAX_MONEY } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

export type Mode = 'demo' | 'live'

/** The smallest and the largest value that staff can announce. */
export interface Limits {
  readonly min: number
  readonly max: number
}

/** The shortest notice. A constant of the mode, so that no setting and no entry can go below it. */
export const MIN_NOTICE_MS: Readonly<Record<Mode, number>> = { live: HOUR_MS, demo: MINUTE_MS }
/** 60 s: the register publishes its new entries at least once a minute, so an entry is public before it applies. */
export const MIN_DELAY_MS = MINUTE_MS
/**
 * 5 s: within this time, the register publishes the entries of a minute and all servers read them. If staff choose no
 * start, a change waits this much longer.
 */
export const REGISTER_MARGIN_MS = 5 * SECOND_MS
/** Two minutes: the first terms of an installation apply at once, and the register must have them by then. */
export const FIRST_TERMS_LOGGED_MS = 2 * MINUTE_MS
export const MAX_NOTICE_MS = 90 * DAY_MS
/** 10,000.00: the highest ceiling of stakes that staff can set. A higher one needs a change of the program. */
export const MAX_STAKE_CEILING = 1_000_000

const MAX_SECONDS = (7 * DAY_MS) / SECOND_MS
const MIN_SECONDS: Readonly<Record<Mode, number>> = { live: 30, demo: 10 }

export const durationLimits = (mode: Mode): Limits => ({ min: MIN_SECONDS[mode], max: MAX_SECONDS })
export const noticeLimits = (mode: Mode): Limits => ({ min: MIN_NOTICE_MS[mode], max: 30 * DAY_MS })
/** The versions of the rules for orders that this program has. A test compares them with the rules. */
export const RULE_LIMITS: Limits = { min: 1, max: 2 }
/**
 * The shortest notice of a change of the rule version: a day, so that every user can read the rules before opening an
 * order.
 */
export const MIN_RULE_NOTICE_MS: Readonly<Record<Mode, number>> = { live: DAY_MS, demo: MINUTE_MS }
/**
 * An hour and a minute: a pause is in the register for an hour before it begins. Orders can be sold in their last hour
 * only, so no pause that is announced after a request to sell touches its order.
 */
export const SALE_PAUSE_NOTICE_MS = HOUR_MS + MINUTE_MS
/** How long staff can pause sales. For a longer time, staff must turn sales off. */
export const SALE_PAUSE_LIMITS: Limits = { min: MINUTE_MS, max: DAY_MS }
/** The payouts that staff can set, in basis points: 1 % to 100 %. */
export const PAYOUT_LIMITS: Limits = { min: 100, max: 10_000 }
export const STAKE_LIMITS: Limits = { min: 1, max: MAX_STAKE_CEILING }

const MAX_AGE_MS: Readonly<Record<MarketType, number>> = { crypto: 10_000, us_stocks: 30_000, us_fx: 30_000 }
/** 90 s: recordings of one-minute bars have only one price a minute. Only a demo replays them. */
const MAX_REPLAYED_AGE_MS = 90_000

export function tickAgeLimits(mode: Mode, marketType: MarketType): Limits {
  return { min: 1_000, max: mode === 'demo' ? MAX_REPLAYED_AGE_MS : MAX_AGE_MS[marketType] }
}
/** One cent up to the largest amount of the ledger: a higher cap could never refuse an order. */
export const CAP_LIMITS: Limits = { min: 1, max: Number(MAX_MONEY) }
