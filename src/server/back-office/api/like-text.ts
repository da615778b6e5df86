/** Returns a text for a `like` pattern in which `%`, `_` and `\` are letters. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
