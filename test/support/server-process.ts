import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The built server that `npm start` runs. */
export const BUILT_SERVER = 'dist/server/main.mjs'
export const NODE_FLAGS = ['--max-semi-space-size=64']
/** The built server in drills and measurements, otherwise the source, which needs no build. */
const SERVER = process.env['SERVER_PROGRAM'] ?? 'src/server/main.ts'

const SHIFT_CLOCK = new URL('shift-clock.mjs', import.meta.url)

/** Returns the environment of a server process whose clock is shifted by `ms`, including its embedded database. */
export function shiftedClock(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`, CLOCK_SHIFT_MS: String(ms) }
}

/** A server process that tests can kill. */
export interface ServerProcess {
  readonly address: string
  readonly pid: number
  /** Returns everything that the server has printed. */
  output(): string
  hasExited(): boolean
  /** Waits until the server exits by itself, and returns the exit code. */
  waitForExit(): Promise<number | null>
  /** Kills the server immediately (SIGKILL), like a power cut. */
  kill(): Promise<void>
  /** Stops the server like an operator, and returns the exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts the server on a free port and waits until the server accepts orders. Throws with its output when it exits
 * earlier. `environment` is its whole environment, except PATH and HOME. `program` is another program to run, and
 * `before` are arguments that precede it. A server without prices is never ready, so `until` may be `listening`.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  program = SERVER,
  before: readonly string[] = [],
  until: 'ready' | 'listening' = 'ready',
): Promise<ServerProcess> {
  const loader = program.endsWith('.ts') ? ['--import', 'tsx'] : []
  const [command, ...args] = [...before, process.execPath, ...NODE_FLAGS, ...loader, program]
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let printed = ''
  const hear = (chunk: Buffer) => {
    printed += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  // A live site prints its public address, which cannot be reached in tests.
  const { PORT: port = '0' } = environment
  const known = port === '0' ? undefined : `http://127.0.0.1:${port}`
  const address = await addressOf(child, () => printed, { known, until })
  const [, key] = /[?&]key=([\w-]+)/.exec(printed) ?? []
  if (key !== undefined) rememberDemoKey(address, key)
  return {
    address,
    pid: child.pid ?? 0,
    output: () => printed,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    waitForExit: exited,
    async kill() {
      child.kill('SIGKILL')
      await exited()
    },
    async stop() {
      child.kill('SIGTERM')
      return exited()
    },
  }

  /** Waits for the exit of the process and for its last printed line, which can arrive after the exit. */
  async function exited(): Promise<number | null> {
    await closed
    return child.exitCode
  }
}

const demoKeys = new Map<string, string>()

/** Stores the demo key of a server that another process started. */
export function rememberDemoKey(address: string, key: string): void {
  demoKeys.set(address, key)
}

/** Returns the printed key of the demo at an address, or an empty text. */
export function demoKeyOf(address: string): string {
  return demoKeys.get(address) ?? ''
}

async function addressOf(
  child: ChildProcess,
  printed: () => string,
  { known, until }: { readonly known: string | undefined; readonly until: 'ready' | 'listening' },
): Promise<string> {
  for (;;) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`the server exited with ${end}:\n${printed()}`)
    const address = known ?? /http:\/\/127\.0\.0\.1:\d+/.exec(printed())?.[0]
    if (address !== undefined && (await hasReached(address, until))) return address
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function hasReached(address: string, until: 'ready' | 'listening'): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`).catch(() => null)
  return until === 'ready' ? (answer?.ok ?? false) : answer !== null
}
