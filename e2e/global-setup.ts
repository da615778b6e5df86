import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT_SERVER, demoKeyOf, startServerProcess } from '#test/support/server-process.ts'
import { serverVariables, shareServer } from './fixtures.ts'
import { changeDatabase } from './stopped-database.ts'

/**
 * Starts the server that all tests share. Creating the database takes most of the first start. Servers of single tests
 * therefore begin with a copy of this database.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const root = mkdtempSync(join(tmpdir(), 'fairwick-e2e-shared-'))
  const startedFolder = join(root, 'started')
  const first = await startServerProcess(serverVariables(startedFolder), BUILT_SERVER)
  await first.stop()
  const folder = join(root, 'data')
  cpSync(startedFolder, folder, { recursive: true })
  await endWithdrawalPause(folder)
  const server = await startServerProcess(serverVariables(folder), BUILT_SERVER)
  shareServer({ address: server.address, demoKey: demoKeyOf(server.address), folder, startedFolder })
  return async () => {
    await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * A journey cannot wait a day for a withdrawal, or for the notice period that a shorter pause needs. Other tests cover
 * both.
 */
async function endWithdrawalPause(dataDir: string): Promise<void> {
  const row = { key: 'withdrawal_pause_hours', value: JSON.stringify(0), updated_ms: 0 }
  await changeDatabase(dataDir, (db) =>
    db
      .insertInto('setting')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute(),
  )
}
