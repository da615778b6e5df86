import type { Log } from '#server/platform/runtime/ports.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/** Closes one part. It may also be called for a part that was opened but never started. */
type Close = () => Promise<void> | void

/**
 * Records every opened part of the server. Closes the parts in reverse order, on a stop and after a start that failed
 * half-way.
 * A part that fails to close is logged, and the remaining parts are still closed.
 */
export class Lifecycle {
  readonly #log: Pick<Log, 'error'>
  readonly #open: { readonly part: string; readonly close: Close }[] = []
  #closing: Promise<readonly string[]> | null = null
  #current: string | null = null

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log
  }

  /**
   * Registers a part that was just opened or is about to be. When the server is stopping, closes the part and throws.
   */
  opened(part: string, close: Close): void {
    this.#open.push({ part, close })
    if (this.#closing === null) return
    this.#closing = this.#closing.then(async (failed) => [...failed, ...(await this.#closeEach())])
    throw new StartUpError('The server was stopped before it had started.')
  }

  /** The part that is being closed now, or null. */
  get closing(): string | null {
    return this.#current
  }

  /** Closes all open parts once. Returns the parts that failed to close. */
  closeAll(): Promise<readonly string[]> {
    this.#closing ??= this.#closeEach()
    return this.#closing
  }

  async #closeEach(): Promise<readonly string[]> {
    const failed: string[] = []
    for (let top = this.#open.pop(); top !== undefined; top = this.#open.pop()) {
      this.#current = top.part
      try {
        await top.close()
      } catch (error) {
        failed.push(top.part)
        this.#log.error({ err: error, part: top.part }, 'cannot close a part of the server')
      }
    }
    this.#current = null
    return failed
  }
}
