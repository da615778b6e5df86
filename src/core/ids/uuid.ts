const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a UUID, in small or capital letters. */
export function isUuid(text: string): boolean {
  return UUID.test(text.toLowerCase())
}

/** Whether a text is a UUID as the server writes it: in small letters. Signed texts contain no other form. */
export function isCanonicalUuid(text: string): boolean {
  return UUID.test(text)
}
