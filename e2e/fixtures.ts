import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { askServer } from '#server/operator-cli/control-client.ts'
import { controlPath } from '#server/operator-cli/control-protocol.ts'
import {
  BUILT_SERVER,
  rememberDemoKey,
  type ServerProcess,
  shiftedClock,
  startServerProcess,
} from '#test/support/server-process.ts'

/** A server with the operator CLI beside it. */
export interface StartedServer extends ServerProcess {
  /** Runs a command like `npm run admin -- …`. Returns its output; rejects if the command fails. */
  admin: (...args: string[]) => Promise<string>
}

interface StartOptions {
  clockShiftMs?: number
  /** Changes the data folder before the server starts. */
  prepare?: (folder: string) => Promise<void>
}
type StartServer = (environment?: Record<string, string>, options?: StartOptions) => Promise<StartedServer>

interface TestFixtures {
  /** Starts a new server for the test. Afterwards it is stopped and its data is removed. */
  startServer: StartServer
  /** Closes all pages after the test, also those that the test opened itself. */
  closedPages: undefined
  /** Browser errors that this test causes and therefore allows. */
  allowedProblems: readonly RegExp[]
}

interface WorkerFixtures {
  /** The address of the server shared by all tests. Each test creates its own users and changes nothing else. */
  site: string
  /** The operator CLI of the shared server, for commands that affect only the test's own users. */
  operator: StartedServer['admin']
}

/** Every test fails on an error in the browser's console, on a failed script and on a request to another host. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    async ({}, use) => {
      const { address, demoKey } = sharedServer()
      rememberDemoKey(address, demoKey)
      await use(address)
    },
    { scope: 'worker' },
  ],
  operator: [async ({}, use) => use((...args) => runAdmin(sharedServer().folder, args)), { scope: 'worker' }],
  // Set up first and so torn down last: a page that loses its server reports errors.
  startServer: [async ({}, use) => withServers(use), { auto: true }],
  // A page that a test leaves open would draw its chart until the last test.
  closedPages: [
    async ({ browser }, use) => {
      await use(undefined)
      for (const context of browser.contexts()) await context.close()
    },
    { auto: true },
  ],
  allowedProblems: [[], { option: true }],
  page: async ({ page, allowedProblems }, use) => {
    const problems = watchForProblems(page)
    await use(page)
    const unexpected = problems.filter((problem) => !allowedProblems.some((allowed) => allowed.test(problem)))
    expect(unexpected, 'the console has no unexpected errors').toEqual([])
  },
})
export { expect }

/** Data that the global setup provides to the workers. */
export interface SharedServer {
  readonly address: string
  readonly demoKey: string
  readonly folder: string
  /** The data folder of a server that was started once and stopped, as a starting point. */
  readonly startedFolder: string
}

const SHARED_SERVER = 'E2E_SHARED_SERVER'

/** Passes the server to the workers through the environment, which Playwright copies. */
export function shareServer(server: SharedServer): void {
  process.env[SHARED_SERVER] = JSON.stringify(server)
}

function sharedServer(): SharedServer {
  return JSON.parse(process.env[SHARED_SERVER] ?? '') as SharedServer
}

/** Fills a data folder with the result of a server's first start. */
function copyStartedFolder(folder: string): void {
  cpSync(sharedServer().startedFolder, folder, { recursive: true })
}

/** Returns the environment of a server that only one test uses. */
export function serverVariables(folder: string) {
  return { FAIRWICK_DATA_DIR: folder, FAIRWICK_BOTS: 'off', LOG_LEVEL: 'warn' }
}

/** Provides a function that starts servers, each with its own data folder, and cleans up afterwards. */
async function withServers(use: (startServer: StartServer) => Promise<void>): Promise<void> {
  const folders: string[] = []
  const servers: ServerProcess[] = []
  try {
    await use(async (environment = {}, { clockShiftMs, prepare } = {}) => {
      const folder = mkdtempSync(join(tmpdir(), 'fairwick-e2e-'))
      folders.push(folder)
      // Other prices need another history, and a folder given by a test may have one.
      const isPlain = !('FAIRWICK_FEEDS' in environment) && !('FAIRWICK_DATA_DIR' in environment)
      if (isPlain) copyStartedFolder(folder)
      await prepare?.(folder)
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

/** Calls the socket behind `npm run admin` directly, which avoids the start of a process. */
export async function runAdmin(dataDir: string, args: string[]): Promise<string> {
  const printed = await askServer(controlPath(dataDir), { args, who: 'journey' })
  const text = printed?.lines.join('\n') ?? 'no server listens'
  if (printed?.exitCode !== 0) throw new Error(text)
  return text
}

/** Returns a list that collects all later errors of the page. */
export function watchForProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    // `serviceWorkers: 'block'` of the configuration.
    if (message.text() === 'Service Worker registration blocked by Playwright') return
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
