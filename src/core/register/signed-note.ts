import { asciiBytes, fromBase64, joinBytes, type Sha256, toBase64, toHex } from '#core/proof/bytes.ts'

/** Types of keys. A log signs its own checkpoints. A witness signs checkpoints that it has seen. */
export const KEY_TYPES = { log: 0x01, witness: 0x04 } as const
export type KeyType = (typeof KEY_TYPES)[keyof typeof KEY_TYPES]

/** A public Ed25519 key that signs notes. */
export interface NoteKey {
  /** The log's origin, or the name of the witness. */
  readonly name: string
  readonly type: KeyType
  readonly publicKey: Uint8Array
}

/** A signature under a note. */
export interface NoteLine {
  readonly name: string
  /** The key's id and the signature: 4 bytes, then the signature itself. */
  readonly bytes: Uint8Array
}

/** A text with signatures, as in C2SP signed-note. */
export interface SignedNote {
  /** Ends with a line feed. */
  readonly text: string
  readonly lines: readonly NoteLine[]
}

const ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
/** 20,000 characters: far more than a checkpoint with 64 cosignatures has. */
const MAX_NOTE_LETTERS = 20_000
const MAX_LINES = 100
/** An em dash begins each line of a signature. */
const DASH = '\u2014'
const SIGNATURE_LINE = new RegExp(`^${DASH} ([^\\s+]+) ([A-Za-z0-9+/]+={0,2})$`, 'u')
const KEY_NAME = /^[\x21-\x2a\x2c-\x7e]{1,200}$/
/** Signed texts are printable ASCII here, so that there is one way to encode them as bytes. */
const NOTE_TEXT = /^(?:[\x20-\x7e]*\n)+$/

/** The first four bytes of SHA-256(name, line feed, type, public key). */
export function noteKeyId(sha256: Sha256, { name, type, publicKey }: NoteKey): Uint8Array {
  return sha256(joinBytes(asciiBytes(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, ID_BYTES)
}

/** Writes a key as people exchange it: `name+id+base64(type, public key)`. */
export function formatVerifierKey(sha256: Sha256, key: NoteKey): string {
  const content = toBase64(joinBytes(Uint8Array.of(key.type), key.publicKey))
  return `${key.name}+${toHex(noteKeyId(sha256, key))}+${content}`
}

/** Parses a key as people exchange it. Returns null when the text is malformed or the id does not match the key. */
export function parseVerifierKey(sha256: Sha256, text: string): NoteKey | null {
  const [name = '', id = '', ...rest] = text.split('+')
  // Base64 may contain a plus sign itself.
  const content = fromBase64(rest.join('+'))
  const type = Object.values(KEY_TYPES).find((known) => known === content?.[0])
  if (!KEY_NAME.test(name) || content?.length !== 1 + PUBLIC_KEY_BYTES || type === undefined) return null
  const key = { name, type, publicKey: content.subarray(1) }
  return toHex(noteKeyId(sha256, key)) === id ? key : null
}

export function formatNoteLine({ name, bytes }: NoteLine): string {
  return `${DASH} ${name} ${toBase64(bytes)}\n`
}

/** Reads one line of a signature without its line feed. Returns null when it is malformed. */
export function parseNoteLine(text: string): NoteLine | null {
  const [, name, encoded = ''] = SIGNATURE_LINE.exec(text) ?? []
  const bytes = fromBase64(encoded)
  return name === undefined || bytes === null || bytes.length <= ID_BYTES ? null : { name, bytes }
}

export function formatNote({ text, lines }: SignedNote): string {
  return [text, '\n', ...lines.map(formatNoteLine)].join('')
}

/** Reads a note. Returns null when it is malformed, has no signature line or is too large. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n')
  if (note.length > MAX_NOTE_LETTERS || end === -1 || !note.endsWith('\n')) return null
  const text = note.slice(0, end + 1)
  const lines = note
    .slice(end + 2, -1)
    .split('\n')
    .map(parseNoteLine)
  const read = lines.filter((line) => line !== null)
  if (!NOTE_TEXT.test(text) || read.length < lines.length || read.length > MAX_LINES) return null
  return { text, lines: read }
}
