import type { Worker } from 'node:worker_threads'

/** The id of the message with which a thread reports that it is open. */
const READY = 0

interface Waiting<A> {
  readonly resolve: (answer: A) => void
  readonly reject: (error: Error) => void
}

/**
 * Calls to a worker thread, which replies to each with a message of the same id. When the thread ends, all pending
 * calls fail.
 */
export class WorkerRpc<A extends { readonly id: number }> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting<A>>()
  #lastId = READY
  #gone: Error | null = null

  /** `name` is the subject of the error text when the thread ends. */
  constructor(worker: Worker, name: string) {
    this.#worker = worker
    worker.on('error', (error) => this.#lose(new Error(`${name} stopped.`, { cause: error })))
    worker.on('exit', () => this.#lose(new Error(`${name} is closed.`)))
    worker.on('message', (answer: A) => {
      const caller = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      caller?.resolve(answer)
    })
  }

  /** The number of pending calls. */
  get waiting(): number {
    return this.#waiting.size
  }

  get hasEnded(): boolean {
    return this.#gone !== null
  }

  /** Resolves when the thread reports that it is open. */
  async ready(): Promise<void> {
    await this.#answerTo(READY)
  }

  async call(question: object): Promise<A> {
    if (this.#gone !== null) throw this.#gone
    this.#lastId += 1
    const answer = this.#answerTo(this.#lastId)
    this.#worker.postMessage({ id: this.#lastId, ...question })
    return await answer
  }

  #answerTo(id: number): Promise<A> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #lose(why: Error): void {
    this.#gone ??= why
    for (const { reject } of this.#waiting.values()) reject(this.#gone)
    this.#waiting.clear()
  }
}
