import type { Db } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** What sealed rows are sealed again with. */
export interface Sealing {
  readonly db: Db
  readonly vault: Vault
}

/** Rows of before there was a key, or all that the newest key has not sealed. */
export type Unsealed = 'unsealed' | 'not-newest'

/** What is sealed as it should be, as a pattern of SQL. */
export function sealedAs({ vault }: Sealing, which: Unsealed): string {
  return which === 'unsealed' ? 'sealed1.%' : `sealed1.${vault.keyName}.%`
}

/** The same text, sealed with the newest key. */
export function sealAgain({ vault }: Sealing, stored: string, place: string): string {
  return vault.encrypt(stored.startsWith('sealed1.') ? vault.decrypt(stored, place) : stored, place)
}
