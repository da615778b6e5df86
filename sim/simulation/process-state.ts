import type { Kernel } from '../kernel/kernel.ts'

/** How a process does: alive, standing still, or dead for good. */
export class Life {
  readonly #kernel: Kernel
  #pausedUntil = 0
  #diedAt: number | null = null
  readonly #mourners = new Set<() => void>()

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

  /** `kill -9`: nothing of it ever runs again. */
  end(): void {
    this.#diedAt ??= this.#kernel.now
    for (const mourner of this.#mourners) mourner()
    this.#mourners.clear()
  }

  /** Calls back when it dies; the answer takes that back. */
  onDeath(mourner: () => void): () => void {
    this.#mourners.add(mourner)
    return () => this.#mourners.delete(mourner)
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#kernel.now + ms)
  }

  /** Runs it now, when the process goes on, or never. */
  run(work: () => void): void {
    if (!this.isAlive) return
    if (this.#kernel.now >= this.#pausedUntil) work()
    else this.#kernel.after(this.#pausedUntil - this.#kernel.now, () => this.run(work))
  }

  /** Resolves when the process runs, or is killed while it stands still. */
  awake(): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.onDeath(resolve)
      this.run(() => {
        takeBack()
        resolve()
      })
    })
  }
}
