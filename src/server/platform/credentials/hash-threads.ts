import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import { WorkerRpc } from '#server/platform/concurrency/worker-rpc.ts'

/** The maximum number of threads, however many hashes are requested. */
export const MAX_HASH_THREADS = 2

interface Question {
  /** The hash to compare the secret with; null creates a new hash. */
  readonly stored: string | null
  readonly secret: string
  readonly options: Options | null
}

interface Answer {
  readonly id: number
  readonly answer?: string | boolean
  readonly error?: string
}

/** A thread that computes one hash after another. It keeps the process alive only while a hash is pending. */
class HashThread {
  // An explicitly empty execArgv: flags of the main thread (a loader, a debugger's port) must not apply to the worker
  // thread.
  readonly #worker = new Worker(new URL('./hash-worker.mjs', import.meta.url), { execArgv: [] })
  readonly #questions = new WorkerRpc<Answer>(this.#worker, 'A thread that computes hashes')

  /** The number of pending hashes, including the running one. */
  get load(): number {
    return this.#questions.waiting
  }

  get hasEnded(): boolean {
    return this.#questions.hasEnded
  }

  async ask(question: Question): Promise<string | boolean> {
    this.#worker.ref()
    try {
      const { answer, error } = await this.#questions.call(question)
      if (answer === undefined) throw new Error(error)
      return answer
    } finally {
      if (this.load === 0) this.#worker.unref()
    }
  }
}

const threads = new Set<HashThread>()

/** Returns the thread with the least work, or a new thread if all are busy. */
function freeThread(): HashThread {
  let free: HashThread | undefined
  for (const thread of threads) {
    if (thread.hasEnded) threads.delete(thread)
    else if (free === undefined || thread.load < free.load) free = thread
  }
  if (free !== undefined && (free.load === 0 || threads.size >= MAX_HASH_THREADS)) return free
  const started = new HashThread()
  threads.add(started)
  return started
}

/** Hashes a secret with the library's Argon2, in a thread of this process that has a lower priority than the caller. */
export async function hashInThread(secret: string, options: Options): Promise<string> {
  return String(await freeThread().ask({ stored: null, secret, options }))
}

/** Whether `stored` is the hash of this secret. Throws when it is not a hash. */
export async function verifyInThread(stored: string, secret: string): Promise<boolean> {
  return (await freeThread().ask({ stored, secret, options: null })) === true
}
