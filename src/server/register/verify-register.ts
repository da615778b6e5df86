import { HASH_BYTES, joinBytes, toHex } from '#core/proof/bytes.ts'
import { entryHash } from '#core/register/entry.ts'
import { hashUp, rootOfLog, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import type { NoteKey } from '#core/register/signed-note.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { SERVER_TOOLS } from '#server/register/verify-signature.ts'
import { entriesFrom, newestCheckpoint, readTile } from '#server/register/register.queries.ts'

/** The part that does not verify: the number of an entry, or the signed `checkpoint`. */
export type RegisterDamage = number | 'checkpoint'

/** Recomputes the whole register from its texts. Returns the first entry that was changed, or null. */
export async function findDamage(db: Db, keys: readonly NoteKey[]): Promise<RegisterDamage | null> {
  const checkpoint = await newestCheckpoint(db)
  const size = checkpoint?.size ?? 0
  const tileRoots: Uint8Array[] = []
  let leaves: Uint8Array[] = []
  for (let index = 0; ; ) {
    const entries = await entriesFrom(db, index, TILE_WIDTH)
    for (const [at, entry] of entries.entries()) {
      const leaf = entryHash(sha256, entry.text)
      if (entry.index !== index + at || toHex(leaf) !== toHex(entry.leaf)) return index + at
      leaves.push(leaf)
    }
    index += entries.length
    if (entries.length < TILE_WIDTH) {
      if (index !== size) return 'checkpoint'
      break
    }
    const hashes = joinBytes(...leaves)
    if (toHex(await readTile(db, 0, tileRoots.length, TILE_WIDTH)) !== toHex(hashes)) return index - TILE_WIDTH
    tileRoots.push(hashUp(sha256, hashes))
    leaves = []
  }
  if (checkpoint === null) return null
  const tree = {
    sha256,
    size,
    readTile: tilesInMemory(tileRoots, leaves, (level, at) => readTile(db, level, at, TILE_WIDTH)),
  }
  const opened = openNote(SERVER_TOOLS, checkpoint.note, keys)
  const isSound = typeof opened === 'object' && toHex(opened.checkpoint.root) === toHex(await rootOfLog(tree))
  return isSound && opened.checkpoint.size === size ? null : 'checkpoint'
}

/** Tiles that were just recomputed. Level 0 is stored as it was checked above. */
function tilesInMemory(
  tileRoots: readonly Uint8Array[],
  lastLeaves: readonly Uint8Array[],
  readStored: (level: number, index: number) => Promise<Uint8Array>,
) {
  const levels: (readonly Uint8Array[])[] = []
  const rootsOf = (level: number): readonly Uint8Array[] => {
    if (level === 1) return tileRoots
    const below = rootsOf(level - 1)
    levels[level] ??= Array.from({ length: Math.floor(below.length / TILE_WIDTH) }, (_, at) =>
      hashUp(sha256, joinBytes(...below.slice(at * TILE_WIDTH, (at + 1) * TILE_WIDTH))),
    )
    return levels[level] ?? []
  }
  return async (level: number, index: number, width: number): Promise<Uint8Array> => {
    if (level === 0 && index === tileRoots.length) return joinBytes(...lastLeaves).subarray(0, width * HASH_BYTES)
    if (level === 0) return await readStored(level, index)
    return joinBytes(...rootsOf(level).slice(index * TILE_WIDTH, index * TILE_WIDTH + width))
  }
}
