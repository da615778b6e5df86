import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { firstOfClientId } from '#server/trading/engine/order-rows.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'

const lines: string[] = []
const write = (_facts: object, message: string): void => void lines.push(message)
const log = { debug: write, info: write, warn: write, error: write }

let dataDir: string
beforeEach(() => {
  lines.length = 0
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-data-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('the embedded database is stored in its folder, and the log warns about power cuts', async () => {
  const first = await connectDatabase({ dataDir, log })
  await migrateToLatest(first.db)
  await first.db.insertInto('quick_amount').values({ id: 1, amount: 100 }).execute()
  await expect(connectDatabase({ dataDir, log })).rejects.toThrow('in use by another Fairwick')
  await first.close()

  const second = await connectDatabase({ dataDir, log })
  expect(await second.db.selectFrom('quick_amount').selectAll().execute()).toMatchObject([{ id: 1, amount: 100n }])
  expect(second).toMatchObject({ kind: 'pglite', connections: 1 })
  await second.enterServerRole()
  await second.db.insertInto('quick_amount').values({ id: 2, amount: 100 }).execute()
  await expect(second.db.deleteFrom('admin_action').execute()).rejects.toThrow('permission denied')
  expect(lines[0]).toContain('not after a power cut')
  await second.close()
  await second.close()
  await expect(second.db.selectFrom('quick_amount').selectAll().execute()).rejects.toThrow('destroyed')
})

it('the error names the PostgreSQL that does not answer, without the password', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  server.close()
  await once(server, 'close')

  const url = `postgres://me:hunter2@127.0.0.1:${address.port}/fairwick`
  const error: unknown = await connectDatabase({ url, dataDir, log }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartUpError)
  expect(String(error)).toContain(`127.0.0.1:${address.port} does not answer (ECONNREFUSED)`)
  expect(String(error)).not.toContain('hunter2')
})

it.runIf(process.env['TEST_DATABASE_URL'])('reports that PostgreSQL has no such database', async () => {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  url.pathname = '/not_there'
  await expect(connectDatabase({ url: url.href, dataDir, log })).rejects.toThrow('has no database called not_there')
})

it.runIf(process.env['TEST_DATABASE_URL'])(
  'looks up orders by key, even if the tables were empty when planned',
  async () => {
    const database = await openPostgresTestDatabase(process.env['TEST_DATABASE_URL'] ?? '')
    try {
      // Records in the statistics that the table is empty, so that the planner prefers a full scan.
      await sql.raw('vacuum analyze open_order').execute(database.db)
      const planned = async (db: Db) => {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select 1 from open_order where user_id = gen_random_uuid() and client_order_id = 'one'`.execute(db)
        return rows.map((row) => row['QUERY PLAN']).join()
      }
      expect(await planned(database.db)).toContain('Seq Scan')
      expect(await planned(database.ordersDb)).toContain('open_order_client')
      // Checks the look-up in the order history, where several indexes begin with the user id.
      await sql.raw('vacuum analyze order_history').execute(database.db)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select ${firstOfClientId} from (values (gen_random_uuid(), 'one')) i (user_id, client_order_id)
    `.execute(database.ordersDb)
      const uses = rows.flatMap((row) => /using (\w+)/u.exec(row['QUERY PLAN'])?.[1] ?? [])
      expect(uses).toEqual(['open_order_client', 'order_history_client'])
    } finally {
      await database.close()
    }
  },
)
