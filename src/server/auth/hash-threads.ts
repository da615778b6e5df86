import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'

/** More are never started, however many hashes are asked for at once. */
const MOST_THREADS = 2

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

interface Waiting {
  readonly resolve: (answer: string | boolean) => void
  readonly reject: (error: Error) => void
}

/** A thread that computes one hash after the other. It keeps the process alive only while somebody waits for one. */
class HashThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor(onEnd: () => void) {
    // Its own empty execArgv: flags of the main thread (a loader, a debugger's port) are not for this one.
    this.#worker = new Worker(new URL('./hash-worker.mjs', import.meta.url), { execArgv: [] })
    const end = (why: Error): void => {
      onEnd()
      for (const { reject } of this.#waiting.values()) reject(why)
      this.#waiting.clear()
    }
    this.#worker.on('error', end)
    this.#worker.on('exit', () => end(new Error('a thread that computes hashes has ended')))
    this.#worker.on('message', (told: Answer) => this.#hear(told))
  }

  /** Hashes that wait for this thread, the one it computes with them. */
  get load(): number {
    return this.#waiting.size
  }

  ask(question: Question): Promise<string | boolean> {
    this.#lastId += 1
    const id = this.#lastId
    this.#worker.ref()
    this.#worker.postMessage({ id, ...question })
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #hear({ id, answer, error }: Answer): void {
    const caller = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (answer === undefined) caller?.reject(new Error(error))
    else caller?.resolve(answer)
  }
}

const threads = new Set<HashThread>()

/** The one with the least to do, a new one if all have something. */
function freeThread(): HashThread {
  let free: HashThread | undefined
  for (const thread of threads) if (free === undefined || thread.load < free.load) free = thread
  if (free !== undefined && (free.load === 0 || threads.size >= MOST_THREADS)) return free
  const started = new HashThread(() => threads.delete(started))
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
