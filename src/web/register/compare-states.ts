import { fromBase64 } from '#core/proof/bytes.ts'
import type { CheckTools } from '#core/proof/check-signature.ts'
import type { Checkpoint } from '#core/register/checkpoint.ts'
import { isConsistent } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import { type NoteKey, parseVerifierKey } from '#core/register/signed-note.ts'

/**
 * Requests the proof, in base64, that the smaller state of the register is the beginning of the larger state. Null when
 * there is no proof.
 */
export type AskForProof = (fromSize: number, toSize: number) => Promise<readonly string[] | null>

/**
 * - `same`: one state is the beginning of the other.
 * - `conflict`: both are signed, and no register can have had both.
 * - `unreadable`: a state is not signed by a known key.
 */
export type Comparison = 'same' | 'conflict' | 'unreadable'

/** Compares two signed states of one register. */
export async function compareStates(
  tools: CheckTools,
  keys: readonly NoteKey[],
  notes: readonly [string, string],
  askForProof: AskForProof,
): Promise<Comparison> {
  const opened = notes.map((note) => openNote(tools, note, keys))
  const states = opened.filter((one) => typeof one === 'object').map(({ checkpoint }) => checkpoint)
  const [one, other] = states
  if (one === undefined || other === undefined) return 'unreadable'
  if (one.origin !== other.origin) return 'conflict'
  const [older, newer] = one.size <= other.size ? [one, other] : [other, one]
  return (await isBeginningOf(tools, older, newer, askForProof)) ? 'same' : 'conflict'
}

async function isBeginningOf(
  { sha256 }: CheckTools,
  older: Checkpoint,
  newer: Checkpoint,
  askForProof: AskForProof,
): Promise<boolean> {
  const hashes = older.size === newer.size ? [] : await askForProof(older.size, newer.size)
  const proof = hashes?.map(fromBase64).filter((hash) => hash !== null)
  return proof !== undefined && proof.length === hashes?.length && isConsistent(sha256, older, newer, proof)
}

/** Parses verifier keys in the text form that people exchange. Malformed keys are left out. */
export function readKeys({ sha256 }: CheckTools, texts: readonly string[]): NoteKey[] {
  return texts.map((text) => parseVerifierKey(sha256, text)).filter((key) => key !== null)
}
