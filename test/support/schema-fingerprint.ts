import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Names the schema that the migrations make: a migrated database with this name in it can be used again. */
export function schemaFingerprint(): string {
  const folder = new URL('../../src/server/platform/database/migrations/', import.meta.url)
  const hash = createHash('sha256')
  hash.update(readFileSync(new URL('../server-role.ts', folder)))
  for (const name of readdirSync(folder).toSorted()) hash.update(name).update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}
