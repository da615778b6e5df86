const RANDOM_BYTES = 10
const VARIANTS = '89ab'

/**
 * Creates a UUID version 7 (RFC 9562, section 5.7). It begins with the time, so that the database stores ids of similar
 * times together. Written by hand to keep the bundle small; also, `crypto.randomUUID` exists only on https and
 * localhost.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  const time = Date.now().toString(16).padStart(12, '0')
  const chance = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = VARIANTS.charAt((bytes[RANDOM_BYTES - 1] ?? 0) % VARIANTS.length)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-${variant}${chance.slice(3, 6)}-${chance.slice(6, 18)}`
}
