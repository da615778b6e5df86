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
  /** The address of the server that all tests share. Each test brings users of its own and leaves the rest alone. */
  site: string
  /** The command line of that server, for what touches nobody but the test's own users. */
  operator: StartedServer['admin']
}

/** Every test fails on an error in the browser's console, on a failed script and on a request to anyone but us. */
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

/** Data that the global setup hands to the workers. */
export interface SharedServer {
  readonly address: string
  readonly demoKey: string
  readonly folder: string
  /** The data folder of a server that was started once and stopped, to begin with. */
  readonly startedFolder: string
}

const SHARED_SERVER = 'E2E_SHARED_SERVER'

/** Playwright hands the environment of the setup on to its workers. */
export function shareServer(server: SharedServer): void {
  process.env[SHARED_SERVER] = JSON.stringify(server)
}

function sharedServer(): SharedServer {
  return JSON.parse(process.env[SHARED_SERVER] ?? '') as SharedServer
}

/** Fills a data folder with what the first start of a server leaves. */
export function copyStartedFolder(folder: string): void {
  cpSync(sharedServer().startedFolder, folder, { recursive: true })
}

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
      // Other prices need another past, and a folder that a test brings may have one.
      const isPlain = !('FAIRWICK_FEEDS' in environment) && !('FAIRWICK_DATA_DIR' in environment)
      if (isPlain) copyStartedFolder(folder)
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
export async function runAdmin(dataDir: string, args: string[]): Promise<string> {
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
