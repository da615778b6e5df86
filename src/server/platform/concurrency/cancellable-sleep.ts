import type { Clock } from '#server/platform/runtime/ports.ts'

/** A sleep that another caller can cut short. Only one sleep can be pending. */
export interface CancellableSleep {
  sleep(ms: number): Promise<void>
  /** Ends the pending sleep, if there is one. */
  wake(): void
}

export function createCancellableSleep(clock: Pick<Clock, 'after'>): CancellableSleep {
  let wakeUp: (() => void) | null = null
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, resolve)
        wakeUp = () => {
          cancel()
          resolve()
        }
      }),
    wake: () => wakeUp?.(),
  }
}
