/** Delays between attempts: 6 s in total, as the user sees a spinner during that time. */
const WAITS_MS = [500, 1_500, 4_000] as const

/** Repeats work that a bad network may have interrupted, with growing delays. Rejects with the last error. */
export async function retry<T>(work: () => Promise<T>, waitsMs: readonly number[] = WAITS_MS): Promise<T> {
  for (const waitMs of waitsMs) {
    try {
      return await work()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
  return work()
}

/**
 * Resolves with the result of `work`, or rejects when it takes longer than `ms`. Some networks neither respond nor
 * fail.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
