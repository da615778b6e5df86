/** Masks an email address or phone number so that only its owner recognises it: `a•••@mail.com`, `•••123`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at > 0) return `${Array.from(address)[0] ?? ''}•••${address.slice(at)}`
  return `•••${address.slice(-3)}`
}
