import { setImmediate as untilOthersRan } from 'node:timers/promises'
import { HASH_BYTES } from '#core/proof/bytes.ts'
import { sampleFrom } from '#core/proof/sample-from.ts'
import { leavesOf, totalLiability, PARTS } from '#core/proof/liability.ts'
import { type Draw, quarterFor, placesOf, shuffle, split } from '#core/proof/split-balance.ts'
import { countPlaces, fillParents, PLACE_BYTES, placeOf } from '#core/proof/sum-tree.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { StoredAccount } from '#server/proof/liabilities/liabilities.queries.ts'
import type { OwedAccount } from '#server/proof/liabilities/read-liabilities.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { packParts } from '#server/proof/liabilities/stored-parts.ts'

/** After 200 accounts or hashes, the loop lets other work run, orders in particular. */
const AT_ONCE = 200
const DRAWS_AT_ONCE = 5_000

/** All leaves, including the empty ones, as the lowest level of a tree. */
export interface Planted {
  readonly leaves: Uint8Array
  /** Yields the accounts with the positions of their parts, in batches. */
  readonly accounts: AsyncGenerator<StoredAccount[]>
}

/**
 * Splits the liability to each account into parts. Each quarter of the tree gets one part, at a position sampled
 * every day.
 * The leaves are complete only after the caller has read all of `accounts`.
 */
export function plantLeaves({ randomBytes }: Pick<Ctx, 'randomBytes'>, owed: readonly OwedAccount[]): Planted {
  const quarter = quarterFor(owed.length)
  const leaves = new Uint8Array(PARTS * quarter * PLACE_BYTES)
  return { leaves, accounts: plant() }

  async function* plant(): AsyncGenerator<StoredAccount[]> {
    const draw = sampleFrom(randomBytes)
    const places: Uint32Array[] = []
    for (let part = 0; part < PARTS; part++) places.push(await shuffled(quarter, draw))
    for (let from = 0; from < owed.length; from += AT_ONCE) {
      const some = owed.slice(from, from + AT_ONCE)
      const salts = new Uint8Array(randomBytes(some.length * HASH_BYTES))
      yield some.map((account, at) => {
        const salt = salts.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)
        const amounts = split(totalLiability(account), draw)
        const parts = amounts.map((amount, part) => ({
          amount,
          index: part * quarter + (places[part]?.[from + at] ?? 0),
        }))
        const planted = leavesOf(sha256, { ...account, accountId: account.userId, salt }, amounts)
        for (const [part, leaf] of planted.entries()) leaves.set(leaf, (parts[part]?.index ?? 0) * PLACE_BYTES)
        return { ...account, salt, parts: packParts(parts) }
      })
      await untilOthersRan()
    }
    // The unused positions get random hashes, so they look like positions of accounts without money.
    for (let from = owed.length; from < quarter; from += AT_ONCE) {
      const until = Math.min(from + AT_ONCE, quarter)
      const hashes = new Uint8Array(randomBytes((until - from) * PARTS * HASH_BYTES))
      for (let drawn = 0; drawn < (until - from) * PARTS; drawn++) {
        const part = drawn % PARTS
        const index = part * quarter + (places[part]?.[from + Math.floor(drawn / PARTS)] ?? 0)
        leaves.set(placeOf(hashes.subarray(drawn * HASH_BYTES, (drawn + 1) * HASH_BYTES), 0n), index * PLACE_BYTES)
      }
      await untilOthersRan()
    }
  }
}

async function shuffled(quarter: number, draw: Draw): Promise<Uint32Array> {
  const places = placesOf(quarter)
  for (let from = quarter; from > 0; from -= DRAWS_AT_ONCE) {
    shuffle(places, draw, from, Math.max(0, from - DRAWS_AT_ONCE))
    await untilOthersRan()
  }
  return places
}

/** Computes the level of the tree that is `levels` higher, or the root if the tree ends before. */
export async function levelUp(level: Uint8Array, levels: number): Promise<Uint8Array> {
  let below = level
  for (let height = 0; height < levels && countPlaces(below) > 1; height++) {
    const parents = new Uint8Array(below.length / 2)
    for (let from = 0; from < countPlaces(parents); from += AT_ONCE) {
      fillParents(sha256, below, parents, from, Math.min(from + AT_ONCE, countPlaces(parents)))
      await untilOthersRan()
    }
    below = parents
  }
  return below
}
