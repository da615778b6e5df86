/** Writes JSON in ASCII, so that there is one way to encode it as bytes. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, escapeLetter)
}

function escapeLetter(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}
