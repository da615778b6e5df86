import { HASH_BYTES, joinBytes } from '#core/proof/bytes.ts'
import { type EntryKind, readEntry, type RegisterEntry } from '#core/register/entry.ts'
import { hashUp, type LogTree, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { sql } from 'kysely'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'

/**
 * The number of the register to which the server adds entries. Each earlier register ended when a backup was restored.
 */
export const CURRENT_LOG = sql<number>`current_log()`

/** A checkpoint of the register as it was signed. */
export interface StoredCheckpoint {
  readonly size: number
  readonly root: Uint8Array
  readonly atMs: number
  readonly note: string
}

export interface StoredEntry extends RegisterEntry {
  readonly index: number
  readonly leaf: Uint8Array
  readonly atMs: number
}

/** Finds the newest checkpoint. Null before the first. */
export async function newestCheckpoint(db: Db): Promise<StoredCheckpoint | null> {
  const row = await db
    .selectFrom('register_checkpoint')
    .where('log', '=', CURRENT_LOG)
    .selectAll()
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toCheckpoint(row)
}

export async function checkpointOfSize(db: Db, size: number): Promise<StoredCheckpoint | null> {
  const row = await db
    .selectFrom('register_checkpoint')
    .where('log', '=', CURRENT_LOG)
    .selectAll()
    .where('size', '=', BigInt(size))
    .executeTakeFirst()
  return row === undefined ? null : toCheckpoint(row)
}

interface CheckpointRow {
  size: bigint
  root: Uint8Array
  at_ms: bigint
  note: string
}

export function toCheckpoint({ size, root, at_ms: atMs, note }: CheckpointRow): StoredCheckpoint {
  return { size: Number(size), root, atMs: Number(atMs), note }
}

/** Finds the newest entry of a kind. */
export async function newestEntry(db: Db, kind: EntryKind): Promise<StoredEntry | null> {
  const row = await db
    .selectFrom('register_entry')
    .where('log', '=', CURRENT_LOG)
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toEntry(row)
}

/**
 * Returns the time of the newest daily entry about staff members, which counts their acts up to this time. Null before
 * the first such entry.
 */
export async function newestDayOfStaff(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('register_entry')
    .where('log', '=', CURRENT_LOG)
    .select('at_ms')
    .where('kind', '=', 'act')
    .where('text', 'like', '{"v":1,"kind":"act","what":"staff_day",%')
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : Number(row.at_ms)
}

/**
 * Finds the facts in the newest entry of a kind that sums up data. Before the first entry of this kind, the facts are
 * in the first entry of the register.
 */
export async function newestFacts(
  db: Db,
  kind: 'ticks' | 'owed' | 'audit',
): Promise<{ readonly atMs: number; readonly facts: Readonly<Record<string, unknown>> }> {
  const own = await newestEntry(db, kind)
  const entry = own ?? (await newestEntry(db, 'genesis'))
  const read = entry === null ? null : readEntry(entry.text)
  const facts = own === null ? read?.[kind] : read
  return { atMs: entry?.atMs ?? 0, facts: typeof facts === 'object' && facts !== null ? { ...facts } : {} }
}

/** Lists entries from an index on. */
export async function entriesFrom(db: Db, index: number, limit: number): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('register_entry')
    .where('log', '=', CURRENT_LOG)
    .selectAll()
    .where('index', '>=', BigInt(index))
    .orderBy('index')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

/** Lists all entries of a rare kind, oldest first. */
export async function entriesOfKind(db: Db, kind: EntryKind): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('register_entry')
    .where('log', '=', CURRENT_LOG)
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('index')
    .execute()
  return rows.map(toEntry)
}

interface EntryRow {
  index: bigint
  kind: string
  text: string
  leaf: Uint8Array
  at_ms: bigint
}

function toEntry({ index, kind, text, leaf, at_ms: atMs }: EntryRow): StoredEntry {
  return { index: Number(index), kind: kind as EntryKind, text, leaf, atMs: Number(atMs) }
}

const ROWS_AT_ONCE = 10_000

