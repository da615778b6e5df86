import { isUuid } from '#core/ids/uuid.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

const PLACE = 'stop-recovery'

/** Returns the token for a link that stops a recovery. The token is encrypted, so it does not reveal the recovery. */
export function stopToken(vault: Pick<Vault, 'encrypt'>, recoveryId: string): string {
  // The id is shortened, because the router accepts at most 100 characters between two slashes of a path.
  return vault.encrypt(Buffer.from(recoveryId.replaceAll('-', ''), 'hex').toString('base64url'), PLACE)
}

/** Returns the id of the recovery of a token. Null when this installation did not make the token. */
export function readStopToken(vault: Pick<Vault, 'decrypt'>, token: string): string | null {
  let text: string
  try {
    text = vault.decrypt(token, PLACE)
  } catch {
    return null
  }
  const hex = Buffer.from(text, 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) ? id : null
}
