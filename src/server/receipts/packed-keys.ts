import type { OrderKey } from '#server/receipts/order-rows.queries.ts'

const ID_BYTES = 16
const KEY_BYTES = 2 * ID_BYTES

/** Users and orders, sixteen bytes each: to write and to store them as texts or as an array takes several times as long. */
export function packKeys(keys: readonly OrderKey[]): Buffer {
  const packed = Buffer.allocUnsafe(keys.length * KEY_BYTES)
  for (const [at, { userId, orderId }] of keys.entries()) {
    packed.write(hexOf(userId), at * KEY_BYTES, 'hex')
    packed.write(hexOf(orderId), at * KEY_BYTES + ID_BYTES, 'hex')
  }
  return packed
}

export function unpackKeys(packed: Uint8Array): OrderKey[] {
  const hex = Buffer.from(packed).toString('hex')
  const idAt = (byte: number) => idOf(hex.slice(2 * byte, 2 * (byte + ID_BYTES)))
  return Array.from({ length: packed.length / KEY_BYTES }, (_, at) => ({
    userId: idAt(at * KEY_BYTES),
    orderId: idAt(at * KEY_BYTES + ID_BYTES),
  }))
}

function hexOf(id: string): string {
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24)
}

function idOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