/** Inserts entries after the first `size` entries, with the tiles that the new entries complete. */
export async function insertEntries(
  tx: Tx,
  size: number,
  entries: readonly Omit<StoredEntry, 'index'>[],
): Promise<void> {
  const rows = entries.map(({ kind, text, leaf, atMs }, at) => ({ index: size + at, kind, text, leaf, at_ms: atMs }))
  // PostgreSQL takes at most 65,535 parameters in one statement.
  for (const some of chunk(rows, ROWS_AT_ONCE)) await tx.insertInto('register_entry').values(some).execute()
  await insertFullTiles(tx, 0, size, size + entries.length)
}

/**
 * Inserts the tiles of a level that become complete when the level grows from `before` to `after` hashes, and those of
 * the levels above it.
 */
async function insertFullTiles(tx: Tx, level: number, before: number, after: number): Promise<void> {
  const [first, end] = [Math.floor(before / TILE_WIDTH), Math.floor(after / TILE_WIDTH)]
  if (first === end) return
  for (let index = first; index < end; index += 1) {
    const hashes = await hashesBelow(tx, level, index, TILE_WIDTH)
    await tx
      .insertInto('register_tile')
      .values({ level, index, hashes, root: hashUp(sha256, hashes) })
      .execute()
  }
  await insertFullTiles(tx, level + 1, first, end)
}

/** Returns the first `size` entries of the register as a Merkle tree. */
export function storedTree(db: Db, size: number): LogTree {
  return { sha256, size, readTile: (level, index, width) => readTile(db, level, index, width) }
}

/** Reads the first `width` hashes of a tile. Throws when the register has fewer hashes. */
export async function readTile(db: Db, level: number, index: number, width: number): Promise<Uint8Array> {
  if (width < TILE_WIDTH) return await hashesBelow(db, level, index, width)
  const row = await db
    .selectFrom('register_tile')
    .where('log', '=', CURRENT_LOG)
    .select('hashes')
    .where('level', '=', level)
    .where('index', '=', BigInt(index))
    .executeTakeFirstOrThrow()
  return row.hashes
}

/** Reads hashes of a tile from the leaves, or from the roots of the tiles below. */
async function hashesBelow(db: Db, level: number, index: number, width: number): Promise<Uint8Array> {
  const [first, last] = [BigInt(index * TILE_WIDTH), BigInt(index * TILE_WIDTH + width - 1)]
  const rows =
    level === 0
      ? await db
          .selectFrom('register_entry')
          .where('log', '=', CURRENT_LOG)
          .select('leaf as hash')
          .where('index', '>=', first)
          .where('index', '<=', last)
          .orderBy('index')
          .execute()
      : await db
          .selectFrom('register_tile')
          .where('log', '=', CURRENT_LOG)
          .select('root as hash')
          .where('level', '=', level - 1)
          .where('index', '>=', first)
          .where('index', '<=', last)
          .orderBy('index')
          .execute()
  const hashes = joinBytes(...rows.map(({ hash }) => hash))
  if (hashes.length !== width * HASH_BYTES) throw new RangeError('the register has fewer entries')
  return hashes
}

/** Takes all waiting entries out of their table, in the order in which they were added. */
export async function takePending(tx: Tx): Promise<(RegisterEntry & { readonly atMs: number })[]> {
  const rows = await tx.deleteFrom('register_pending').returningAll().execute()
  return rows
    .toSorted((one, other) => Number(one.at_ms - other.at_ms) || (one.id < other.id ? -1 : 1))
    .map(({ kind, text, at_ms: atMs }) => ({ kind: kind as EntryKind, text, atMs: Number(atMs) }))
}

/** Inserts a checkpoint. A second checkpoint of the same size is refused by the database. */
export async function insertCheckpoint(tx: Tx, { size, root, atMs, note }: StoredCheckpoint): Promise<void> {
  await tx.insertInto('register_checkpoint').values({ size, root, at_ms: atMs, note }).execute()
}

/** Deletes waiting entries that the register already has. */
export async function deletePending(tx: Tx, texts: readonly string[]): Promise<void> {
  await tx.deleteFrom('register_pending').where('text', '=', sql<string>`any(${texts}::text[])`).execute()
}
