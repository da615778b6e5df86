import type { MarketType } from '#core/markets/market.ts'
import { clusteredMean, type Estimate, type Observation } from '#core/orders/sale/calibration/clustered-mean.ts'
import { fitRegressionSeller, learn, type Lesson } from '#core/orders/sale/calibration/regression-seller.ts'
import {
  randomMoment,
  type SellableOrder,
  sellAfterMove,
  sellAtRandom,
  type Seller,
  sellForMore,
  sellInformed,
  sellWhen,
} from '#core/orders/sale/calibration/sellers.ts'
import { type DeskTerms, TrialDesk, type TrialQuote } from '#core/orders/sale/calibration/trial-desk.ts'
import { trialOrders } from '#core/orders/sale/calibration/trial-order.ts'
import type { PriceCourse } from '#core/orders/sale/price-course.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'

/**
 * The predictions in one interval of ten percentage points, such as 30 to 40 %: the mean prediction, and the percentage
 * of orders that won.
 */
export interface Tenth {
  readonly predicted: Estimate
  readonly won: Estimate
}

/** The sales of one seller. `houseGain`: the house's gain from these sales before the fee, in percent of the stake. */
export interface SellerResult {
  readonly name: string
  readonly houseGain: Estimate
  /** False for a method of sale that is not offered. The report shows it for comparison. */
  readonly isOffered: boolean
}

/** The report about one symbol and one duration of orders. */
export interface LengthReport {
  readonly lengthMs: number
  readonly orders: number
  /** Fraction of the random moments at which a sale was offered, 0 to 1. */
  readonly offered: number
  readonly tenths: readonly Tenth[]
  readonly sellers: readonly SellerResult[]
}

const LEADS_MS = [200, 500, 1_000]
const HIGH_CHANCES = [80, 90]
const LOW_CHANCE = 20
const EXTRAS = [5, 10, 20]
const EXPECTED_GAINS = [2, 4]

/** The predictions and sales that were collected while all trial orders were read once. */
interface Pass {
  readonly requests: { readonly timeMs: number; readonly quote: TrialQuote; readonly isWon: boolean }[]
  readonly sales: ReadonlyMap<Seller, Observation[]>
  /** Training data (lessons) of the regression: from the even and from the odd days or hours (`createHalves`). */
  readonly lessons: readonly [Lesson[], Lesson[]]
  orders: number
}

/**
 * Sells every trial order of one duration by every method of sale, and compares the sales with the payments of the
 * orders at expiry.
 */
export function calibrate(
  course: PriceCourse,
  terms: DeskTerms & { readonly marketType: MarketType },
  lengthMs: number,
): LengthReport {
  const desk = new TrialDesk(course, terms)
  const listOrders = () => listSellables(desk, terms, lengthMs)
  const fixed = fixedSellers()
  const pass: Pass = {
    requests: [],
    sales: new Map(fixed.map(([, seller]) => [seller, []])),
    lessons: [[], []],
    orders: 0,
  }
  const halfOf = createHalves(course)
  for (const sellable of listOrders()) takeOrder(desk, sellable, pass, halfOf)
  const { requests, orders } = pass
  return {
    lengthMs,
    orders,
    offered: orders === 0 ? 0 : requests.length / orders,
    tenths: tenthsOf(requests),
    sellers: [
      ...fixed.map(([name, seller, isOffered]) => {
        return { name, isOffered, houseGain: clusteredMean(pass.sales.get(seller) ?? []) }
      }),
      ...sellByRegression(desk, listOrders(), pass.lessons, halfOf),
    ],
  }
}

function* listSellables(
  desk: TrialDesk,
  terms: DeskTerms & { readonly marketType: MarketType },
  lengthMs: number,
): Generator<SellableOrder> {
  let at = 0
  for (const order of trialOrders(desk.course, terms, lengthMs)) {
    yield { order, at, ...desk.window(order) }
    at += 1
  }
}

