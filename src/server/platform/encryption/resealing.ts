import type { Db } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** The database and the keys for encrypting rows again. */
export interface Sealing {
  readonly db: Db
  readonly vault: Vault
}

/** Which rows to encrypt: only rows that are not encrypted, or all rows that the newest key has not encrypted. */
export type Unsealed = 'unsealed' | 'not-newest'

/** The SQL pattern of values that need no encryption. */
export function sealedAs({ vault }: Sealing, which: Unsealed): string {
  return which === 'unsealed' ? 'sealed1.%' : `sealed1.${vault.keyName}.%`
}

/** Returns the same text, encrypted with the newest key. */
export function sealAgain({ vault }: Sealing, stored: string, place: string): string {
  return vault.encrypt(stored.startsWith('sealed1.') ? vault.decrypt(stored, place) : stored, place)
}
