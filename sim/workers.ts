import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { withBundledWorker } from './bundle.ts'
import type { Gain } from './strategies/latency-arbitrage.ts'
import type { InformedJob, InformedSellersJob, Job, RunReport } from './run-life.ts'

/**
 * Many short runs with much garbage: a larger young generation, and no GC threads that would take other workers' cores.
 */
const FLAGS = ['--max-semi-space-size=32', '--single-threaded-gc']

/** Runs one job in a free process. */
export interface PlayIn {
  (job: Job): Promise<RunReport>
  (job: InformedJob | InformedSellersJob): Promise<Gain>
}

type AnyJob = Job | InformedJob | InformedSellersJob

/** Starts one process per core (or `most`), and stops them when `work` is done. */
export async function withWorkers<T>(work: (play: PlayIn) => Promise<T>, count = availableParallelism()): Promise<T> {
  return await withBundledWorker(async (file) => {
    const workers = Array.from({ length: count }, () => new Worker(file))
    const free = [...workers]
    const waiting: ((worker: Worker) => void)[] = []
    const play = async (job: AnyJob) => {
      const worker = free.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
      try {
        return await worker.play(job)
      } finally {
        const next = waiting.shift()
        if (next === undefined) free.push(worker)
        else next(worker)
      }
    }
    try {
      // A worker replies to each kind of job with its kind of result.
      return await work(play as PlayIn)
    } finally {
      for (const worker of workers) worker.stop()
    }
  })
}

/** Like `withWorkers`, for tests: the processes run until `stop`. */
export function startWorkers(): Promise<{ play: PlayIn; stop: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const completion = withWorkers(
      (play) =>
        new Promise<void>((end) => {
          const stop = () => {
            end()
            return completion
          }
          resolve({ play, stop })
        }),
    )
    completion.catch(reject)
  })
}

/** Runs all jobs, and reports each as it ends. */
export async function playAll(jobs: readonly Job[], tell: (report: RunReport) => void): Promise<void> {
  await withWorkers((play) => Promise.all(jobs.map(async (job) => tell(await play(job)))))
}

class Worker {
  readonly #process: ChildProcess
  #settle: { readonly resolve: (report: RunReport | Gain) => void; readonly reject: (error: Error) => void } | null =
    null

  constructor(file: string) {
    this.#process = fork(file, { execArgv: FLAGS })
    this.#process.on('message', (report: RunReport | Gain) => this.#settle?.resolve(report))
    this.#process.on('error', (error) => this.#settle?.reject(error))
    this.#process.on('exit', (code) => this.#settle?.reject(new Error(`a worker ended with ${String(code)}`)))
  }

  play(job: AnyJob): Promise<RunReport | Gain> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#process.send(job)
    })
  }

  stop(): void {
    this.#process.kill()
  }
}
