const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a UUID, in small or capital letters. */
export function isUuid(text: string): boolean {
  return UUID.test(text.toLowerCase())
}

/** Whether a text is a UUID as the server writes it: in small letters. Signed texts contain no other form. */
export function isCanonicalUuid(text: string): boolean {
  return UUID.test(text)
}

/** Writes 32 hexadecimal digits as a UUID. */
export function uuidOfHex(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
