import { PARTS } from '#core/proof/owed.ts'

/** A whole number from 0 up to, not including, `below`, each as likely as the others and not to be guessed. */
export type Draw = (below: bigint) => bigint

/** Each quarter has at least this many leaves, so that a few accounts do not stand side by side. */
const SMALLEST_QUARTER = 16

/** How many leaves a quarter has: a power of two, so that the number of accounts shows only roughly. */
export function quarterFor(accounts: number): number {
  let size = SMALLEST_QUARTER
  while (size < accounts) size *= 2
  return size
}

/**
 * Splits an amount at random, every way to do so being as likely as any other. No part is the whole, so that a leaf
 * shown to a stranger is never somebody's balance; a single hundredth alone cannot be split.
 */
export function split(amount: bigint, draw: Draw): bigint[] {
  for (;;) {
    const cuts = Array.from({ length: PARTS - 1 }, () => draw(amount + 1n)).toSorted((a, b) =>
      a < b ? -1 : a > b ? 1 : 0,
    )
    const parts = [...cuts, amount].map((cut, at) => cut - (cuts[at - 1] ?? 0n))
    if (amount < 2n || parts.every((part) => part < amount)) return parts
  }
}

/** The places of a quarter, still in order. */
export function placesOf(quarter: number): Uint32Array {
  return Uint32Array.from({ length: quarter }, (_, at) => at)
}

/**
 * Brings places into random order: the first account then takes the first one, and so on. Long ones are worked through
 * piece by piece: from the place behind the last one down to the first.
 */
export function shuffle(places: Uint32Array, draw: Draw, from = places.length, until = 0): void {
  for (let last = from - 1; last >= until; last--) {
    const other = Number(draw(BigInt(last + 1)))
    const kept = places[last] ?? 0
    places[last] = places[other] ?? 0
    places[other] = kept
  }
}
