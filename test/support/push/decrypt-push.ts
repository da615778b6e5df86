import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'
import { assert } from '#core/result.ts'

const SALT_BYTES = 16
const TAG_BYTES = 16
/** After the salt: four bytes of the record size, and one of the length of the key id. */
const HEAD_BYTES = SALT_BYTES + 4 + 1
/** The last record of a message ends with this byte and padding. */
const LAST_RECORD = 2

/** The secrets of one browser's subscription. */
export interface BrowserKeys {
  readonly pair: ECDH
  readonly auth: Buffer
}

/**
 * Decrypts the body of a push message as a browser does (RFC 8291, with the encoding of RFC 8188). Throws for any other
 * body.
 */
export function decryptPush({ pair, auth }: BrowserKeys, body: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES)
  const recordSize = body.readUInt32BE(SALT_BYTES)
  const idLength = body.readUInt8(SALT_BYTES + 4)
  const sender = body.subarray(HEAD_BYTES, HEAD_BYTES + idLength)
  const sealed = body.subarray(HEAD_BYTES + idLength)
  assert(sender.length === 65, 'the sender names its public key')
  assert(sealed.length <= recordSize, 'a push message has one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const record = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  const end = record.lastIndexOf(LAST_RECORD)
  assert(end >= 0 && record.subarray(end + 1).every((byte) => byte === 0), 'the record is the last one')
  return record.subarray(0, end).toString()
}
