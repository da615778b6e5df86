import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { toHex } from '#core/proof/bytes.ts'
import { type DayRecord, dayText, headOf, NO_HEAD } from '#core/proof/day-record.ts'
import { countPlaces, hashOf, sumOf } from '#core/proof/sum-tree.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, type Instant, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import {
  findDay,
  insertAccounts,
  insertDay,
  insertPlaces,
  lockDays,
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
 * Creates today's proof of the liabilities to all accounts, once a day. A server whose lease ran out may still create
 * the same proof. The lock makes the second server wait, and the second server then finds the day of the first and
 * deletes none of its leaves.
 */
export async function takeSnapshot(ctx: Ctx): Promise<Snapshot> {
  const newest = await findDay(ctx.db)
  const before = newest === null ? -1 : dayOf(Date.parse(newest.taken_at) as Instant)
  if (newest !== null && before >= dayOf(ctx.now())) return { kind: 'there', record: newest }
  const owed = await readLiabilities(ctx)
  if (owed === null) return { kind: 'ledger-unsound' }
  return await ctx.db.transaction().execute(async (tx): Promise<Snapshot> => {
    await lockDays(tx)
    const newer = await findDay(tx)
    if (newer !== null && newer.number !== newest?.number) return { kind: 'there', record: newer }
    return { kind: 'taken', record: await storeDay(ctx, tx, { owed, newest }) }
  })
}

/** Stores the tree of a day, and its record after that of the day before. */
async function storeDay(
  ctx: Ctx,
  tx: Tx,
  { owed, newest }: { readonly owed: OwedToAll; readonly newest: DayRecord | null },
): Promise<DayRecord> {
  const day = dayOf(owed.snapshotAt)
  await removeLeaves(tx, { before: day - PROOF_RETENTION_DAYS + 1, of: day })
  const { leaves, top } = await keepTree(ctx, tx, { day, owed })
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
  await insertDay(tx, day, record)
  return record
}

async function keepTree(
  ctx: Ctx,
  tx: Tx,
  { day, owed }: { readonly day: number; readonly owed: OwedToAll },
): Promise<{ leaves: number; top: Uint8Array }> {
  const planted = plantLeaves(ctx, owed.accounts)
  for await (const accounts of planted.accounts) await insertAccounts(tx, day, accounts)
  let places = planted.leaves
  for (let level = 0; level === 0 || countPlaces(places) > 1; level += STORED_LEVEL_STEP) {
    await keepPieces(tx, day, [...piecesOf(level, places)])
    places = await levelUp(places, STORED_LEVEL_STEP)
  }
  return { leaves: countPlaces(planted.leaves), top: places }
}

async function keepPieces(tx: Tx, day: number, pieces: readonly StoredPlaces[]): Promise<void> {
  for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
    await insertPlaces(tx, day, pieces.slice(from, from + PIECES_AT_ONCE))
  }
}
