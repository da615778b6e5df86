/** Runs work as soon as one of a few places is free, in the order it came. */
export type AtOnce = <T>(work: () => Promise<T>) => Promise<T>

export interface AtOnceLimits {
  readonly atOnce: number
  /** Asked before a piece of work has to wait, with how many wait already; may throw to turn it away. */
  readonly beforeWaiting?: (waiting: number) => void
}

export function limitAtOnce({ atOnce, beforeWaiting }: AtOnceLimits): AtOnce {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      beforeWaiting?.(waiting.length)
      // Whoever finishes hands its place over, so `running` stays as it is.
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
