import type { Clock } from '#server/platform/runtime/ports.ts'

/** A sleep that another caller can cut short. Only one sleep can be pending. */
export interface Nap {
  take(ms: number): Promise<void>
  /** Ends the pending sleep, if there is one. */
  end(): void
}

export function createNap(clock: Pick<Clock, 'after'>): Nap {
  let wakeUp: (() => void) | null = null
  return {
    take: (ms) =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, resolve)
        wakeUp = () => {
          cancel()
          resolve()
        }
      }),
    end: () => wakeUp?.(),
  }
}
