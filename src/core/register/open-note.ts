import { asciiBytes, joinBytes, numberAt, numberBytes, type Sha256 } from '#core/proof/bytes.ts'
import type { CheckTools } from '#core/proof/check-signature.ts'
import { type Checkpoint, parseCheckpoint } from '#core/register/checkpoint.ts'
import { KEY_TYPES, type NoteKey, noteKeyId, type NoteLine, parseNote } from '#core/register/signed-note.ts'

const ID_BYTES = 4
const SIGNATURE_BYTES = 64
const SECONDS_BYTES = 8

/** A valid signature under a checkpoint. */
export interface NoteSignature {
  readonly key: NoteKey
  /** When a witness signed, in seconds since 1970. Null for the log itself. */
  readonly seconds: number | null
  readonly line: NoteLine
}

/** A checkpoint with those of its signatures whose keys are known. */
export interface OpenedNote {
  readonly checkpoint: Checkpoint
  /** The three lines of the checkpoint that the signatures cover. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/**
 * - `note_form`: the note is malformed.
 * - `note_signature`: the signature line of a known key does not verify.
 * - `note_unsigned`: the log itself has not signed with any known key.
 */
export type NoteFault = 'note_form' | 'note_signature' | 'note_unsigned'

/**
 * Checks a checkpoint with its signatures (C2SP signed-note, tlog-checkpoint, tlog-cosignature). Lines of unknown keys
 * are ignored.
 */
export function openNote(tools: CheckTools, note: string, keys: readonly NoteKey[]): OpenedNote | NoteFault {
  const read = parseNote(note)
  const checkpoint = read && parseCheckpoint(read.text)
  if (!read || !checkpoint) return 'note_form'
  const signatures: NoteSignature[] = []
  for (const line of read.lines) {
    const key = keys.find((one) => isLineOf(tools.sha256, one, line))
    if (key === undefined) continue
    const signature = checkLine(tools, read.text, key, line)
    if (signature === null) return 'note_signature'
    signatures.push(signature)
  }
  const isSigned = signatures.some(({ key }) => key.type === KEY_TYPES.log && key.name === checkpoint.origin)
  return isSigned ? { checkpoint, text: read.text, signatures } : 'note_unsigned'
}

/** Whether a signature line has the name and the id of this key. The signature itself is not checked. */
export function isLineOf(sha256: Sha256, key: NoteKey, { name, bytes }: NoteLine): boolean {
  const id = noteKeyId(sha256, key)
  return name === key.name && id.every((byte, at) => bytes[at] === byte)
}

/** Checks one line under a checkpoint's text. Returns null when it does not verify. */
export function checkLine(tools: CheckTools, text: string, key: NoteKey, line: NoteLine): NoteSignature | null {
  const content = line.bytes.subarray(ID_BYTES)
  const isByWitness = key.type === KEY_TYPES.witness
  if (content.length !== SIGNATURE_BYTES + (isByWitness ? SECONDS_BYTES : 0)) return null
  const seconds = isByWitness ? Number(numberAt(content, 0)) : null
  const signature = content.subarray(-SIGNATURE_BYTES)
  const message = asciiBytes(seconds === null ? text : cosignedText(text, seconds))
  return tools.verify(key.publicKey, signature, message) ? { key, seconds, line } : null
}

/** Writes the text that a witness signs: the time and the checkpoint's three lines. */
export function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`
}

/** Builds the line of a log's signature over its own checkpoint. */
export function logLine(sha256: Sha256, key: NoteKey, signature: Uint8Array): NoteLine {
  return { name: key.name, bytes: joinBytes(noteKeyId(sha256, key), signature) }
}

/** Builds the line of a witness's signature over a checkpoint, with the time in seconds since 1970. */
export function witnessLine(sha256: Sha256, key: NoteKey, seconds: number, signature: Uint8Array): NoteLine {
  return { name: key.name, bytes: joinBytes(noteKeyId(sha256, key), numberBytes(seconds), signature) }
}
