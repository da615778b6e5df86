import { PARTS } from '#core/proof/liability.ts'

/** Samples a whole number from 0 up to, not including, `below`. All numbers are equally likely and unpredictable. */
export type Draw = (below: bigint) => bigint

/**
 * 16: minimum number of leaves per quarter. With fewer leaves, the leaves of a small site's accounts would all be next
 * to each other.
 */
const SMALLEST_QUARTER = 16

/**
 * Returns the number of leaves of a quarter: a power of two, so that it reveals the number of accounts only roughly.
 */
export function quarterFor(accounts: number): number {
  let size = SMALLEST_QUARTER
  while (size < accounts) size *= 2
  return size
}

/**
 * Splits an amount at random; all splits are equally likely. No part is the whole amount, so that a leaf shown to
 * another user never reveals a balance. A single hundredth cannot be split.
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

/** Returns the leaf indexes of a quarter with `quarter` leaves, in ascending order. */
export function placesOf(quarter: number): Uint32Array {
  return Uint32Array.from({ length: quarter }, (_, at) => at)
}

/**
 * Shuffles leaf indexes in place; the first account then gets the first index, and so on. Long arrays are shuffled in
 * chunks, from the last index down to the first.
 */
export function shuffle(places: Uint32Array, draw: Draw, from = places.length, until = 0): void {
  for (let last = from - 1; last >= until; last--) {
    const other = Number(draw(BigInt(last + 1)))
    const lastPlace = places[last] ?? 0
    places[last] = places[other] ?? 0
    places[other] = lastPlace
  }
}
