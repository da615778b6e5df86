/** What an upload may be; anything else is refused. */
export type FileType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

export const PICTURE_TYPES: readonly FileType[] = ['image/jpeg', 'image/png', 'image/webp']
export const RECEIPT_TYPES: readonly FileType[] = [...PICTURE_TYPES, 'application/pdf']
/** Of one file: a photo of a phone fits. */
export const LARGEST_UPLOAD_BYTES = 8 * 1_048_576

/** How many bytes of a file tell its type. */
export const TELLING_BYTES = 12

/** What a file is by its first bytes. Names and declared types are what somebody says, so they do not count. */
export function readFileType(start: Uint8Array): FileType | null {
  const has = (text: string, at = 0) =>
    Array.from(text, (letter) => letter.charCodeAt(0)).every((byte, place) => start[at + place] === byte)
  if (has('\xFF\xD8\xFF')) return 'image/jpeg'
  if (has('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp'
  if (has('%PDF-')) return 'application/pdf'
  return null
}
