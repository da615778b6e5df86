import { sameBytes } from '#core/proof/bytes.ts'
import { readEntryTile } from '#core/register/entry-tile.ts'
import { entryHash, readEntry, type EntryKind } from '#core/register/entry.ts'
import { rootOfLog, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import { formatNote, KEY_TYPES } from '#core/register/signed-note.ts'
import { tilePath } from '#core/register/tile-path.ts'
import { refuse, type Result, ok } from '#core/result.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { endHalts } from '#server/register/halts.queries.ts'
import { knownKeys } from '#server/register/identity.queries.ts'
import {
  deletePending,
  insertCheckpoint,
  insertEntries,
  newestCheckpoint,
  type StoredEntry,
  storedTree,
} from '#server/register/register.queries.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { insertCosignature, listWitnesses } from '#server/register/witnesses.queries.ts'

/**
 * - `unreachable`: the address does not answer with a register.
 * - `other_register`: the state at the address is not signed by this register's key.
 * - `not_larger`: the copy has no entry that this register lacks.
 * - `differs`: the fetched entries do not lead to the signed state of the copy. Then the first entries of the copy
 * differ from the entries of this register.
 */
export type RecoveryFault = 'unreachable' | 'other_register' | 'not_larger' | 'differs'

const WAIT_MS = 30 * SECOND_MS

/**
 * When a database was restored from a backup, fetches the register entries that it lacks from a copy of the register
 * elsewhere. Returns the new size of the register.
 */
export async function recoverRegister(ctx: Ctx, url: string): Promise<Result<number, RecoveryFault>> {
  const prefix = url.replace(/\/+$/, '')
  const note = await fetchBytes(`${prefix}/checkpoint`)
  if (note === null) return refuse('unreachable')
  const witnesses = await listWitnesses(ctx.db)
  const keys = [...(await knownKeys(ctx.db)), ...witnesses.map(({ key }) => key)]
  const opened = openNote(SERVER_TOOLS, note.toString('utf8'), keys)
  if (typeof opened === 'string') return refuse('other_register')
  const { size, root } = opened.checkpoint
  const ownSize = (await newestCheckpoint(ctx.db))?.size ?? 0
  if (size <= ownSize) return refuse('not_larger')
  const texts = await fetchEntries(prefix, ownSize, size)
  if (texts === null) return refuse('unreachable')
  return await ctx.db
    .transaction()
    .execute(async (tx) => {
      await insertEntries(
        tx,
        ownSize,
        texts.map((text) => toStored(text, ctx.now())),
      )
      if (!sameBytes(await rootOfLog(storedTree(tx, size)), root)) throw new DiffersError()
      const lines = opened.signatures.filter(({ key }) => key.type === KEY_TYPES.log).map(({ line }) => line)
      await insertCheckpoint(tx, { size, root, atMs: ctx.now(), note: formatNote({ text: opened.text, lines }) })
      for (const one of opened.signatures) if (one.seconds !== null) await insertCosignature(tx, size, one)
      await deletePending(tx, texts)
      await endHalts(tx, ctx.now())
      return ok(size)
    })
    .catch((error: unknown) => {
      if (error instanceof DiffersError) return refuse('differs')
      throw error
    })
}

class DiffersError extends Error {}

function toStored(text: string, nowMs: number): Omit<StoredEntry, 'index'> {
  const entry = readEntry(text)
  const atMs = entry?.['at_ms']
  return {
    kind: String(entry?.['kind']) as EntryKind,
    text,
    leaf: entryHash(sha256, text),
    atMs: typeof atMs === 'number' ? atMs : nowMs,
  }
}

/** Fetches the entries from one index to another. Null when the copy lacks one. */
async function fetchEntries(prefix: string, from: number, to: number): Promise<string[] | null> {
  const texts: string[] = []
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index += 1) {
    const width = Math.min(TILE_WIDTH, to - index * TILE_WIDTH)
    const bytes = await fetchBytes(`${prefix}/${tilePath({ level: 'entries', index, width })}`)
    const entries = bytes && readEntryTile(bytes)
    if (entries?.length !== width) return null
    texts.push(...entries.slice(Math.max(0, from - index * TILE_WIDTH)))
  }
  return texts
}

async function fetchBytes(url: string): Promise<Buffer | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null
  } catch {
    // An address that does not answer is reported by the caller.
    return null
  }
}
