import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Returns a name for the migrated schema. A database with this name can be reused. */
export function schemaFingerprint(): string {
  const folder = new URL('../../src/server/platform/database/migrations/', import.meta.url)
  const hash = createHash('sha256')
  hash.update(readFileSync(new URL('../server-role.ts', folder)))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}
