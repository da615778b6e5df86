/** What an upload may be; anything else is refused. */
export type FileType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

export const PICTURE_TYPES: readonly FileType[] = ['image/jpeg', 'image/png', 'image/webp']
export const RECEIPT_TYPES: readonly FileType[] = [...PICTURE_TYPES, 'application/pdf']
/** Of one file: a photo of a phone fits. */
export const LARGEST_UPLOAD_BYTES = 8 * 1_048_576

/** How many bytes of a file tell its type: readers of PDF look for its header within the first 1,024 bytes. */
export const TELLING_BYTES = 1_024 + 5

/** What begins like this is another kind of file, even if a PDF is hidden behind it: pages, programs, archives, pictures. */
const OTHER_STARTS = ['<', 'MZ', 'PK\x03\x04', '\x7FELF', 'GIF8', 'Rar!', '7z\xBC\xAF', '#!']
const BYTE_ORDER_MARK = '\xEF\xBB\xBF'

/** What a file is by its first bytes. Names and declared types are what somebody says, so they do not count. */
export function readFileType(start: Uint8Array): FileType | null {
  const has = (text: string, at = 0) =>
    Array.from(text, (letter) => letter.charCodeAt(0)).every((byte, place) => start[at + place] === byte)
  if (has('\xFF\xD8\xFF')) return 'image/jpeg'
  if (has('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp'
  return hasPdfHeader(start) ? 'application/pdf' : null
}

/** Real programs write a byte-order mark, line breaks or lines for a printer before the header. */
function hasPdfHeader(start: Uint8Array): boolean {
  const head = Array.from(start.slice(0, TELLING_BYTES), (byte) => String.fromCharCode(byte)).join('')
  const content = (head.startsWith(BYTE_ORDER_MARK) ? head.slice(BYTE_ORDER_MARK.length) : head).trimStart()
  return head.includes('%PDF-') && !OTHER_STARTS.some((other) => content.startsWith(other))
}
