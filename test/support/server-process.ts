import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** As `npm start` runs it, once it has been built. */
export const BUILT_SERVER = 'dist/server/main.mjs'
export const NODE_FLAGS = ['--max-semi-space-size=64']
/** What drills and measurements have built, or as it is written, for what must not need a build. */
const SERVER = process.env['SERVER_PROGRAM'] ?? 'src/server/main.ts'

const SHIFT_CLOCK = new URL('shift-clock.mjs', import.meta.url)

/** The environment of a server whose whole process has a clock that is off by `ms`, its embedded database included. */
export function shiftedClock(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`, CLOCK_SHIFT_MS: String(ms) }
}

/** The server as a process of its own, for tests that kill it. */
export interface ServerProcess {
  readonly address: string
  readonly pid: number
  /** Everything it has printed. */
  output(): string
  hasEnded(): boolean
  /** Until it ends by itself. Answers the exit code. */
  ended(): Promise<number | null>
  /** As a power button would: no time to finish anything. */
  kill(): Promise<void>
  /** As an operator would. Answers the exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts the server on a free port and waits until it takes orders. Fails with what it printed when it ends before.
 * `environment` is all it sees besides PATH and HOME; `program` is another one that runs it, `before` what
 * stands before it on the command line.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  program = SERVER,
  before: readonly string[] = [],
): Promise<ServerProcess> {
  const loader = program.endsWith('.ts') ? ['--import', 'tsx'] : []
  const [command, ...args] = [...before, process.execPath, ...NODE_FLAGS, ...loader, program]
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const hear = (chunk: Buffer) => {
    printed += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  // A live site prints where its users reach it, which is not here.
  const { PORT: port = '0' } = environment
  const address = await addressOf(child, () => printed, port === '0' ? undefined : `http://127.0.0.1:${port}`)
  const [, key] = /[?&]key=([\w-]+)/.exec(printed) ?? []
  if (key !== undefined) rememberDemoKey(address, key)
  return {
    address,
    pid: child.pid ?? 0,
    output: () => printed,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended: () => exited(child),
    async kill() {
      child.kill('SIGKILL')
      await exited(child)
    },
    async stop() {
      child.kill('SIGTERM')
      return exited(child)
    },
  }
}

const demoKeys = new Map<string, string>()

/** For a server that another process started. */
export function rememberDemoKey(address: string, key: string): void {
  demoKeys.set(address, key)
}

/** The key that the demo at an address has printed; empty where it printed none. */
export function demoKeyOf(address: string): string {
  return demoKeys.get(address) ?? ''
}

async function addressOf(child: ChildProcess, printed: () => string, known?: string): Promise<string> {
  for (;;) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`the server ended with ${end}:\n${printed()}`)
    const address = known ?? /http:\/\/127\.0\.0\.1:\d+/.exec(printed())?.[0]
    if (address !== undefined && (await isReady(address))) return address
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function isReady(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`).catch(() => null)
  return answer?.ok ?? false
}

async function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}
