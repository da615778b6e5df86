import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { simulate } from './simulate.ts'
import { drawPlan } from './world/plan.ts'

export interface Job {
  readonly seed: number
  readonly minutes: number
  /** Played twice: the second time must be as the first. */
  readonly twice: boolean
}

/** What a worker says of a seed. */
export interface Told {
  readonly seed: number
  readonly violations: readonly string[]
  readonly hash: string
  readonly settled: number
}

/** Plays one seed here. */
export async function play({ seed, minutes, twice }: Job): Promise<Told> {
  const plan = drawPlan(seed, minutes)
  const { violations, hash, settled } = await simulate(plan)
  const again = twice ? await simulate(plan) : null
  const differs = again !== null && again.hash !== hash ? [`R2: played twice it went ${hash} and ${again.hash}`] : []
  return { seed, violations: [...violations, ...differs], hash, settled }
}

/** Plays all of them in as many processes as the machine has cores, and tells of each as it ends. */
export async function playAll(jobs: readonly Job[], tell: (told: Told) => void): Promise<void> {
  let next = 0
  const lanes = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, async () => {
    const worker = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
    try {
      await new Promise<void>((done, fail) => {
        const give = () => {
          const job = jobs[next]
          next += 1
          if (job === undefined) done()
          else worker.send(job)
        }
        worker.on('message', (told: Told) => {
          tell(told)
          give()
        })
        worker.on('error', fail)
        worker.on('exit', (code) => fail(new Error(`a worker ended with ${String(code)}`)))
        give()
      })
    } finally {
      worker.removeAllListeners('exit')
      worker.kill()
    }
  })
  await Promise.all(lanes)
}
