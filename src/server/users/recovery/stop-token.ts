import { isUuid } from '#core/ids/uuid.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

const PLACE = 'stop-recovery'

/** The part of a link that stops a recovery. The text is encrypted and reveals nothing. */
export function stopToken(vault: Pick<Vault, 'encrypt'>, recoveryId: string): string {
  // Short, because a part of a path has at most 100 characters.
  return vault.encrypt(Buffer.from(recoveryId.replaceAll('-', ''), 'hex').toString('base64url'), PLACE)
}

/** Reads a token; null when this installation did not make it. */
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