function takeOrder(
  desk: TrialDesk,
  sellable: SellableOrder,
  pass: Pass,
  halfOf: (order: SellableOrder) => 0 | 1,
): void {
  const { order } = sellable
  const paid = desk.paidWhenKept(order)
  pass.orders += 1
  const quote = desk.shownAt(order, desk.course.indexAt(randomMoment(sellable)))
  if (quote !== null) pass.requests.push({ timeMs: order.openedMs, quote, isWon: paid > 100 })
  for (const [seller, observations] of pass.sales) {
    const sold = seller(desk, sellable)
    if (sold !== null) observations.push({ timeMs: order.openedMs, value: paid - sold.gross })
  }
  const lesson = learn(desk, sellable)
  if (lesson !== null) pass.lessons[halfOf(sellable)].push(lesson)
}

/** Divides the recording in two halves: even and odd days. If it is a single day: even and odd hours. */
function createHalves({ times }: PriceCourse): (sellable: SellableOrder) => 0 | 1 {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const blockMs = Math.floor(first / DAY_MS) === Math.floor(last / DAY_MS) ? HOUR_MS : DAY_MS
  return ({ order }) => (Math.floor(order.openedMs / blockMs) % 2 === 0 ? 0 : 1)
}

/** The regression is fitted on one half of the days and sells on the other. */
function sellByRegression(
  desk: TrialDesk,
  sellables: Iterable<SellableOrder>,
  lessons: Pass['lessons'],
  halfOf: (sellable: SellableOrder) => 0 | 1,
): SellerResult[] {
  const sellers = EXPECTED_GAINS.map((least) => ({
    least,
    ofHalf: [fitRegressionSeller(lessons[1], least), fitRegressionSeller(lessons[0], least)] as const,
    observations: [] as Observation[],
  }))
  for (const sellable of sellables)
    for (const { ofHalf, observations } of sellers) {
      const sold = ofHalf[halfOf(sellable)]?.(desk, sellable) ?? null
      if (sold === null) continue
      observations.push({ timeMs: sellable.order.openedMs, value: desk.paidWhenKept(sellable.order) - sold.gross })
    }
  return sellers.map(({ least, observations }) => ({
    name: `by a regression that expects ${least} % of the stake`,
    houseGain: clusteredMean(observations),
    isOffered: true,
  }))
}

function fixedSellers(): (readonly [name: string, seller: Seller, isOffered: boolean])[] {
  const executions = ['at once', 'at the next tick', 'by the rule'] as const
  return [
    ['at a random moment', sellAtRandom, true],
    ...executions.flatMap((execution) =>
      LEADS_MS.map(
        (lead) =>
          [
            `knows the market ${lead} ms sooner, carried out ${execution}`,
            sellInformed(lead, execution),
            execution === 'by the rule',
          ] as const,
      ),
    ),
    ...HIGH_CHANCES.map(
      (chance) =>
        [`as soon as the chance is above ${chance} %`, sellWhen(({ win }) => win * 100 > chance), true] as const,
    ),
    [`as soon as the chance is below ${LOW_CHANCE} %`, sellWhen(({ win }) => win * 100 < LOW_CHANCE), true],
    ['after a large move in favour', sellAfterMove(true), true],
    ['after a large move against', sellAfterMove(false), true],
    ...EXTRAS.map((extra) => [`asks for ${extra} % of the stake more`, sellForMore(extra), true] as const),
  ]
}

function tenthsOf(requests: Pass['requests']): Tenth[] {
  return Array.from({ length: 10 }, (_, tenth) => {
    const inside = requests.filter(({ quote }) => Math.min(9, Math.floor(quote.win * 10)) === tenth)
    return {
      predicted: clusteredMean(inside.map(({ timeMs, quote }) => ({ timeMs, value: quote.win * 100 }))),
      won: clusteredMean(inside.map(({ timeMs, isWon }) => ({ timeMs, value: isWon ? 100 : 0 }))),
    }
  })
}
