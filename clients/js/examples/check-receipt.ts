import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Calls } from '../src/client.ts'

type Receipt = Calls['GET /proof/receipts/{trx}']['reply']['data']['accepted']
type Key = Calls['GET /proof/keys']['reply']['data']['keys'][number]

const hash = (...parts: readonly (string | Uint8Array)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest()
const fromBase64 = (text = '') => Buffer.from(text, 'base64url')

/**
 * Checks that the facts of a receipt name the order, and that a published key signed them. `/check/{trx}` on the site
 * also calculates the result again from the tick log.
 */
export function isSigned({ facts, path, signature }: Receipt, trx: string, keys: readonly Key[]): boolean {
  const [header, content, sign] = signature.split('.')
  const { kid }: { kid?: string } = JSON.parse(fromBase64(header).toString())
  const { root, made_ms: madeMs }: { root?: string; made_ms?: number } = JSON.parse(fromBase64(content).toString())
  const key = keys.find(({ crv, kty, x }) => fromBase64(kid).equals(hash(JSON.stringify({ crv, kty, x }))))
  if (key === undefined || madeMs === undefined || madeMs < key.from_ms) return false
  if (key.retired_ms !== null && madeMs >= key.retired_ms) return false
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  if (!verify(null, Buffer.from(`${header}.${content}`), publicKey, fromBase64(sign))) return false
  // The signed root is the root of a tree of receipts (RFC 6962). `side` is the side of the sibling hash.
  const top = path.reduce(
    (node, step) => {
      const other = Buffer.from(step.hash, 'hex')
      return step.side === 'left' ? hash('\u0001', other, node) : hash('\u0001', node, other)
    },
    hash('\u0000', facts),
  )
  const { trx: named }: { trx?: string } = JSON.parse(facts)
  return top.toString('hex') === root && named === trx
}
