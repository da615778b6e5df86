import { basisPoints } from '#core/money/money.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { saleTermsValue } from '#core/orders/sale/sale-terms.ts'
import { instant, later } from '#core/time/instant.ts'
import { BTC, fixedCatalogue, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import type { AnnouncedSale } from '../auditor/sale-audit.ts'
import { SYMBOLS } from '../auditor/site-terms.ts'
import { Random } from '../kernel/random.ts'
import { drawPlan, NO_FAULTS, type Plan } from '../simulation/plan.ts'

const MINUTE = 60_000
/** 21 minutes, because the product offers no sale in the first 20 minutes of prices. */
export const WARM_UP_MS = 21 * MINUTE
/** 7 minutes after the last order: the order expires after 5 minutes, and then all other work ends. */
export const CALM_MS = 7 * MINUTE

export const FIVE_MINUTES = { ...ONE_MINUTE, seconds: 300, payout: basisPoints(8_700) }

/** A simulation with sellers, drawn from its seed. */
export interface SalePlan {
  readonly seed: number
  readonly minutes: number
  /** How much later our sources report the market than informed sellers see it. */
  readonly lateMs: number
  /** How many servers decide the same requests. */
  readonly deciders: 1 | 2
  readonly crashEveryMs: number
  /** Whether the simulation has no faults and only informed sellers. */
  readonly isCalm: boolean
  readonly node: Plan
  readonly terms: readonly AnnouncedSale[]
}

export interface SaleJob {
  readonly seed: number
  readonly minutes: number
  /** How much later our sources report the market, in ms. By default, drawn from the seed. */
  readonly lateMs?: number
  /** Whether the simulation has no faults and only informed sellers, so that their gains can be measured. */
  readonly isCalm?: boolean
}

export function drawSalePlan({ seed, minutes, lateMs, isCalm = false }: SaleJob): SalePlan {
  const random = new Random(seed, 'sales')
  const drawnLateMs = random.pick([0, 200, 500, 1_000])
  const deciders = random.pick([1, 2] as const)
  const crashEveryMs = random.pick([0, 45_000, 120_000])
  const share = () => (random.chance(0.5) ? 0.05 * random.next() : 0)
  const faults = { ...NO_FAULTS, refused: share(), lostAck: share(), slow: share(), slowMs: 400 }
  const base = drawPlan(seed, minutes, 2)
  const changesAt = TEST_START + WARM_UP_MS + (minutes * MINUTE) / 2
  return {
    seed,
    minutes,
    lateMs: lateMs ?? drawnLateMs,
    deciders,
    isCalm,
    crashEveryMs: isCalm ? 0 : crashEveryMs,
    node: {
      ...base,
      engines: 1,
      sources: { ...base.sources, classes: ['none', 'none'] },
      faults: isCalm ? NO_FAULTS : faults,
    },
    // In a calm simulation the terms stay the same.
    terms: [
      { n: 1, appliesAt: TEST_START, scale: 90, fee: 400 },
      ...(isCalm ? [] : [{ n: 2, appliesAt: changesAt, scale: 95, fee: 550 }]),
    ],
  }
}

/**
 * Returns the terms of sale in the form in which the simulated site announced them. It announced all of them before the
 * start.
 */
export function announcedTerms({ terms }: Pick<SalePlan, 'terms'>) {
  return terms.map(({ n, appliesAt, scale, fee }) => ({
    n,
    what: 'sale' as const,
    of: BTC.code,
    value: saleTermsValue({ scale, fee: basisPoints(fee) }),
    announcedAt: later(instant(TEST_START), -MINUTE),
    appliesAt: instant(appliesAt),
  }))
}

/** The catalogue of a simulation: one duration that can be sold back, and terms of sale. */
export function saleCatalogue(plan: SalePlan) {
  return fixedCatalogue({
    symbols: SYMBOLS,
    settings: [FIVE_MINUTES],
    terms: new TermsHistory(announcedTerms(plan)),
  })
}
