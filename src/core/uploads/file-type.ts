/** The accepted types of uploads. All other types are refused. */
export type FileType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

export const PICTURE_TYPES: readonly FileType[] = ['image/jpeg', 'image/png', 'image/webp']
export const RECEIPT_TYPES: readonly FileType[] = [...PICTURE_TYPES, 'application/pdf']
/** 8 MiB per file: enough for a photo from a phone. */
export const MAX_UPLOAD_BYTES = 8 * 1_048_576

/**
 * The number of leading bytes needed to detect a file's type: PDF readers look for the header within the first 1,024
 * bytes.
 */
export const TELLING_BYTES = 1_024 + 5

/**
 * Leading bytes of other kinds of files: web pages, programs, archives, pictures. A file that starts with such bytes is
 * refused, even if a PDF header follows.
 */
const OTHER_STARTS = ['<', 'MZ', 'PK\x03\x04', '\x7FELF', 'GIF8', 'Rar!', '7z\xBC\xAF', '#!']
const BYTE_ORDER_MARK = '\xEF\xBB\xBF'

/**
 * Detects a file's type by its first bytes. File names and declared types are ignored, because the sender chooses them.
 */
export function readFileType(start: Uint8Array): FileType | null {
  const has = (text: string, at = 0) =>
    Array.from(text, (letter) => letter.charCodeAt(0)).every((byte, place) => start[at + place] === byte)
  if (has('\xFF\xD8\xFF')) return 'image/jpeg'
  if (has('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp'
  return hasPdfHeader(start) ? 'application/pdf' : null
}

/** Accepts a byte-order mark, line breaks or printer commands before the header, as real programs write them. */
function hasPdfHeader(start: Uint8Array): boolean {
  const head = Array.from(start.slice(0, TELLING_BYTES), (byte) => String.fromCharCode(byte)).join('')
  const content = (head.startsWith(BYTE_ORDER_MARK) ? head.slice(BYTE_ORDER_MARK.length) : head).trimStart()
  return head.includes('%PDF-') && !OTHER_STARTS.some((other) => content.startsWith(other))
}
