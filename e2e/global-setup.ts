import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT_SERVER, startServerProcess } from '#test/support/server-process.ts'
import { serverVariables } from './fixtures.ts'

/**
 * A first start makes the database and fills it, which takes longer than all the rest of it. It happens once, here; the
 * servers of the tests begin with a copy of what it left.
 */
export default async function globalSetup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-e2e-started-'))
  const server = await startServerProcess(serverVariables(folder), BUILT_SERVER)
  await server.stop()
  process.env['E2E_STARTED_FOLDER'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
