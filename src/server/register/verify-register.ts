import { joinBytes, sameBytes } from '#core/proof/bytes.ts'
import { entryHash } from '#core/register/entry.ts'
import { hashUp, type ReadTile, rootOfLog, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import type { NoteKey } from '#core/register/signed-note.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { entriesFrom, newestCheckpoint, readTile } from '#server/register/register.queries.ts'

/** The part that does not verify: the number of an entry, or the signed `checkpoint`. */
export type RegisterDamage = number | 'checkpoint'

/**
 * Recomputes the whole register from the texts of its entries. Returns the first part that does not verify, or null.
 */
export async function findDamage(db: Db, keys: readonly NoteKey[]): Promise<RegisterDamage | null> {
  const checkpoint = await newestCheckpoint(db)
  const size = checkpoint?.size ?? 0
  const tileRoots: Uint8Array[] = []
  let leaves: Uint8Array[] = []
  for (let index = 0; ; ) {
    const entries = await entriesFrom(db, index, TILE_WIDTH)
    for (const [at, entry] of entries.entries()) {
      const leaf = entryHash(sha256, entry.text)
      if (entry.index !== index + at || !sameBytes(leaf, entry.leaf)) return index + at
      leaves.push(leaf)
    }
    index += entries.length
    if (entries.length < TILE_WIDTH) {
      if (index !== size) return 'checkpoint'
      break
    }
    const hashes = joinBytes(...leaves)
    if (!sameBytes(await readTile(db, 0, tileRoots.length, TILE_WIDTH), hashes)) return index - TILE_WIDTH
    tileRoots.push(hashUp(sha256, hashes))
    leaves = []
  }
  if (checkpoint === null) return null
  const tree = { sha256, size, readTile: tilesInMemory(tileRoots, leaves) }
  const opened = openNote(SERVER_TOOLS, checkpoint.note, keys)
  const isSound = typeof opened === 'object' && sameBytes(opened.checkpoint.root, await rootOfLog(tree))
  return isSound && opened.checkpoint.size === size ? null : 'checkpoint'
}

/**
 * Serves tiles of hashes that were just recomputed. On level 0, only the leaves of the last, incomplete tile are
 * needed, because the roots of the full tiles are known.
 */
function tilesInMemory(tileRoots: readonly Uint8Array[], lastLeaves: readonly Uint8Array[]): ReadTile {
  const levels = [tileRoots]
  for (let below = tileRoots; below.length >= TILE_WIDTH; ) {
    const count = Math.floor(below.length / TILE_WIDTH)
    below = Array.from({ length: count }, (_, at) => hashUp(sha256, joinBytes(...tileOf(below, at, TILE_WIDTH))))
    levels.push(below)
  }
  return (level, index, width) => {
    const hashes = level === 0 ? lastLeaves.slice(0, width) : tileOf(levels[level - 1] ?? [], index, width)
    return Promise.resolve(joinBytes(...hashes))
  }
}

function tileOf(hashes: readonly Uint8Array[], index: number, width: number): readonly Uint8Array[] {
  return hashes.slice(index * TILE_WIDTH, index * TILE_WIDTH + width)
}
