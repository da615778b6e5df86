import type { Clock } from '#server/platform/runtime/ports.ts'

/** A pause that somebody else can end, one at a time. */
export interface Nap {
  take(ms: number): Promise<void>
  /** Ends the one under way; without one nothing happens. */
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
