import { entryHash, type RegisterEntry } from '#core/register/entry.ts'
import { checkpointText } from '#core/register/checkpoint.ts'
import { rootOfLog } from '#core/register/log-proofs.ts'
import { formatNote } from '#core/register/signed-note.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { readIdentity, type RegisterIdentity } from '#server/register/identity.queries.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import {
  insertCheckpoint,
  insertEntries,
  newestCheckpoint,
  type StoredCheckpoint,
  storedTree,
  takePending,
} from '#server/register/register.queries.ts'
import type { RegisterKey } from '#server/register/register-keys.ts'

/** An entry that sums up new data, with a function that writes rows once the number of the entry is known. */
export interface GatheredEntry extends RegisterEntry {
  /** Runs in the transaction that adds the entry. */
  readonly added?: (tx: Tx, index: number) => Promise<void>
}

/** Gathers the data that is newer than the entries that the register already has. */
export type Gather = (tx: Tx, nowMs: number) => Promise<readonly GatheredEntry[]>

export interface RegisterParts {
  readonly ctx: Ctx
  readonly keys: readonly RegisterKey[]
  /** Makes the first entry of the register. */
  readonly genesis: (tx: Tx, identity: RegisterIdentity, nowMs: number) => Promise<GatheredEntry>
  readonly gather: readonly Gather[]
}

/**
 * Adds entries for all new data to the register, and signs the new state. Returns null when nothing is new. Two servers
 * that close at the same time insert the same index, so one of them fails and changes nothing.
 */
export async function closeMinute(parts: RegisterParts): Promise<StoredCheckpoint | null> {
  const { ctx } = parts
  return await ctx.db.transaction().execute(async (tx) => {
    const nowMs = ctx.now()
    const identity = await readIdentity(tx)
    if (identity === null) return null
    const before = await newestCheckpoint(tx)
    const size = before?.size ?? 0
    const entries = await newEntries(parts, tx, { identity, isFirst: before === null, nowMs })
    if (entries.length === 0) return null
    const leaves = entries.map(({ kind, text }) => ({ kind, text, leaf: entryHash(sha256, text), atMs: nowMs }))
    await insertEntries(tx, size, leaves)
    for (const [at, { added }] of entries.entries()) await added?.(tx, size + at)
    const checkpoint = await signedState(parts, tx, {
      origin: identity.origin,
      size: size + entries.length,
      atMs: nowMs,
    })
    await insertCheckpoint(tx, checkpoint)
    return checkpoint
  })
}

async function newEntries(
  { genesis, gather }: RegisterParts,
  tx: Tx,
  {
    identity,
    isFirst,
    nowMs,
  }: { readonly identity: RegisterIdentity; readonly isFirst: boolean; readonly nowMs: number },
): Promise<readonly GatheredEntry[]> {
  const first = isFirst ? [await genesis(tx, identity, nowMs)] : []
  const entries: GatheredEntry[] = [...first, ...(await takePending(tx))]
  // The first entry of the register already contains the present state, so gathering begins with the next minute.
  if (!isFirst) for (const one of gather) entries.push(...(await one(tx, nowMs)))
  return entries
}

async function signedState(
  { keys }: RegisterParts,
  tx: Tx,
  { origin, size, atMs }: { readonly origin: string; readonly size: number; readonly atMs: number },
): Promise<StoredCheckpoint> {
  const root = await rootOfLog(storedTree(tx, size))
  const text = checkpointText({ origin, size, root })
  return { size, root, atMs, note: formatNote({ text, lines: keys.map((key) => key.sign(origin, text)) }) }
}
