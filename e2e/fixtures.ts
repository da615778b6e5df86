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
import { copyData, createData, type RemovableData, type ServerData, serverVariables } from './server-data.ts'

/** A server with the operator CLI beside it. */
export interface StartedServer extends ServerProcess {
  readonly data: ServerData
  /** Runs a command like `npm run admin -- …`. Returns its output; rejects if the command fails. */
  admin: (...args: string[]) => Promise<string>
}

interface StartOptions {
  /** Shifts the clock of the server and of its database, which is then the embedded one. */
  clockShiftMs?: number
  /** Changes the data before the server starts. */
  prepare?: (data: ServerData) => Promise<void>
  /** Data that the test created, perhaps for an earlier server. The fixture removes the data after the test. */
  data?: RemovableData
}
type StartServer = (environment?: Record<string, string>, options?: StartOptions) => Promise<StartedServer>

export interface TestFixtures {
  /** Starts a new server for the test. Afterwards it is stopped and its data is removed. */
  startServer: StartServer
  /** Closes all pages after the test, also those that the test opened itself. */
  closedPages: undefined
  /** Browser errors that this test causes and therefore allows. */
  allowedProblems: readonly RegExp[]
}

export interface WorkerFixtures {
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
  // Playwright sets up this fixture first and so tears it down last, because a page that loses its server reports
  // errors.
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
  /** The data of a server that was started once and stopped, as a starting point. */
  readonly started: ServerData
}

const SHARED_SERVER = 'E2E_SHARED_SERVER'

/** Passes the server to the workers through the environment, which Playwright copies. */
export function shareServer(server: SharedServer): void {
  process.env[SHARED_SERVER] = JSON.stringify(server)
}

function sharedServer(): SharedServer {
  return JSON.parse(process.env[SHARED_SERVER] ?? '') as SharedServer
}

/** Provides a function that starts servers, each with its own data, and cleans up afterwards. */
async function withServers(use: (startServer: StartServer) => Promise<void>): Promise<void> {
  const used = new Set<RemovableData>()
  const servers: ServerProcess[] = []
  try {
    await use(async (environment = {}, { clockShiftMs, prepare, data: given } = {}) => {
      // A server with other price feeds needs new data, because the copied data contain the history of the default
      // feeds.
      const isPlain = !('FAIRWICK_FEEDS' in environment)
      const create = () =>
        isPlain ? copyData(sharedServer().started) : createData({ isEmbedded: clockShiftMs !== undefined })
      const data = given ?? (await create())
      used.add(data)
      await prepare?.(data)
      const variables = {
        ...serverVariables(data),
        ...environment,
        ...(clockShiftMs !== undefined && shiftedClock(clockShiftMs)),
      }
      const server = await startServerProcess(variables, BUILT_SERVER)
      servers.push(server)
      return { ...server, data, admin: (...args) => runAdmin(data.folder, args) }
    })
  } finally {
    for (const server of servers) await server.stop()
    for (const data of used) await data.remove()
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
    // The option `serviceWorkers: 'block'` in the configuration of Playwright causes this message.
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
