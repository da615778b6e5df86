import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromDriver, Run, RunFigures, ToDriver } from './protocol.ts'

/** The process that places orders. */
export interface Driver {
  run(run: Run): Promise<RunFigures>
  /** Ids of all acknowledged orders, concatenated, as there may be many millions. */
  acknowledged(): Promise<Buffer>
  stop(): void
}

export interface DriverOptions {
  /** Address of the server: `http://127.0.0.1:3000`. */
  readonly address: string
  readonly sockets: number
  /** Tokens of accounts without open orders, enough for all runs. */
  readonly tokens: readonly string[]
  /** If true, each socket has only one account and receives the results of its orders. */
  readonly hearsResults?: boolean
}

export async function startDriver({ address, sockets, tokens, hearsResults = false }: DriverOptions): Promise<Driver> {
  const child = fork(fileURLToPath(new URL('order-driver.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    // Missing figures are NaN, which JSON cannot express.
    serialization: 'advanced',
  })
  await ask(child, { open: { port: Number(new URL(address).port), sockets, tokens, hearsResults } })
  return {
    async run(run) {
      const answer = await ask(child, { run })
      if (!('figures' in answer)) throw new Error('the driver tells figures')
      return answer.figures
    },
    async acknowledged() {
      const folder = mkdtempSync(join(tmpdir(), 'fairwick-orders-'))
      try {
        const file = join(folder, 'ids')
        await ask(child, { save: { file } })
        return readFileSync(file)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    stop: () => void child.kill(),
  }
}

function ask(child: ChildProcess, message: ToDriver): Promise<FromDriver> {
  return new Promise((resolve, reject) => {
    const hear = (answer: FromDriver): void => {
      child.off('exit', gone)
      if ('failed' in answer) reject(new Error(answer.failed))
      else resolve(answer)
    }
    const gone = (): void => reject(new Error('the driver has ended'))
    child.once('message', hear)
    child.once('exit', gone)
    child.send(message)
  })
}
