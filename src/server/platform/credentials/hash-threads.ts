import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import { WorkerQuestions } from '#server/platform/concurrency/worker-rpc.ts'

/** More are never started, however many hashes are asked for at once. */
export const MOST_HASH_THREADS = 2

interface Question {
  /** What the secret is held against; null makes a new hash of it. */
  readonly stored: string | null
  readonly secret: string
  readonly options: Options | null
}

interface Answer {
  readonly id: number
  readonly answer?: string | boolean
  readonly error?: string
}

/** A thread that computes one hash after the other. It keeps the process alive only while somebody waits for one. */
class HashThread {
  // Its own empty execArgv: flags of the main thread (a loader, a debugger's port) are not for this one.
  readonly #worker = new Worker(new URL('./hash-worker.mjs', import.meta.url), { execArgv: [] })
  readonly #questions = new WorkerQuestions<Answer>(this.#worker, 'A thread that computes hashes')

  /** Hashes that wait for this thread, the one it computes with them. */
  get load(): number {
    return this.#questions.waiting
  }

  get hasEnded(): boolean {
    return this.#questions.hasEnded
  }

  async ask(question: Question): Promise<string | boolean> {
    this.#worker.ref()
    try {
      const { answer, error } = await this.#questions.ask(question)
      if (answer === undefined) throw new Error(error)
      return answer
    } finally {
      if (this.load === 0) this.#worker.unref()
    }
  }
}

const threads = new Set<HashThread>()

/** The one with the least to do, a new one if all have something. */
function freeThread(): HashThread {
  let free: HashThread | undefined
  for (const thread of threads) {
    if (thread.hasEnded) threads.delete(thread)
    else if (free === undefined || thread.load < free.load) free = thread
  }
  if (free !== undefined && (free.load === 0 || threads.size >= MOST_HASH_THREADS)) return free
  const started = new HashThread()
  threads.add(started)
  return started
}

/** Argon2 as the library has it, in threads of this process that have less priority than the one that asks. */
export async function hashInThread(secret: string, options: Options): Promise<string> {
  return String(await freeThread().ask({ stored: null, secret, options }))
}

/** Whether this is the secret that `stored` was made of. Throws when that is no hash. */
export async function verifyInThread(stored: string, secret: string): Promise<boolean> {
  return (await freeThread().ask({ stored, secret, options: null })) === true
}
