import type { SigningKey } from '#core/proof/check-signature.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/** Lists all keys that ever signed receipts, oldest first. */
export async function readSigningKeys(db: Db): Promise<SigningKey[]> {
  const rows = await db.selectFrom('signing_key').selectAll().orderBy('at_ms').orderBy('kid').execute()
  return rows
    .filter(({ event }) => event === 'made')
    .map(({ kid, public_x, at_ms }) => {
      const retired = rows.find((row) => row.kid === kid && row.event === 'retired')
      return { kid, x: public_x, from_ms: Number(at_ms), retired_ms: retired ? Number(retired.at_ms) : null }
    })
}

/** Throws when receipts are currently signed with another key. */
export async function requireSameKey(db: Db, { kid }: Pick<SigningKeyPair, 'kid'>): Promise<void> {
  const inUse = (await readSigningKeys(db)).filter((key) => key.retired_ms === null)
  if (inUse.length === 0 || inUse.some((key) => key.kid === kid)) return
  throw new StartUpError(
    'Another server on this database signs receipts with another key: give all of them the same FAIRWICK_SIGNING_KEY.',
  )
}

/** Makes this the current key and publishes it. The key before it retires. Throws for a retired key. */
export async function takeIntoUse(db: Db, { kid, x }: Pick<SigningKeyPair, 'kid' | 'x'>, now: Instant): Promise<void> {
  const book = await readSigningKeys(db)
  const own = book.find((key) => key.kid === kid)
  if (typeof own?.retired_ms === 'number') {
    throw new StartUpError(
      'This receipt signing key was retired before and cannot be used again. Configure another key.',
    )
  }
  const retiring = book.filter((key) => key.kid !== kid && key.retired_ms === null)
  const rows = [
    ...(own === undefined ? [{ kid, event: 'made', public_x: x, at_ms: now }] : []),
    ...retiring.map((key) => ({ kid: key.kid, event: 'retired', public_x: key.x, at_ms: now })),
  ]
  if (rows.length === 0) return
  // Two servers that start together may both insert the key.
  await db
    .insertInto('signing_key')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['kid', 'event']).doNothing())
    .execute()
}
