import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { Database } from '#server/platform/database/database.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import { connectPostgres } from '#server/platform/database/postgres.ts'
import { keepToOneSession } from '#test/support/one-session.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { schemaFingerprint } from '#test/support/schema-fingerprint.ts'

const POOL_SIZE = 10
/** The key of the PostgreSQL lock for the template: an arbitrary number that all test files share. */
const TEMPLATE_LOCK = 721_204

/** A database that can be copied with its content. */
export interface CopiedDatabase extends Database {
  /** Returns a copy with the current content. Afterwards the original can only be closed. */
  copied(): Promise<CopiedDatabase>
}

/** Creates a database on a real PostgreSQL, copied from a migrated template. `close` drops it. */
export async function openPostgresTestDatabase(url: string): Promise<CopiedDatabase> {
  return await openCopy(url, (admin) => ensureTemplate(admin, url))
}

async function openCopy(url: string, original: (admin: Client) => Promise<string>): Promise<CopiedDatabase> {
  const name = `fairwick_test_${randomBytes(6).toString('hex')}`
  await asAdmin(url, async (admin) => {
    await admin.query(`create database ${name} template ${await original(admin)}`)
    // A copied database does not get the privileges on the original database.
    await admin.query(`revoke temporary on database ${name} from public`)
  })
  const database = await connectPostgres({ url: withDatabase(url, name), poolSize: POOL_SIZE, log: quiet })
  keepToOneSession(database)
  let isOpen = true
  const disconnect = async () => {
    if (isOpen) await database.close()
    isOpen = false
  }
  return {
    ...database,
    // A database with open connections cannot be copied.
    copied: () => disconnect().then(() => openCopy(url, () => Promise.resolve(name))),
    close: async () => {
      await disconnect()
      await asAdmin(url, (admin) => admin.query(`drop database ${name} with (force)`))
    },
  }
}

/** Creates an empty database for a server that migrates it. */
export async function createEmptyPostgresDatabase(url: string): Promise<{ url: string; drop: () => Promise<void> }> {
  return copyPostgresDatabase(withDatabase(url, 'template1'))
}

/** Copies a database to which nothing is connected. */
export async function copyPostgresDatabase(original: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `fairwick_test_${randomBytes(6).toString('hex')}`
  const server = withDatabase(original, 'postgres')
  const template = new URL(original).pathname.slice(1)
  await asAdmin(server, (admin) => admin.query(`create database ${name} template ${template}`))
  return {
    url: withDatabase(original, name),
    drop: () => asAdmin(server, (admin) => admin.query(`drop database ${name} with (force)`)),
  }
}

/** Creates the template once per server and schema. The lock makes other test files wait. */
async function ensureTemplate(admin: Client, url: string): Promise<string> {
  const template = `fairwick_template_${schemaFingerprint()}`
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  const found = await admin.query('select 1 from pg_database where datname = $1', [template])
  if (found.rowCount === 0) {
    const draft = `${template}_draft`
    await admin.query(`drop database if exists ${draft} with (force)`)
    await admin.query(`create database ${draft}`)
    const database = await connectPostgres({ url: withDatabase(url, draft), poolSize: 2, log: quiet })
    try {
      await migrateToLatest(database.db)
    } finally {
      await database.close()
    }
    await admin.query(`alter database ${draft} rename to ${template}`)
  }
  await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  return template
}

async function asAdmin(url: string, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
