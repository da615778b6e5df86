import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import type { CheckTools } from '#core/proof/check-signature.ts'

// Browsers withhold their own hash functions from pages over plain HTTP, so the app brings them.
hashes.sha512 = sha512
export const BROWSER_TOOLS: CheckTools = {
  sha256,
  verify: (publicKey, signature, message) => {
    try {
      return verify(signature, message, publicKey, { zip215: false })
    } catch {
      // Bytes that are not a point on the curve are not a valid signature.
      return false
    }
  },
}
