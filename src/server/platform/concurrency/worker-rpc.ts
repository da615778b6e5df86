import type { Worker } from 'node:worker_threads'

/** A thread that has to be opened first says so by an answer that nobody asked for. */
const READY = 0

interface Waiting<A> {
  readonly resolve: (answer: A) => void
  readonly reject: (error: Error) => void
}

/** Questions to a worker thread that answers each by a message with its id. Once the thread has ended all of them fail. */
export class WorkerQuestions<A extends { readonly id: number }> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting<A>>()
  #lastId = READY
  #gone: Error | null = null

  /** `name` begins the sentence that is said of its end. */
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

  /** Questions that wait for their answer. */
  get waiting(): number {
    return this.#waiting.size
  }

  get hasEnded(): boolean {
    return this.#gone !== null
  }

  /** Resolves when the thread says that it is open. */
  async ready(): Promise<void> {
    await this.#answerTo(READY)
  }

  async ask(question: object): Promise<A> {
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
