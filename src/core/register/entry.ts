import { asciiBytes, type Sha256 } from '#core/proof/bytes.ts'
import { leafHash } from '#core/proof/hash-tree.ts'
import { asciiJson } from '#core/text/ascii-json.ts'
import { parseJson } from '#core/text/parse-json.ts'

/** The subjects of entries, as described in `docs/reference/register.md`. */
export const ENTRY_KINDS = [
  'genesis',
  'ticks',
  'receipts',
  'owed',
  'audit',
  'terms',
  'sources',
  'key',
  'run',
  'clock',
  'money',
  'act',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export interface RegisterEntry {
  readonly kind: EntryKind
  /** Canonical JSON: ASCII, fixed order of names, no white space. */
  readonly text: string
}

/** 60,000 bytes: a tile of entries stores the length of an entry in two bytes. */
const MAX_ENTRY_LETTERS = 60_000

/** Formats an entry. The fields keep their order. Throws when the text is too long. */
export function makeEntry(kind: EntryKind, fields: Readonly<Record<string, unknown>>): RegisterEntry {
  const text = asciiJson({ v: 1, kind, ...fields })
  if (text.length > MAX_ENTRY_LETTERS) throw new RangeError(`an entry of kind ${kind} is too long`)
  return { kind, text }
}

export function entryHash(sha256: Sha256, text: string): Uint8Array {
  return leafHash(sha256, asciiBytes(text))
}

/** Reads the fields of an entry. Returns null when it is not an entry of this version. */
export function readEntry(text: string): Record<string, unknown> | null {
  if (text.length > MAX_ENTRY_LETTERS || !/^[\x20-\x7e]*$/.test(text)) return null
  try {
    const value: unknown = parseJson(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && (value as { v?: unknown }).v === 1 ? { ...value } : null
  } catch {
    // Text that is not JSON is not an entry.
    return null
  }
}
