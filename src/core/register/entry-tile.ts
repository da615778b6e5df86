import { asciiBytes, joinBytes } from '#core/proof/bytes.ts'

/** Formats a tile of entries. Each entry follows its length in two bytes, highest byte first (C2SP tlog-tiles). */
export function formatEntryTile(texts: readonly string[]): Uint8Array {
  const pieces = texts.flatMap((text) => [Uint8Array.of(text.length >> 8, text.length & 0xff), asciiBytes(text)])
  return joinBytes(...pieces)
}

/**
 * Parses the entries of a tile. Of an entry that is cut off, the existing part is returned, so its hash does not match.
 */
export function readEntryTile(tile: Uint8Array): string[] {
  const texts: string[] = []
  for (let at = 0; at + 2 <= tile.length; ) {
    const end = at + 2 + ((tile[at] ?? 0) << 8) + (tile[at + 1] ?? 0)
    // Bytes outside ASCII give a different text, whose hash does not match.
    texts.push(Array.from(tile.subarray(at + 2, end), (byte) => String.fromCharCode(byte)).join(''))
    at = end
  }
  return texts
}
