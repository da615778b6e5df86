import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT_SERVER, demoKeyOf, startServerProcess } from '#test/support/server-process.ts'
import { runAdmin, serverVariables, shareServer } from './fixtures.ts'

/**
 * Starts the server that all tests share. Its first start creates and fills the database, which takes longer than all the
 * rest of it; the servers of single tests begin with a copy of what that start left.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const root = mkdtempSync(join(tmpdir(), 'fairwick-e2e-shared-'))
  const startedFolder = join(root, 'started')
  const first = await startServerProcess(serverVariables(startedFolder), BUILT_SERVER)
  await first.stop()
  const folder = join(root, 'data')
  cpSync(startedFolder, folder, { recursive: true })
  const server = await startServerProcess(serverVariables(folder), BUILT_SERVER)
  // A journey cannot wait a day for a withdrawal: the pause has tests of its own.
  await runAdmin(folder, ['settings', 'set', 'withdrawal_pause_hours', '0'])
  shareServer({ address: server.address, demoKey: demoKeyOf(server.address), folder, startedFolder })
  return async () => {
    await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}
