import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { SERVER_ROLE } from '#server/platform/database/server-role.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { HOUR_MS, later } from '#core/time/instant.ts'
import { insertReset } from '#server/users/password-reset/password-reset.queries.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'

let database: TestDatabase
let app: TestApp
let folder: string
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-backup-'))
  await database.truncateAll()
  app = await createTestApp(database)
})
afterEach(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = (dataDir: string) => connectDatabase({ dataDir, log: quiet })

describe('backup take', () => {
  it('copies an embedded database in use, with all changes committed before the copy and no later change', async () => {
    const used = await open(join(folder, 'used'))
    const copy = join(folder, 'copy')
    try {
      await sql`create table line (number int4)`.execute(used.db)
      await sql.raw(`create role ${SERVER_ROLE}`).execute(used.db)
      await sql.raw(`grant all on line to ${SERVER_ROLE}`).execute(used.db)
      // Uses the server's own role, which has fewer rights than the owner.
      await used.enterServerRole()
      await sql`insert into line select generate_series(1, 1000)`.execute(used.db)
      const parts = { ...app, dataDir: join(folder, 'used'), copyDatabase: used.copyTo }
      const writing = Array.from({ length: 20 }, () => sql`insert into line values (0)`.execute(used.db))
      expect(await runCommand(parts, ['backup', 'take', copy], 'operator')).toMatchObject({ exitCode: 0 })
      await Promise.all(writing)
      await expect(sql`create table another (number int4)`.execute(used.db)).rejects.toThrow('permission denied')
      await sql`insert into line values (2000)`.execute(used.db)
      expect(await runCommand(parts, ['backup', 'take', copy], 'operator')).toMatchObject({ exitCode: 1 })
    } finally {
      await used.close()
    }
    const restored = await open(copy)
    try {
      const { rows } = await sql`
        select count(*) filter (where number > 0)::int4 as lines, max(number) as newest from line`.execute(restored.db)
      expect(rows).toEqual([{ lines: 1_000, newest: 1_000 }])
    } finally {
      await restored.close()
    }
  })

  it('leaves no folder after a failure, so the same command can be repeated', async () => {
    const copy = join(folder, 'copy')
    const copyDatabase = async (to: string): Promise<void> => {
      mkdirSync(to)
      writeFileSync(join(to, 'PG_VERSION'), '17')
      return await Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
    }
    const parts = { ...app, dataDir: folder }
    const take = ['backup', 'take', copy]
    const failed = await runCommand({ ...parts, copyDatabase }, take, 'operator')
    expect(failed).toEqual({ exitCode: 3, lines: ['The command failed: no space left'] })
    expect(readdirSync(folder)).toEqual([])
    expect(await runCommand({ ...parts, copyDatabase: async () => {} }, take, 'operator')).toMatchObject({
      exitCode: 0,
    })
    expect(readdirSync(folder)).toEqual(['copy'])
  })

  it('refuses to copy PostgreSQL, which has its own tools', async () => {
    const said = await runCommand({ ...app, dataDir: folder }, ['backup', 'take', join(folder, 'copy')], 'operator')
    expect(said).toMatchObject({ exitCode: 1, lines: [expect.stringContaining('pg_basebackup')] })
  })
})

describe('backup restored', () => {
  it('ends every session and invalidates earlier codes and approvals', async () => {
    const alice = await app.verifiedUser('alice')
    expect(await app.ctx.db.selectFrom('session').selectAll().execute()).not.toEqual([])
    await insertReset(
      app.ctx.db,
      {
        id: app.ctx.newId(),
        requestHash: app.ctx.randomBytes(32),
        linkHash: app.ctx.randomBytes(32),
        address: 'alice@example.com',
        codeHash: 'hash',
        createdAt: app.ctx.now(),
        codeExpiresAt: later(app.ctx.now(), HOUR_MS),
        expiresAt: later(app.ctx.now(), HOUR_MS),
      },
      [{ id: app.ctx.newId(), userId: alice.id }],
    )
    const said = await runCommand({ ...app, dataDir: folder }, ['backup', 'restored'], 'operator')
    expect(said).toMatchObject({ exitCode: 0 })
    expect(said.lines.join(' ')).toContain('0 withdrawals are pending')
    for (const table of ['session', 'staff_session', 'one_time_code', 'user_ticket', 'password_reset'] as const)
      expect(await app.ctx.db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
