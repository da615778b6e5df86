/**
 * Runs a limited number of pieces of work at the same time. Further pieces start in order of arrival, each when a
 * running piece has ended.
 */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

export interface ConcurrencyLimitOptions {
  readonly atOnce: number
  /** Called before work has to wait, with the number of waiting pieces. May throw to reject the work. */
  readonly beforeWaiting?: (waiting: number) => void
}

export function createConcurrencyLimit({ atOnce, beforeWaiting }: ConcurrencyLimitOptions): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      beforeWaiting?.(waiting.length)
      // Finished work passes its slot to the next piece, so `running` is unchanged.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
