import { asciiBytes, joinBytes } from '#core/proof/bytes.ts'

/** Writes a tile of entries: each behind its length in two bytes, highest first (C2SP tlog-tiles). */
export function formatEntryTile(texts: readonly string[]): Uint8Array {
  const pieces = texts.flatMap((text) => [Uint8Array.of(text.length >> 8, text.length & 0xff), asciiBytes(text)])
  return joinBytes(...pieces)
}

/** Reads the entries of a tile. An entry that is cut off keeps what is there, and has another hash. */
export function readEntryTile(tile: Uint8Array): string[] {
  const texts: string[] = []
  for (let at = 0; at + 2 <= tile.length; ) {
    const end = at + 2 + ((tile[at] ?? 0) << 8) + (tile[at + 1] ?? 0)
    // Bytes that are no ASCII give another text, whose hash does not fit.
    texts.push(Array.from(tile.subarray(at + 2, end), (byte) => String.fromCharCode(byte)).join(''))
    at = end
  }
  return texts
}
