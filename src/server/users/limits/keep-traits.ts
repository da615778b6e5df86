import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import {
  insertExcludedPerson,
  listTraits,
  lockTraits,
  replaceTraits,
} from '#server/users/limits/excluded-person.queries.ts'

/**
 * Stores the present traits of a user. If the user is excluded, also stores them with the exclusion. The caller must
 * run this last in its transaction, because it waits for other transactions that store the same user's traits.
 */
export async function keepTraits(tx: Tx, vault: Vault, userId: string): Promise<void> {
  await lockTraits(tx, userId)
  const traits = await listTraits(tx, vault, userId)
  await replaceTraits(tx, vault, { userId, traits })
  const own = await findBreak(tx, userId)
  if (own?.kind === 'exclusion') await insertExcludedPerson(tx, vault, { userId, breakId: own.id, traits })
}
