import type { Kernel } from '../kernel/kernel.ts'

/** The state of a process: alive, suspended, or dead. */
export class ProcessState {
  readonly #kernel: Kernel
  #pausedUntil = 0
  #diedAt: number | null = null
  readonly #exitListeners = new Set<() => void>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  get isAlive(): boolean {
    return this.#diedAt === null
  }

  get isPaused(): boolean {
    return this.#kernel.now < this.#pausedUntil
  }

  get deadForMs(): number {
    return this.#diedAt === null ? 0 : this.#kernel.now - this.#diedAt
  }

  /** Kills the process: nothing of it runs any more. */
  end(): void {
    this.#diedAt ??= this.#kernel.now
    for (const listener of this.#exitListeners) listener()
    this.#exitListeners.clear()
  }

  /** Calls the listener when the process dies. The returned function cancels this. */
  onExit(listener: () => void): () => void {
    this.#exitListeners.add(listener)
    return () => this.#exitListeners.delete(listener)
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#kernel.now + ms)
  }

  /** Runs the work now, after the process resumes, or never. */
  run(work: () => void): void {
    if (!this.isAlive) return
    if (this.#kernel.now >= this.#pausedUntil) work()
    else this.#kernel.after(this.#pausedUntil - this.#kernel.now, () => this.run(work))
  }

  /** Resolves when the process runs, or when it is killed while suspended. */
  awake(): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.onExit(resolve)
      this.run(() => {
        takeBack()
        resolve()
      })
    })
  }
}
