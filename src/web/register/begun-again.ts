import { fromBase64, sameBytes } from '#core/proof/bytes.ts'
import type { CheckTools } from '#core/proof/check-signature.ts'
import { type Checkpoint, parseCheckpoint } from '#core/register/checkpoint.ts'
import { entryHash, readEntry } from '#core/register/entry.ts'
import { isConsistent } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import { type NoteKey, parseNote } from '#core/register/signed-note.ts'
import type { AskForProof } from '#web/register/compare-states.ts'

/** Requests to the server about a register. Both throw when the server does not reply. */
export interface RegisterServer {
  readonly askForProof: AskForProof
  /** Requests the text of the first entry. */
  readonly askForFirst: () => Promise<string>
}

/** Reads the state in a note without checking its signatures. Null when the note is malformed. */
export function stateIn(note: string): Checkpoint | null {
  return parseCheckpoint(parseNote(note)?.text ?? '')
}

/** Whether the origin is the name of a later register of the same site: `…/register/2` after `…/register`. */
export function isLaterName(before: string, origin: string): boolean {
  const [old, next] = [partsOf(before), partsOf(origin)]
  return old.base === next.base && next.number > old.number
}

function partsOf(origin: string): { readonly base: string; readonly number: number } {
  const [, base = origin, number = '1'] = /^(.*)\/(\d+)$/.exec(origin) ?? []
  return { base, number: Number(number) }
}

/**
 * Whether a state belongs to a register that began again after the register in the seen notes: the same keys sign it,
 * and its first entry names a signed state of the earlier register which contradicts none of the seen states. The
 * server has no proofs of the earlier register any more, so only states of one size can contradict each other here.
 */
export async function hasBegunAgain(
  tools: CheckTools,
  seen: { readonly notes: readonly string[]; readonly keys: readonly NoteKey[] },
  newer: string,
  server: RegisterServer,
): Promise<boolean> {
  const now = openUnderAnyName(tools, newer, seen.keys)
  if (now === null) return false
  const first = await server.askForFirst()
  if (!(await isFirstEntry(tools, first, now, server))) return false
  const entry = readEntry(first)
  const before = openUnderAnyName(tools, noteBefore(entry), seen.keys)
  if (entry?.['kind'] !== 'genesis' || entry['origin'] !== now.origin || before === null) return false
  const states = seen.notes.map(stateIn).filter((state) => state !== null)
  const [newest] = states.slice(-1)
  if (newest === undefined || !isLaterName(before.origin, now.origin)) return false
  const isInBetween = isLaterName(newest.origin, before.origin)
  return isInBetween || (before.origin === newest.origin && states.every((state) => agree(state, before)))
}

/** Opens a state whose log key is known under the log's present or earlier name: a key stays when the name changes. */
function openUnderAnyName(tools: CheckTools, note: string, keys: readonly NoteKey[]): Checkpoint | null {
  const name = stateIn(note)?.origin ?? ''
  const opened = openNote(
    tools,
    note,
    keys.map((key) => ({ ...key, name })),
  )
  return typeof opened === 'string' ? null : opened.checkpoint
}

/** The tree over one entry has the entry's hash as its root, so a proof between two states shows the first entry. */
async function isFirstEntry(
  { sha256 }: CheckTools,
  text: string,
  now: Checkpoint,
  { askForProof }: RegisterServer,
): Promise<boolean> {
  const hashes = now.size > 1 ? await askForProof(1, now.size) : []
  const proof = hashes?.map(fromBase64).filter((hash) => hash !== null)
  const one = { size: 1, root: entryHash(sha256, text) }
  return proof !== undefined && proof.length === hashes?.length && isConsistent(sha256, one, now, proof)
}

function noteBefore(entry: Readonly<Record<string, unknown>> | null): string {
  const before: unknown = entry?.['before']
  const note: unknown = typeof before === 'object' && before !== null && 'note' in before ? before.note : null
  return typeof note === 'string' ? note : ''
}

function agree(one: Checkpoint, other: Checkpoint): boolean {
  return one.size !== other.size || sameBytes(one.root, other.root)
}
