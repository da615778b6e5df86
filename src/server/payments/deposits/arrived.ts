import type { Money } from '#core/money/money.ts'
import { money } from '#core/money/money.ts'
import { arrivedOf, type ArrivalCredit, creditArrivals } from '#core/wallet/arrival-credit.ts'
import type { Arrival } from '#server/payments/deposits/arrivals.queries.ts'
import type { ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'

/** An arrival that waits for its credit, with what it will bring. */
export type DueArrival = Arrival & ArrivalCredit & { readonly rate: bigint }

/** The arrivals of a deposit, and their credits. Amounts in the gateway's currency have eight decimals. */
export interface Arrived {
  /** Everything that arrived, credited or not. */
  readonly sum: bigint
  /** The confirmed arrivals that are not credited yet, with their credits. */
  readonly due: readonly DueArrival[]
  /** The credit and the charge that an approval would post now. */
  readonly credits: Money
  readonly charges: Money
}

type HasArrivals = Pick<
  ReviewedDeposit,
  'arrivals' | 'isBeforeArrivals' | 'total' | 'amount' | 'currency' | 'fixedCharge' | 'percentBasisPoints'
>

/** Adds up what arrived for a deposit. Arrivals count in the order in which they were seen. */
export function arrivedFor(deposit: HasArrivals): Arrived {
  const { arrivals, isBeforeArrivals, total } = deposit
  const credited = arrivals.filter(({ state }) => state === 'credited')
  // A deposit that was credited before arrivals were stored was credited as if everything had arrived.
  const before = sumOf(credited) + (isBeforeArrivals ? arrivedOf(total) : 0n)
  const confirmed = arrivals.flatMap((one) =>
    one.state === 'confirmed' && one.rate !== null ? [{ ...one, rate: one.rate }] : [],
  )
  const due = creditArrivals(deposit, before, confirmed)
  return {
    sum: before + sumOf(arrivals.filter(({ state }) => state === 'confirmed' || state === 'seen')),
    due,
    credits: money(due.reduce((sum, one) => sum + one.credited, 0n)),
    charges: money(due.reduce((sum, one) => sum + one.charge, 0n)),
  }
}

function sumOf(arrivals: readonly Pick<Arrival, 'amount'>[]): bigint {
  return arrivals.reduce((sum, { amount }) => sum + amount, 0n)
}
