import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'

const warned: string[] = []
const quiet = () => undefined
const log = { debug: quiet, info: quiet, warn: (_: object, text: string) => void warned.push(text), error: quiet }
const action = { id: '018f3c1e-7a4b-7c3d-8e5f-0123456789ab', at_ms: 1, who: 'x', what: 'y', target: '', reason: '' }

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-role-'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const url = process.env['TEST_DATABASE_URL']

it.runIf(url)('uses separate logins for the schema and the server, or warns that it has all rights', async () => {
  const empty = await createEmptyPostgresDatabase(url ?? '')
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const logins = [`fw_owner_${process.pid}`, `fw_app_${process.pid}`, `fw_other_${process.pid}`] as const
  const [owner, app, other] = logins
  const as = (login: string) => {
    const address = new URL(empty.url)
    address.username = login
    address.password = 'secret'
    return address.href
  }
  try {
    await admin.query(`create role ${owner} login createrole password 'secret'`)
    await admin.query(`create role ${app} login password 'secret'`)
    await admin.query(`create role ${other} login password 'secret'`)
    await admin.query(`alter database ${new URL(empty.url).pathname.slice(1)} owner to ${owner}`)

    const config = { dataDir, databaseUrl: as(app), databaseMigrationUrl: as(owner), databasePoolSize: 3 }
    await expect(openDatabase(config, log), 'not a member yet').rejects.toThrow('permission denied')
    expect(warned).toHaveLength(1)
    await admin.query(`grant fairwick_server to ${app}`)
    const database = await openDatabase(config, log)
    const { db, ordersDb, orderLanes, readsDb } = database
    expect(warned).toHaveLength(1)
    await db
      .insertInto('admin_action')
      .values({ ...action, outcome: 'done' })
      .execute()
    // Several queries on each handle, so that every connection is used.
    const ways = [db, ordersDb, ...orderLanes, readsDb].flatMap((way) => Array.from({ length: 9 }, () => way))
    const ends = await Promise.allSettled(ways.map((way) => way.deleteFrom('admin_action').execute()))
    expect(ends.map(({ status }) => status)).toEqual(ways.map(() => 'rejected'))

    // A connection that cannot take the role is not lost to its pool.
    await admin.query(`revoke fairwick_server from ${app}`)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${app}'`)
    const look = () => database.leasesDb.selectFrom('quick_amount').select('id').limit(0).execute()
    await vi.waitFor(() => expect(look()).rejects.toThrow('permission denied to set role'))
    await admin.query(`grant fairwick_server to ${app}`)
    expect(await look()).toEqual([])
    await database.close()
  } finally {
    await empty.drop()
    for (const login of logins) await admin.query(`drop role ${login}`)
    await admin.end()
  }
})
