import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { askServer } from '#server/operator-cli/control-client.ts'
import { controlPath } from '#server/operator-cli/control-protocol.ts'
import { BUILT_SERVER, type ServerProcess, shiftedClock, startServerProcess } from '#test/support/server-process.ts'

/** A server with the operator's command line beside it. */
export interface StartedServer extends ServerProcess {
  /** As `npm run admin -- …`; answers what it printed, fails when it is refused. */
  admin: (...args: string[]) => Promise<string>
}

type StartServer = (environment?: Record<string, string>, more?: { clockShiftMs?: number }) => Promise<StartedServer>

interface TestFixtures {
  /** Starts a server of the test's own, as new; it is stopped and its data removed afterwards. */
  startServer: StartServer
  /** What the browser may complain of in this test, because the test makes it happen. */
  allowedProblems: readonly RegExp[]
}

interface WorkerFixtures {
  sharedServer: StartedServer
  /** The address of a server that tests of a worker share. Each test brings users of its own and leaves the rest alone. */
  site: string
  /** The command line of that server, for what touches nobody but the test's own users. */
  operator: StartedServer['admin']
}

/** Every test fails on an error in the browser's console, on a failed script and on a request to anyone but us. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  sharedServer: [
    async ({}, use) => {
      await withServers(async (startServer) => {
        const server = await startServer()
        // A journey cannot wait a day for a withdrawal: the pause has tests of its own.
        await server.admin('settings', 'set', 'withdrawal_pause_hours', '0')
        await use(server)
      })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  site: [async ({ sharedServer }, use) => use(sharedServer.address), { scope: 'worker' }],
  operator: [async ({ sharedServer }, use) => use(sharedServer.admin), { scope: 'worker' }],
  // Made first and so cleared up last: a page that lost its server complains.
  startServer: [async ({}, use) => withServers(use), { auto: true }],
  allowedProblems: [[], { option: true }],
  page: async ({ page, allowedProblems }, use) => {
    const problems = watchForProblems(page)
    await use(page)
    const unexpected = problems.filter((problem) => !allowedProblems.some((allowed) => allowed.test(problem)))
    expect(unexpected, 'the console stays clean').toEqual([])
  },
})
export { expect }

/** The environment of a server that nobody but a test talks to. */
export function serverVariables(folder: string) {
  return { FAIRWICK_DATA_DIR: folder, FAIRWICK_BOTS: 'off', LOG_LEVEL: 'warn' }
}

/** Lends out a way to start servers, each with a data folder of its own, and clears up when its user is done. */
async function withServers(use: (startServer: StartServer) => Promise<void>): Promise<void> {
  const folders: string[] = []
  const servers: ServerProcess[] = []
  try {
    await use(async (environment = {}, { clockShiftMs } = {}) => {
      const folder = mkdtempSync(join(tmpdir(), 'fairwick-e2e-'))
      folders.push(folder)
      const started = process.env['E2E_STARTED_FOLDER']
      // Other prices need another past, and a folder that a test brings may have one.
      const isPlain = !('FAIRWICK_FEEDS' in environment) && !('FAIRWICK_DATA_DIR' in environment)
      if (started !== undefined && isPlain) cpSync(started, folder, { recursive: true })
      const variables = {
        ...serverVariables(folder),
        ...environment,
        ...(clockShiftMs !== undefined && shiftedClock(clockShiftMs)),
      }
      const server = await startServerProcess(variables, BUILT_SERVER)
      servers.push(server)
      return { ...server, admin: (...args) => runAdmin(variables.FAIRWICK_DATA_DIR, args) }
    })
  } finally {
    for (const server of servers) await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** The socket that `npm run admin` uses, without the time a process of its own takes to start. */
async function runAdmin(dataDir: string, args: string[]): Promise<string> {
  const printed = await askServer(controlPath(dataDir), { args, who: 'journey' })
  const text = printed?.lines.join('\n') ?? 'no server listens'
  if (printed?.exitCode !== 0) throw new Error(text)
  return text
}

/** Everything the page complains of from now on. */
export function watchForProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(`foreign request: ${request.url()}`)
  })
  return problems
}
