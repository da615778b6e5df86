import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { toHex } from '#core/proof/bytes.ts'
import { type DayRecord, dayText, headOf, NO_HEAD } from '#core/proof/day-record.ts'
import { countPlaces, hashOf, sumOf } from '#core/proof/sum-tree.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, type Instant, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  findDay,
  insertAccounts,
  insertDay,
  insertPlaces,
  removeLeaves,
  type StoredPlaces,
} from '#server/proof/liabilities/liabilities.queries.ts'
import { levelUp, plantLeaves } from '#server/proof/liabilities/build-merkle-sum-tree.ts'
import { type OwedToAll, readLiabilities } from '#server/proof/liabilities/read-liabilities.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { STORED_LEVEL_STEP, piecesOf } from '#server/proof/liabilities/stored-tree.ts'

/** Users can request their proofs for 30 days. The daily records are never deleted. */
export const PROOF_RETENTION_DAYS = 30
const PIECES_AT_ONCE = 16

export type Snapshot =
  | { readonly kind: 'taken' | 'there'; readonly record: DayRecord }
  | { readonly kind: 'ledger-unsound' }

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS)
}

/**
 * Creates today's proof of the liabilities to all accounts, once a day. Its record is inserted last and makes the day
 * visible. The next attempt deletes the rows that an interrupted attempt left.
 */
export async function takeSnapshot(ctx: Ctx): Promise<Snapshot> {
  const newest = await findDay(ctx.db)
  const before = newest === null ? -1 : dayOf(Date.parse(newest.taken_at) as Instant)
  if (newest !== null && before >= dayOf(ctx.now())) return { kind: 'there', record: newest }
  const owed = await readLiabilities(ctx)
  if (owed === null) return { kind: 'ledger-unsound' }
  const day = dayOf(owed.snapshotAt)
  await removeLeaves(ctx.db, { before: day - PROOF_RETENTION_DAYS + 1, of: day })

  const { leaves, top } = await keepTree(ctx, day, owed)
  assert(sumOf(top) === owed.total, 'the tree comes to what is owed')
  const unsigned = {
    number: (newest?.number ?? 0) + 1,
    day: dayText(owed.snapshotAt),
    taken_at: toIso(owed.snapshotAt),
    currency: BASE_CURRENCY,
    leaves,
    total: String(owed.total),
    root: toHex(hashOf(top)),
    previous: newest?.head ?? NO_HEAD,
  }
  const record = { ...unsigned, head: headOf(sha256, unsigned) }
  await insertDay(ctx.db, day, record)
  return { kind: 'taken', record }
}

async function keepTree(ctx: Ctx, day: number, owed: OwedToAll): Promise<{ leaves: number; top: Uint8Array }> {
  const planted = plantLeaves(ctx, owed.accounts)
  for await (const accounts of planted.accounts) await insertAccounts(ctx.db, day, accounts)
  let places = planted.leaves
  for (let level = 0; level === 0 || countPlaces(places) > 1; level += STORED_LEVEL_STEP) {
    await keepPieces(ctx, day, [...piecesOf(level, places)])
    places = await levelUp(places, STORED_LEVEL_STEP)
  }
  return { leaves: countPlaces(planted.leaves), top: places }
}

async function keepPieces(ctx: Ctx, day: number, pieces: readonly StoredPlaces[]): Promise<void> {
  for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
    await insertPlaces(ctx.db, day, pieces.slice(from, from + PIECES_AT_ONCE))
  }
}
