/**
 * Syntax of an email address: a local part without leading, trailing or double dots, one @, and a host of two or more
 * labels without hyphens at their ends. Whether the address exists is shown by the verification code. Each part
 * excludes the character that ends it, so matching takes linear time.
 */
const EMAIL =
  /^(?!\.|[^@]*\.[.@])[^\s@<>"(),:;\\[\]]{1,64}@(?:(?!-)[\p{L}\p{N}-]{1,63}(?<!-)\.){1,8}(?!-)[\p{L}\p{N}-]{2,63}(?<!-)$/u

export function isEmail(text: string): boolean {
  return text.length <= 200 && EMAIL.test(text)
}

/**
 * The mailbox that an address reaches: without a tag such as `+1`, and without the dots that Gmail ignores. For
 * comparison only.
 */
export function mailboxOf(email: string): string {
  const address = email.normalize('NFKC').toLowerCase()
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const name = address.slice(0, at).replace(/(?<=.)\+.*$/s, '')
  return host === 'gmail.com' || host === 'googlemail.com' ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}
