/**
 * Whether a text can be a mail address: a name whose dots stand alone and inside, one @, a host of at least two labels
 * without hyphens at their ends. Whether it exists shows when the code arrives. Each part excludes what ends it, so the
 * check takes linear time.
 */
const EMAIL =
  /^(?!\.|[^@]*\.[.@])[^\s@<>"(),:;\\[\]]{1,64}@(?:(?!-)[\p{L}\p{N}-]{1,63}(?<!-)\.){1,8}(?!-)[\p{L}\p{N}-]{2,63}(?<!-)$/u

export function isEmail(text: string): boolean {
  return text.length <= 200 && EMAIL.test(text)
}
