/** Escapes `%`, `_` and `\` in a text, so that a `like` pattern matches these characters literally. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
