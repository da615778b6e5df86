import { spawn } from 'node:child_process'
import { constants } from 'node:os'

export interface ToolRun {
  readonly code: number
  readonly output: string
  readonly tookMs: number
  /** Whether the scanner was stopped because its time was over. */
  readonly wasCut: boolean
}

const running = new Set<() => void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const end of running) end()
    process.exit(128 + constants.signals[signal])
  })
}

/** Runs a scanner until it ends or its time is over, and returns its output. */
export async function runTool(
  program: string,
  args: readonly string[],
  { folder, maxMs }: { readonly folder: string; readonly maxMs: number },
): Promise<ToolRun> {
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: folder,
    // The scanner's own files go to the folder that is deleted afterwards.
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8', COLUMNS: '200' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const end = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The tool has already ended.
    }
  }
  running.add(end)
  let output = ''
  let wasCut = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const timer = setTimeout(() => {
    wasCut = true
    end()
  }, maxMs)
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exit) => resolve(exit ?? 128))
    })
    return { code, output, tookMs: performance.now() - startedAt, wasCut }
  } finally {
    clearTimeout(timer)
    running.delete(end)
  }
}
