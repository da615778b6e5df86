import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { embeddedDatabase } from '#server/platform/database/embedded-database.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import { pgliteDialect } from '#server/platform/database/pglite-dialect.ts'
import { startPglite } from '#server/platform/database/pglite-thread.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { quiet } from '#test/support/quiet-log.ts'
import type { CopiedDatabase } from '#test/support/postgres-test-database.ts'
import { schemaFingerprint } from '#test/support/schema-fingerprint.ts'

/**
 * Opens an embedded database in memory. Migrating a database takes seconds, so the first run stores a dump that later
 * runs load.
 */
export async function openEmbeddedTestDatabase(): Promise<CopiedDatabase> {
  return await openOn(await migratedDump())
}

async function openOn(dump: Uint8Array): Promise<CopiedDatabase> {
  const thread = await startPglite({ folder: null, dump })
  return {
    ...embeddedDatabase(thread, { clock: systemClock, log: quiet, reopen: null }),
    copied: async () => await openOn(await thread.dump()),
  }
}

async function migratedDump(): Promise<Uint8Array> {
  const file = fileURLToPath(
    new URL(`../../node_modules/.cache/fairwick-test/${schemaFingerprint()}.tar`, import.meta.url),
  )
  if (existsSync(file)) return readFileSync(file)
  const thread = await startPglite({ folder: null })
  try {
    await migrateToLatest(new Kysely<Tables>({ dialect: pgliteDialect(thread) }))
    const dump = await thread.dump()
    keep(file, dump)
    return dump
  } finally {
    await thread.close()
  }
}

/** Writes a temporary file and renames it, because another test file may read it at the same time. */
function keep(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}
