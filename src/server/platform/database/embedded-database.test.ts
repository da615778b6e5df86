import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { Database } from '#server/platform/database/database.ts'
import { embeddedDatabase } from '#server/platform/database/embedded-database.ts'
import { type PgliteThread, startPglite } from '#server/platform/database/pglite-thread.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { quiet } from '#test/support/quiet-log.ts'

let folder: string
let clock: FakeClock
let database: Database
/** The most recently opened thread. */
let thread: PgliteThread
let failsToOpen = false
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-embedded-'))
  clock = new FakeClock(0)
  failsToOpen = false
  const open = async () => {
    if (failsToOpen) throw new Error('no file may be opened')
    return (thread = await startPglite({ folder: join(folder, 'database') }))
  }
  database = embeddedDatabase(await open(), { clock, log: quiet, reopen: open })
  await sql`create table kept (id int4)`.execute(database.db)
  await sql`create role fairwick_server`.execute(database.db)
  await sql`grant select, insert on kept to fairwick_server`.execute(database.db)
  await database.enterServerRole()
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const add = (id: number) => sql`insert into kept values (${id})`.execute(database.db)
const storedRows = async () => (await sql<{ id: number }>`select id from kept order by id`.execute(database.db)).rows

it('A15: the embedded database is reopened after its thread ended, with all committed data and the same role', async () => {
  await add(1)
  await thread.kill()
  await expect(add(2)).rejects.toThrow('The embedded database is closed')
  expect(database.health.writeTrouble()).toBe('broken')
  await expect.poll(() => add(3).catch(() => null)).not.toBeNull()
  expect(await storedRows()).toEqual([{ id: 1 }, { id: 3 }])
  const { rows } = await sql`select current_user as name`.execute(database.db)
  expect(rows).toEqual([{ name: 'fairwick_server' }])
})

it('A15: a transaction that runs when the thread ends leaves no trace', async () => {
  const transaction = database.db.transaction().execute(async (tx) => {
    await sql`insert into kept values (1)`.execute(tx)
    await thread.kill()
    await sql`insert into kept values (2)`.execute(tx).catch(() => {})
    await sql`insert into kept values (3)`.execute(tx)
  })
  await expect(transaction).rejects.toThrow('is closed')
  await expect.poll(() => add(4).catch(() => null)).not.toBeNull()
  expect(await storedRows()).toEqual([{ id: 4 }])
})

it('A15: reopening the embedded database is tried again when it fails at first', async () => {
  failsToOpen = true
  await thread.kill()
  await expect(add(1)).rejects.toThrow('is closed')
  clock.advance(MINUTE_MS)
  await expect(add(1)).rejects.toThrow('is closed')
  failsToOpen = false
  await expect
    .poll(async () => {
      clock.advance(MINUTE_MS)
      return await add(2).catch(() => null)
    })
    .not.toBeNull()
  expect(await storedRows()).toEqual([{ id: 2 }])
})
