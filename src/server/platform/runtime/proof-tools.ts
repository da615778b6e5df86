import { createPublicKey, verify } from 'node:crypto'
import { toBase64Url } from '#core/proof/bytes.ts'
import type { CheckTools, VerifyEd25519 } from '#core/proof/check-signature.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'

/** Verifies Ed25519 signatures with Node's own implementation. */
const verifyOnServer: VerifyEd25519 = (publicKey, signature, message) => {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) }
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
  } catch {
    // Bytes that are not a public key verify nothing.
    return false
  }
}

/** The cryptographic functions for `core/proof` and `core/register`, on the server and in commands. */
export const SERVER_TOOLS: CheckTools = { sha256, verify: verifyOnServer }
